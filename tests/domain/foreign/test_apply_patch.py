"""A patch is read as Codex's grammar says and applied as Codex does; what does not fit changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.domain.foreign.apply_patch import FilePatch, PatchMalformed, ShellPatch, parse_patch, patch_in_shell


def wrapped(body: str) -> str:
    return f"*** Begin Patch\n{body}\n*** End Patch"


def applied(body: str, text: str) -> str | None:
    (part,) = parse_patch(wrapped(body))
    return part.apply(text)


def test_the_parts_of_a_patch() -> None:
    body = (
        "*** Add File: notes/a.md\n+# A\n+\n+- one\n*** Delete File: b.md\n"
        "*** Update File: c.md\n*** Move to: d.md\n@@ # C\n-old\n+new\n"
    )
    added, deleted, updated = parse_patch(wrapped(body))
    assert added == FilePatch("add", "notes/a.md", "# A\n\n- one\n")
    assert added.apply("whatever") == "# A\n\n- one\n"
    assert (deleted.kind, deleted.path, deleted.apply("x")) == ("delete", "b.md", "")
    assert (updated.path, updated.moved_to, updated.chunks[0].context) == ("c.md", "d.md", "# C")
    assert updated.apply("# C\n\nold\n") == "# C\n\nnew\n"


@pytest.mark.parametrize(
    ("body", "before", "after"),
    [
        ("@@\n foo\n-bar\n+baz", "foo\nbar\n", "foo\nbaz\n"),
        (" foo\n+bar", "foo\n", "foo\nbar\n"),
        ("@@\n+last", "first\n", "first\nlast\n"),
        ("@@\n+last", "", "last\n"),
        ("@@ b\n-x\n+y", "a\nx\nb\nx\n", "a\nx\nb\ny\n"),
        ("@@\n-x\n+y\n*** End of File", "x\nx", "x\ny\n"),
        ("@@\n-  foo\n+foo", "  foo  \n", "foo\n"),
        ("@@\n-foo\n+bar", "   foo\n", "bar\n"),
        ("@@\n-a - 'b'\n+c", "a \u2014 \u2018b\u2019\n", "c\n"),
        ("@@\n-a\n-\n+b\n+", "a\n", "b\n"),
        ("@@\n-a\n-\n+b", "a\n", "b\n"),
        ("@@\n a\n\n-b\n+c", "a\n\nb\n", "a\n\nc\n"),
        ("@@\n-a\n+1\n\n@@\n-c\n+3", "a\nb\nc\n", "1\nb\n3\n"),
        ("@@\n-a", "a\n", ""),
    ],
)
def test_an_update(body: str, before: str, after: str) -> None:
    assert applied(f"*** Update File: f\n{body}", before) == after


@pytest.mark.parametrize("body", ["@@\n-not there\n+x", "@@ no such line\n-foo\n+x", "@@\n-foo\n-bar\n-baz\n-4\n+x"])
def test_what_does_not_fit_changes_nothing(body: str) -> None:
    assert applied(f"*** Update File: f\n{body}", "foo\nbar\n") is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "bad",
        "*** Begin Patch",
        "*** Begin Patch\nbad",
        wrapped("bad"),
        wrapped("*** Update File: f"),
        wrapped("*** Update File: f\n@@"),
        wrapped("*** Update File: f\n@@\n*** End of File"),
        wrapped("*** Update File: f\n@@\n-a\n*** End of File\n+b"),
        wrapped("*** Update File: f\n@@\n-a\n*odd"),
        wrapped("*** Update File: f\n*odd"),
    ],
)
def test_what_is_no_patch_is_refused(text: str) -> None:
    with pytest.raises(PatchMalformed):
        parse_patch(text)


def test_the_forms_in_which_models_give_a_patch() -> None:
    patch = wrapped("*** Add File: a\n+x")
    assert [each.path for each in parse_patch(f"<<'EOF'\n{patch}\nEOF\n")] == ["a"]
    assert [each.path for each in parse_patch(patch.replace("\n", "\r\n"))] == ["a"]
    assert [each.added for each in parse_patch(patch.replace("*** Add", "  *** Add"))] == ["x\n"]
    (moved,) = parse_patch(wrapped("*** Update File: a\n*** Move to: b"))
    assert (moved.moved_to, moved.apply("x\n")) == ("b", "x\n")


def test_a_patch_in_a_shell_is_one_where_nothing_else_is_run() -> None:
    patch = wrapped("*** Add File: a\n+x")
    assert patch_in_shell(f"apply_patch <<'PATCH'\n{patch}\nPATCH") == ShellPatch(patch)
    assert patch_in_shell(f"cd 'my notes' && applypatch <<EOF\n{patch}\nEOF\n") == ShellPatch(patch, "my notes")
    assert patch_in_shell(f"cd notes && apply_patch << EOF\n{patch}\nEOF") == ShellPatch(patch, "notes")
    for script in (
        f"echo x && apply_patch <<'EOF'\n{patch}\nEOF",
        f"cd a; apply_patch <<'EOF'\n{patch}\nEOF",
        f"cd a && cd b && apply_patch <<'EOF'\n{patch}\nEOF",
        f"apply_patch a <<'EOF'\n{patch}\nEOF",
        f"apply_patch <<'EOF'\n{patch}\nEOF\n && echo done",
        f"cd $HOME && apply_patch <<'EOF'\n{patch}\nEOF",
        "apply_patch <<EOF\n" + patch.replace("+x", "+$x") + "\nEOF",
        "cat a.md",
        patch,
    ):
        assert patch_in_shell(script) is None


@given(st.text(alphabet="*@+- \naBegindPtch:FUl", max_size=200), st.text(max_size=50))
def test_no_text_makes_it_fail(text: str, before: str) -> None:
    for whole in (text, wrapped(text), wrapped(f"*** Update File: f\n{text}")):
        try:
            parts = parse_patch(whole)
        except PatchMalformed:
            continue
        for part in parts:
            after = part.apply(before)
            assert after is None or isinstance(after, str)
