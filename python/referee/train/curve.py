"""Draws a learning curve: ``python -m referee.train.curve trained/progress.jsonl curve.svg``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 56, 24, 40, 48
COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#8c564b")


def main(arguments: list[str]) -> int:
    """Reads the progress of a run and writes the picture. Returns the exit status."""
    if len(arguments) != 2:
        sys.stderr.write("usage: python -m referee.train.curve PROGRESS.jsonl PICTURE.svg\n")
        return 2
    try:
        lines = Path(arguments[0]).read_text().splitlines()
        picture = draw([json.loads(line) for line in lines])
    except (OSError, ValueError, KeyError) as fault:
        sys.stderr.write(f"{arguments[0]}: not the progress of a run: {fault}\n")
        return 1
    Path(arguments[1]).write_text(picture)
    return 0


def draw(told: list[dict[str, Any]]) -> str:
    """Draws the share of matches won over minutes of training, with its bounds, as SVG."""
    met = [(line["minutes"], one) for line in told for one in line["evaluations"]]
    if not met:
        raise ValueError("it has no evaluations")
    last = max(minutes for minutes, _ in met)

    def at(minutes: float, share: float) -> str:
        x = LEFT + (WIDTH - LEFT - RIGHT) * minutes / last
        y = TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)
        return f"{x:.1f},{y:.1f}"

    parts = [*_frame(at, last)]
    for idx, against in enumerate(dict.fromkeys(one["against"] for _, one in met)):
        own = [(minutes, one) for minutes, one in met if one["against"] == against]
        parts += _series(at, against, own, COLOURS[idx % len(COLOURS)], idx)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="13">'
    )
    return "\n".join([head, *parts, "</svg>", ""])


def _frame(at: Any, last: float) -> list[str]:
    """The background, and the grid with its labels."""
    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for percent in (0, 25, 50, 75, 95, 100):
        (x, y), (end, _) = _pair(at(0, percent / 100)), _pair(at(last, 0))
        colour = "#888" if percent == 95 else "#ddd"
        parts.append(f'<path d="M{x},{y}H{end}" stroke="{colour}" fill="none"/>')
        parts.append(f'<text x="{x - 8}" y="{y + 4}" text-anchor="end">{percent} %</text>')
    step = next(step for step in (1, 2, 5, 10, 60, 600, 10**6) if last / step <= 12)
    for minutes in range(0, int(last) + 1, step):
        x, y = _pair(at(minutes, 0))
        parts.append(f'<text x="{x}" y="{y + 18}" text-anchor="middle">{minutes}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    label = "minutes of training"
    parts.append(f'<text x="{middle}" y="{HEIGHT - 10}" text-anchor="middle">{label}</text>')
    return parts


def _series(at: Any, against: str, own: list[Any], colour: str, idx: int) -> list[str]:
    """One opponent: the shares as a line, their bounds as a band, and the opponent's name."""
    band = [at(minutes, one["high"]) for minutes, one in own]
    band += [at(minutes, one["low"]) for minutes, one in reversed(own)]
    line = " ".join(at(minutes, one["share"]) for minutes, one in own)
    x = LEFT + 16 + 220 * idx
    return [
        f'<polygon points="{" ".join(band)}" fill="{colour}" fill-opacity="0.18"/>',
        f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>',
        f'<text x="{x}" y="22" fill="{colour}">share won against {_escaped(against)}</text>',
    ]


def _pair(point: str) -> tuple[float, float]:
    x, y = point.split(",")
    return float(x), float(y)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
