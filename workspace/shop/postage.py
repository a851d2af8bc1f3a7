"""What an order costs to post. Weights in grams, prices in pence."""

RATES = ((1_000, 395), (2_000, 525), (5_000, 810), (10_000, 1_240))
WEIGHTS = {"MUG": 410, "BWL": 480, "VAS": 260}


def box_weight(pieces: int) -> int:
    """A double-walled box and its filling."""
    return 280 + 90 * pieces


def postage(order: dict[str, int]) -> int:
    pieces = sum(order.values())
    grams = sum(WEIGHTS[code[:3]] * count for code, count in order.items()) + box_weight(pieces)
    for limit, price in RATES:
        if grams <= limit:
            return price
    raise ValueError(f"{grams} g is too much for one parcel")
