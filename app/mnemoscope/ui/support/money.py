"""Amounts of money in words."""

from __future__ import annotations


def cost_words(dollars: float) -> str:
    """Returns an amount of US dollars: cents below a dollar, dollars above."""
    return f"${dollars:,.2f}" if dollars >= 1 else f"{100 * dollars:.2g} ¢"
