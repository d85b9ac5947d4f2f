/** What a tab remembers of its match, to tell after a reload what became of it. */

export interface Kept {
  matchId: string;
  /** Nothing where people share the screen: then both have won and lost. */
  seat: number | null;
  /** Whether the visitor has been shown how it ended. */
  over: boolean;
}

const KEY = "referee.match";

export function keep(kept: Kept | null): void {
  if (kept === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, JSON.stringify(kept));
}

export function kept(): Kept | null {
  try {
    const read = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Partial<Kept> | null;
    if (!read || typeof read.matchId !== "string") return null;
    return { matchId: read.matchId, seat: typeof read.seat === "number" ? read.seat : null, over: read.over === true };
  } catch {
    return null;
  }
}
