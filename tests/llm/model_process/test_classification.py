"""Faults are told apart by what providers really send, as litellm hands it on."""

from __future__ import annotations

import pytest

from mnemoscope.llm.failures import Failure, error_of
from mnemoscope.llm.model_process.classification import classify

ANTHROPIC_413 = (
    'AnthropicException - {"type":"error","error":{"type":"request_too_large",'
    '"message":"Request exceeds the maximum size"}}'
)


class BadRequestError(Exception):
    """As litellm names it; `status_code` as it sets it."""

    status_code = 400


class ContextWindowExceededError(BadRequestError):
    """As litellm names it."""


@pytest.mark.parametrize(
    "said",
    [
        # litellm makes a plain 400 of Anthropic's 413.
        ANTHROPIC_413,
        "AnthropicException - Request exceeds the maximum size",
        "OpenAIException - This model's maximum context length is 8192 tokens. However, you requested 9001 tokens.",
        "OpenAIException - context_length_exceeded",
        "OpenAIException - the model's maximum context is 4096 tokens, and 9000 came",
        "OpenAIException - the request exceeds the available context size, try increasing it",
        'OpenAIException - {"code":400,"type":"exceed_context_size_error","n_prompt_tokens":3000,"n_ctx":2048}',
        "OpenAIException - Requested tokens (3000) exceed context window of 2048",
        "OllamaException - prompt is too long: context window of 4096 tokens",
        "AnthropicError - prompt is too long: 210000 tokens > 200000 maximum",
        "XaiException - This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
        "VertexAIException - The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    ],
)
def test_a_prompt_that_is_too_long_is_told_from_what_is_said(said: str) -> None:
    assert classify(BadRequestError(said)).kind == "context"


@pytest.mark.parametrize(
    "said",
    [
        "OpenAIException - Unsupported parameter: 'context_length' is not supported with this model.",
        "OpenAIException - Invalid schema for response_format 'save_memory'",
        "OpenAIException - messages must alternate. Available Model Group Fallbacks=None context_window_fallbacks=[]",
        "OpenAIException - No fallback model group found for original model_group=small. context_window_fallbacks=None",
        "AnthropicException - messages.0.content: Input should be a valid string",
        "OpenAIException - Invalid value for 'context_window': expected an integer",
        "OpenAIException - The schema exceeds the maximum context depth of 5 levels.",
        "OpenAIException - Invalid schema: maximum nesting depth exceeded.",
        "OpenAIException - tools: the maximum nesting depth is 10",
        "VertexAIException - response_schema exceeds the maximum allowed nesting depth in this context.",
        "OpenAIException - maximum context depth",
        "OpenAIException - tools.0.description: the maximum prompt length of a tool is exceeded.",
        "OpenAIException - The maximum number of tools for this context is 128.",
    ],
)
def test_a_400_with_another_cause_is_not(said: str) -> None:
    assert classify(BadRequestError(said)).kind == "request"


def test_litellms_own_class_for_it_counts() -> None:
    assert classify(ContextWindowExceededError("litellm.ContextWindowExceededError: too much")).kind == "context"


@pytest.mark.parametrize(
    "said",
    [
        "OpenAIException - image input is not supported, you may need to provide the mmproj",
        "OpenAIException - Model does not support images. Please use a model that does.",
        "OpenAIException - This model does not support image input",
        "OpenAIException - Invalid content type. image_url is only supported by certain models.",
        "OpenAIException - scripted is not a multimodal model",
        "OllamaException - this model is missing data required for image input",
        "OpenAIException - Multimodal data provided, but model does not support multimodal requests.",
    ],
)
def test_a_model_that_takes_no_images_is_told_from_what_is_said(said: str) -> None:
    assert classify(BadRequestError(said)).kind == "images"
    error = error_of(Failure("images"), "openai/scripted", "http://127.0.0.1:1/v1")
    assert error.sentence == "The model “scripted” takes no images, says the server at 127.0.0.1:1."


def test_a_proxy_that_does_not_know_the_key_is_understood() -> None:
    said = "OpenAIException - No connected db."
    assert classify(BadRequestError(said)).kind == "key"


@pytest.mark.parametrize(
    "said",
    [
        "OpenAIException - Invalid image: it could not be decoded",
        "OpenAIException - Unsupported parameter: 'temperature' is not supported with gpt-4-vision",
        "OpenAIException - The model `gpt-4-vision-preview` does not exist",
        "OpenAIException - tools are not supported by this model",
    ],
)
def test_other_faults_are_no_matter_of_images(said: str) -> None:
    assert classify(BadRequestError(said)).kind != "images"
