/** The places of a picture's parts on the table. */

import type { CardsPart, Part, Picture, Seen } from "./seen";

/** The last row of each seat lies in front of its player. Everything else lies on the board, in order. */
export function layOut(picture: Picture): { front: ReadonlyMap<number, CardsPart>; board: readonly Part[] } {
  const front = new Map<number, CardsPart>();
  for (const part of picture.parts) {
    const owner = ownerOf(part);
    if (owner !== null) front.set(owner, part as CardsPart);
  }
  const last = new Set<Part>(front.values());
  return { front, board: picture.parts.filter((it) => !last.has(it)) };
}

/** The picture of a replay that shows every seat: each row of a player is taken from that player's view. */
export function together(views: readonly Seen[]): Picture {
  const base = views[0]?.picture.parts ?? [];
  const parts = base.map((part, idx) => {
    const owner = ownerOf(part);
    if (owner === null) return part;
    const nth = rowsOf(base.slice(0, idx), owner).length;
    return rowsOf(views[owner]?.picture.parts ?? [], owner)[nth] ?? part;
  });
  return { parts };
}

function rowsOf(parts: readonly Part[], owner: number): readonly Part[] {
  return parts.filter((it) => ownerOf(it) === owner);
}

function ownerOf(part: Part): number | null {
  return part.type === "cards" ? (part.seat ?? null) : null;
}
