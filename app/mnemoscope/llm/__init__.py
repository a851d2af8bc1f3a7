"""Model adapters behind `domain.llm.LLMProvider`. Only this layer may import litellm, lazily."""
