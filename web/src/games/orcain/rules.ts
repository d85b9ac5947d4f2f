/** The part of the rules that the page needs to explain events. The server decides every result. */

import type { OrcainCard as Card, OrcainExchange as Exchange } from "../../generated/protocol";

export const CARDS: readonly Card[] = ["attack", "defense", "heal", "counter"];
export const STEPS = 3;

export type Slot = Card | null;
export type Layout = Slot[];

/** The effect of an exchange on one side. */
export type Effect =
  | { what: "hit"; by: number }
  | { what: "struck_back"; by: number }
  | { what: "healed"; by: number }
  | { what: "healed_and_hit"; by: number }
  | { what: "blocked" }
  | { what: "countered" }
  | { what: "nothing" };

/** The effect of an exchange on side 0 or 1. */
export function effectOn(side: number, exchange: Exchange): Effect {
  const own = exchange.cards[side] ?? null;
  const other = exchange.cards[1 - side] ?? null;
  const change = (exchange.hp_after[side] ?? 0) - (exchange.hp_before[side] ?? 0);
  if (own === "attack" && other === "counter") return { what: "struck_back", by: -change };
  if (own === "defense" && other === "attack") return { what: "blocked" };
  if (own === "counter" && other === "attack") return { what: "countered" };
  if (own === "heal" && other === "attack") return { what: "healed_and_hit", by: change };
  if (other === "attack") return { what: "hit", by: -change };
  if (own === "heal") return { what: "healed", by: change };
  return { what: "nothing" };
}

/** Plays one exchange; used only by the tutorial. */
export function playStep(cards: readonly [Slot, Slot], hp: readonly [number, number], max: number): Exchange {
  const after = [0, 1].map((side) => {
    const own = cards[side as 0 | 1];
    const other = cards[(1 - side) as 0 | 1];
    const healed = own === "heal" ? Math.min(max, hp[side as 0 | 1] + 1) : hp[side as 0 | 1];
    const open = own !== "defense" && own !== "counter";
    const hit = other === "attack" && open ? 2 : 0;
    const struckBack = own === "attack" && other === "counter" ? 2 : 0;
    return Math.max(0, healed - hit - struckBack);
  }) as [number, number];
  return { cards: [...cards], hp_before: [...hp], hp_after: after };
}

/** The number of copies of each card in the hand that are not placed yet. */
export function left(hand: readonly Card[], layout: Layout): Record<Card, number> {
  const counts: Record<Card, number> = { attack: 0, defense: 0, heal: 0, counter: 0 };
  for (const card of hand) counts[card] += 1;
  for (const slot of layout) if (slot !== null) counts[slot] -= 1;
  return counts;
}
