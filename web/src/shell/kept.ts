/** The match that a tab remembers, so that it can show the outcome after a reload. */

export interface Kept {
  matchId: string;
  /** Null on a shared screen, where the players have no single seat. */
  seat: number | null;
  /** True once the visitor has seen the result. */
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
