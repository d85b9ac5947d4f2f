/** The island's geometry in the plane. The side of a hex has length 1. */

import { EDGES, PORTS, TILES, VERTICES } from "../../generated/catan-tables";

export interface Point {
  readonly x: number;
  readonly y: number;
}

const ROOT3 = Math.sqrt(3);
/** The corners of a tile, clockwise from the north-east, in thirds of a step. */
const CORNERS = [
  [2, -1],
  [1, 1],
  [-1, 2],
  [-2, 1],
  [-1, -1],
  [1, -2],
] as const;

/** Two of the three cube axes suffice; y grows down the screen. */
function at(x: number, y: number): Point {
  return { x: ROOT3 * (x + y / 2), y: 1.5 * y };
}

export const tiles: readonly Point[] = TILES.map((tile) => at(tile.cube[0], tile.cube[1]));

export const vertices: readonly Point[] = VERTICES.map(([x, y, , direction]) => {
  const [right, down] = CORNERS[direction];
  return at(x + right / 3, y + down / 3);
});

export interface Edge {
  readonly from: Point;
  readonly to: Point;
  readonly middle: Point;
}

const NOWHERE: Point = { x: 0, y: 0 };

export const edges: readonly Edge[] = EDGES.map(([one, other]) => {
  const from = vertices[one] ?? NOWHERE;
  const to = vertices[other] ?? NOWHERE;
  return { from, to, middle: { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 } };
});

export interface Harbor extends Edge {
  /** The position of its sign, out at sea. */
  readonly sign: Point;
}

export const harbors: readonly Harbor[] = PORTS.map((port) => {
  const edge = edges[port.edge_id] ?? { from: NOWHERE, to: NOWHERE, middle: NOWHERE };
  const far = Math.hypot(edge.middle.x, edge.middle.y) || 1;
  const out = (far + 0.72) / far;
  return { ...edge, sign: { x: edge.middle.x * out, y: edge.middle.y * out } };
});

/** The six corners of a hex around a point, as an SVG `points` attribute. */
export function hex(center: Point, size = 1): string {
  const corner = ([right, down]: readonly [number, number]) => {
    const { x, y } = at(right / 3, down / 3);
    return `${(center.x + x * size).toFixed(3)},${(center.y + y * size).toFixed(3)}`;
  };
  return CORNERS.map(corner).join(" ");
}

/** The tiles that have this vertex as a corner. */
export const tilesAt: readonly (readonly number[])[] = VERTICES.map((_, vertex) =>
  TILES.flatMap((tile, idx) => ((tile.vertices_by_direction as readonly number[]).includes(vertex) ? [idx] : [])),
);
