"""Draws matches as SVG or as pixels, without a graphics library.

A picture is a list of shapes. It shows only public information: cards in hands that are public
knowledge, and counts of cards that are not.
"""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from ._native import Position

Shape = tuple[Any, ...]

WIDTH, HEIGHT = 480, 480
COLOURS = {
    "BRICK": (178, 84, 56),
    "LUMBER": (52, 110, 60),
    "WOOL": (150, 196, 96),
    "GRAIN": (226, 190, 84),
    "ORE": (128, 132, 142),
    "DESERT": (222, 206, 170),
}
SEATS = [(38, 98, 190), (224, 118, 24), (120, 60, 160), (30, 140, 130)]
SEA, INK, PAPER = (206, 226, 240), (30, 32, 38), (250, 248, 242)

CUBES = [
    (0, 0), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (2, -1), (2, 0), (1, 1),
    (0, 2), (-1, 2), (-2, 2), (-2, 1), (-2, 0), (-1, -1), (0, -2), (1, -2), (2, -2),
]  # fmt: skip
"""The x and y cube coordinates of every tile, by id."""

CORNERS = [(1, -0.5), (1, 0.5), (0, 1), (-1, 0.5), (-1, -0.5), (0, -1)]
"""The corners clockwise from the north-east, in half-widths and sides."""


def svg(game: str, snapshot: str) -> str:
    """Draws the match of a snapshot, given as JSON text, as SVG."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}">'
    ]
    lines += [_svg_of(shape) for shape in shapes(game, json.loads(snapshot))]
    lines.append("</svg>")
    return "\n".join(lines)


def rgb(game: str, snapshot: str) -> np.ndarray:
    """Draws the match of a snapshot, given as JSON text, as a ``uint8`` array of pixels with shape
    ``(HEIGHT, WIDTH, 3)``."""
    pixels = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    pixels[:] = SEA
    for shape in shapes(game, json.loads(snapshot)):
        _paint(pixels, shape)
    return pixels


def shapes(game: str, snapshot: dict[str, Any]) -> list[Shape]:
    """The shapes of a picture, from back to front."""
    draw = {"catan": _catan, "orcain": _orcain, "stellar": _stellar}.get(game)
    if draw is None:
        public = json.loads(Position.restore(game, json.dumps(snapshot)).view())
        drawn = _picture(public["picture"]["parts"])
    else:
        drawn = draw(snapshot)
    return [("polygon", [(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], SEA), *drawn]


SIDE = 44.0
HALF = SIDE * math.sqrt(3) / 2


def _centre(tile: int) -> tuple[float, float]:
    x, y = CUBES[tile]
    # Cube axes: x points north-east, y south; z makes the sum 0.
    z = -x - y
    return WIDTH / 2 + HALF * (x - z), HEIGHT / 2 - 20 + 1.5 * SIDE * y


def _vertices() -> list[tuple[float, float]]:
    """The place of every vertex. Its id is its rank among the smallest names of all corners."""
    names: dict[tuple[int, int], tuple[tuple[int, ...], tuple[float, float]]] = {}
    for tile, (x, y) in enumerate(CUBES):
        at_x, at_y = _centre(tile)
        for direction, (right, down) in enumerate(CORNERS):
            place = (at_x + HALF * right, at_y + SIDE * down)
            key = (round(place[0]), round(place[1]))
            name = (x, y, -x - y, direction)
            if key not in names or name < names[key][0]:
                names[key] = (name, place)
    return [place for _, place in sorted(names.values())]


VERTICES = _vertices()


def _edges() -> list[tuple[int, int]]:
    pairs = set()
    for first, (x, y) in enumerate(VERTICES):
        for second in range(first + 1, len(VERTICES)):
            away = math.hypot(VERTICES[second][0] - x, VERTICES[second][1] - y)
            if away < SIDE * 1.1:
                pairs.add((first, second))
    return sorted(pairs)


EDGES = _edges()


def _catan(snapshot: dict[str, Any]) -> list[Shape]:
    out: list[Shape] = []
    for tile in snapshot["board"]["tiles"]:
        x, y = _centre(tile["tile_id"])
        corners = [(x + HALF * right, y + SIDE * down) for right, down in CORNERS]
        out.append(("polygon", corners, INK))
        inner = [(x + 0.95 * HALF * right, y + 0.95 * SIDE * down) for right, down in CORNERS]
        out.append(("polygon", inner, COLOURS[tile["resource"]]))
        if tile["pip_number"]:
            hot = tile["pip_number"] in (6, 8)
            out.append(("circle", (x, y), 13, PAPER))
            out.append(("number", (x, y), tile["pip_number"], (190, 30, 30) if hot else INK))
        if tile["has_robber"]:
            out.append(("circle", (x + 20, y - 14), 8, INK))
    for port in snapshot["board"]["ports"]:
        first, second = (VERTICES[vertex] for vertex in EDGES[port["edge_id"]])
        x, y = (first[0] + second[0]) / 2, (first[1] + second[1]) / 2
        middle = (WIDTH / 2, HEIGHT / 2 - 20)
        away = math.hypot(x - middle[0], y - middle[1])
        x, y = x + 16 * (x - middle[0]) / away, y + 16 * (y - middle[1]) / away
        out.append(("circle", (x, y), 7, COLOURS.get(port["type"], PAPER)))
    for player in snapshot["players"]:
        colour = SEATS[player["player_id"]]
        for edge in player["roads"]:
            first, second = (VERTICES[vertex] for vertex in EDGES[edge])
            out.append(("line", first, second, 7, colour))
        for size, key in ((8, "settlements"), (12, "cities")):
            for vertex in player[key]:
                out.append(("circle", VERTICES[vertex], size + 2, INK))
                out.append(("circle", VERTICES[vertex], size, colour))
        x = 40 + 320 * player["player_id"]
        out.append(("circle", (x, HEIGHT - 30), 14, colour))
        out.append(("number", (x, HEIGHT - 30), player["victory_points"], PAPER))
        held = sum(player["resources"].values())
        out.append(("number", (x + 40, HEIGHT - 30), held, INK))
    return out


def _orcain(snapshot: dict[str, Any]) -> list[Shape]:
    out: list[Shape] = []
    limit = snapshot["variant"]["max_hp"]
    for seat, player in enumerate(snapshot["players"]):
        y = 120 + 200 * seat
        out.append(("line", (60, y), (420, y), 30, PAPER))
        points = max(0, player["hp"])
        if points:
            out.append(("line", (60, y), (60 + 360 * min(1, points / limit), y), 30, SEATS[seat]))
        out.append(("number", (30, y), points, INK))
    return out


def _stellar(snapshot: dict[str, Any]) -> list[Shape]:
    """A square for every system by id, in the color of its owner. A snapshot does not contain the
    map, which is generated from the scenario."""
    owners = snapshot["owners"]
    n_columns = max(1, math.ceil(math.sqrt(len(owners))))
    cell = (WIDTH - 40) / n_columns
    out: list[Shape] = []
    for idx, owner in enumerate(owners):
        x, y = 20 + cell * (idx % n_columns), 20 + cell * (idx // n_columns)
        size = cell * 0.85
        corners = [(x, y), (x + size, y), (x + size, y + size), (x, y + size)]
        out.append(("polygon", corners, PAPER if owner is None else SEATS[owner % len(SEATS)]))
    out.append(("number", (WIDTH / 2, HEIGHT - 12), snapshot["turn"], INK))
    return out


TONES = {
    "plain": PAPER,
    "accent": (236, 172, 76),
    "good": (98, 168, 106),
    "bad": (204, 92, 84),
    "muted": (190, 194, 200),
}


def _picture(parts: list[dict[str, Any]]) -> list[Shape]:
    """The picture of a game that has no drawing of its own here: its cards, grids and graphs, one
    below the other. Faces that are numbers or dice are written on them."""
    out: list[Shape] = []
    top = 16.0
    for part in parts:
        if part["type"] == "graph":
            out += _graph(part["nodes"], part["edges"])
        elif part["type"] in ("cards", "grid"):
            pieces = part.get("cards", part.get("cells", []))
            n_columns = max(1, part.get("columns", len(pieces)))
            size = min(40.0, (WIDTH - 32) / n_columns)
            for idx, piece in enumerate(pieces):
                x, y = 16 + size * (idx % n_columns), top + size * (idx // n_columns)
                out += _piece((x, y), size * 0.9, piece.get("face", piece.get("text")), piece["tone"])
            top += size * math.ceil(len(pieces) / n_columns) + 12
    return out


def _piece(at: tuple[float, float], size: float, face: str | None, tone: str) -> list[Shape]:
    """A card or a cell; a card without a face lies face down."""
    (x, y), colour = at, INK if face is None else TONES[tone]
    corners = [(x, y), (x + size, y), (x + size, y + size), (x, y + size)]
    return [("polygon", corners, colour), *_label((x + size / 2, y + size / 2), face)]


def _graph(nodes: list[dict[str, Any]], edges: list[list[int]]) -> list[Shape]:
    places = [(WIDTH * (0.05 + 0.9 * it["x"] / 1000), HEIGHT * (0.05 + 0.9 * it["y"] / 1000)) for it in nodes]
    out: list[Shape] = [("line", places[one], places[two], 4, INK) for one, two in edges]
    for node, place in zip(nodes, places, strict=True):
        out += [("circle", place, 14, TONES[node["tone"]]), *_label(place, node["text"])]
    return out


def _label(centre: tuple[float, float], text: str | None) -> list[Shape]:
    dice = "⚀⚁⚂⚃⚄⚅"
    number = str(dice.index(text) + 1) if text and text in dice else text
    return [("number", centre, int(number), INK)] if number and number.isdecimal() else []


def _svg_of(shape: Shape) -> str:
    kind, *rest = shape
    red, green, blue = shape[-1]
    colour = f"#{red:02x}{green:02x}{blue:02x}"
    if kind == "polygon":
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in rest[0])
        return f'<polygon points="{points}" fill="{colour}"/>'
    if kind == "circle":
        (x, y), radius = rest[0], rest[1]
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}"/>'
    if kind == "line":
        (x1, y1), (x2, y2), width = rest[0], rest[1], rest[2]
        return (
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
            f'stroke="{colour}" stroke-width="{width}"/>'
        )
    (x, y), number = rest[0], rest[1]
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" font-family="sans-serif" '
        f'font-size="14" text-anchor="middle" dominant-baseline="central">{number}</text>'
    )


def _paint(pixels: np.ndarray, shape: Shape) -> None:
    kind, *rest = shape
    if kind == "polygon":
        _fill(pixels, rest[0], rest[1])
    elif kind == "circle":
        _disc(pixels, rest[0], rest[1], rest[2])
    elif kind == "line":
        (x1, y1), (x2, y2), width, colour = rest
        length = math.hypot(x2 - x1, y2 - y1) or 1.0
        right, down = (y1 - y2) / length * width / 2, (x2 - x1) / length * width / 2
        corners = [(x1 + right, y1 + down), (x2 + right, y2 + down)]
        corners += [(x2 - right, y2 - down), (x1 - right, y1 - down)]
        _fill(pixels, corners, colour)
    else:
        _digits(pixels, *rest)


def _fill(pixels: np.ndarray, corners: list[tuple[float, float]], colour: Any) -> None:
    """Fills a convex polygon."""
    points = np.array(corners)
    left, top = np.maximum(np.floor(points.min(0)).astype(int), 0)
    right, bottom = np.minimum(np.ceil(points.max(0)).astype(int) + 1, (WIDTH, HEIGHT))
    if right <= left or bottom <= top:
        return
    y, x = np.mgrid[top:bottom, left:right] + 0.5
    after = np.roll(points, -1, 0)
    pairs = zip(points, after, strict=True)
    sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for (ax, ay), (bx, by) in pairs]
    inside = np.all([side >= 0 for side in sides], 0) | np.all([side <= 0 for side in sides], 0)
    pixels[top:bottom, left:right][inside] = colour


def _disc(pixels: np.ndarray, centre: tuple[float, float], radius: float, colour: Any) -> None:
    angles = [2 * math.pi * part / 24 for part in range(24)]
    around = [(centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a)) for a in angles]
    _fill(pixels, around, colour)


GLYPHS = {
    "0": ("111", "101", "101", "101", "111"),
    "1": ("010", "110", "010", "010", "111"),
    "2": ("111", "001", "111", "100", "111"),
    "3": ("111", "001", "111", "001", "111"),
    "4": ("101", "101", "111", "001", "001"),
    "5": ("111", "100", "111", "001", "111"),
    "6": ("111", "100", "111", "101", "111"),
    "7": ("111", "001", "010", "010", "010"),
    "8": ("111", "101", "111", "101", "111"),
    "9": ("111", "101", "111", "001", "111"),
}


def _digits(pixels: np.ndarray, centre: tuple[float, float], number: int, colour: Any) -> None:
    """Draws a number in digits of 3 by 5 dots of two pixels each."""
    text = str(number)
    x, y = int(centre[0]) - 4 * len(text), int(centre[1]) - 5
    for digit in text:
        for row, dots in enumerate(GLYPHS.get(digit, GLYPHS["0"])):
            for column, dot in enumerate(dots):
                if dot == "1":
                    at_x, at_y = max(x + 2 * column, 0), max(y + 2 * row, 0)
                    pixels[at_y : at_y + 2, at_x : at_x + 2] = colour
        x += 8
