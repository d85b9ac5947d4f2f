/** The players of a custom match, as the form has them. */

import type { LobbyGame, LobbyOrder, SeatOrder } from "../../generated/http";

export const GUEST = "guest";
export const BESIDE = "beside";
const BOT = "bot:";

/** The players of the other seats: as chosen, and a bot wherever nothing was chosen. */
export function seated(chosen: readonly string[], n: number, bot: string | null): string[] {
  const usual = bot === null ? GUEST : BOT + bot;
  return Array.from({ length: n }, (_, idx) => chosen[idx] ?? usual);
}

/** Puts a player into a seat. People at this screen and people by link cannot be in one match, so
 * the last choice applies to all of them. */
export function sit(others: readonly string[], idx: number, who: string): string[] {
  const rival = who === GUEST ? BESIDE : who === BESIDE ? GUEST : null;
  return others.map((it, at) => (at === idx || it === rival ? who : it));
}

/** The order for a lobby, with the server's own setup for this number of players. */
export function orderOf(offer: Pick<LobbyGame, "game" | "setups">, others: readonly string[]): LobbyOrder {
  const seats: SeatOrder[] = ["host", ...others.map(seatOf)];
  const setup = offer.setups.find((it) => it.seats === seats.length)?.setup;
  return { game: offer.game, ...(setup === undefined ? {} : { setup }), seats };
}

function seatOf(who: string): SeatOrder {
  return who === GUEST || who === BESIDE ? who : { bot: who.slice(BOT.length) };
}
