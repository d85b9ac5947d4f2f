/** The page's knowledge of a match of Orcain, and the effect of each event on it. */

import type {
  OrcainAsk,
  OrcainEvent as Event,
  OrcainExchange as Exchange,
  OrcainView as View,
} from "../../generated/protocol";

export interface Duel {
  readonly view: View;
  /** The rounds with revealed cards, in order, including the current one. */
  readonly rounds: readonly Round[];
}

export interface Round {
  readonly round: number;
  readonly exchanges: readonly Exchange[];
}

export function standing(before: Duel | null, view: View): Duel {
  const rounds = (before?.rounds ?? []).filter((it) => it.round < view.round);
  return { view, rounds: withRound(rounds, view.round, view.exchanges) };
}

export function happen(before: Duel, events: readonly Event[]): Duel {
  return events.reduce(one, before);
}

/** Adds the revealed cards of earlier rounds to the history. */
export function recall(before: Duel, events: readonly Event[]): Duel {
  let rounds = before.rounds;
  for (const event of events) {
    if (event.type !== "STEP_REVEALED" || event.round >= before.view.round) continue;
    const known = rounds.find((it) => it.round === event.round)?.exchanges ?? [];
    if (known.length > event.step) continue;
    const last = known.at(-1) ?? rounds.findLast((it) => it.round < event.round)?.exchanges.at(-1);
    const hp_before = last?.hp_after ?? [before.view.max_hp, before.view.max_hp];
    const exchange: Exchange = { cards: event.cards, hp_before, hp_after: event.hp };
    rounds = withRound(rounds, event.round, [...known, exchange]);
  }
  return { ...before, rounds };
}

export function echo(before: Duel, ask: OrcainAsk): Duel {
  const own = before.view.own;
  if (!own || own.status === "confirmed") return before;
  const layout = [...ask.layout];
  const status = ask.type === "confirm" ? "confirmed" : "drafted";
  return { ...before, view: { ...before.view, own: { ...own, layout, status } } };
}

function one(before: Duel, event: Event): Duel {
  const { view, rounds } = before;
  const own = view.own ?? null;
  switch (event.type) {
    case "DRAFT_RECEIVED":
      return own && own.status === "silent"
        ? { ...before, view: { ...view, own: { ...own, status: "drafted" } } }
        : before;
    case "LAYOUT_CONFIRMED":
      return own ? { ...before, view: { ...view, own: { ...own, status: "confirmed", can_draft: false } } } : before;
    case "ROUND_FINALIZED": {
      const streak = (seat: number) => (event.missed[seat] ? (view.afk_streak[seat] ?? 0) + 1 : 0);
      const frozen = own ? { ...own, can_draft: false } : null;
      return { ...before, view: { ...view, phase: "REVEAL", afk_streak: [streak(0), streak(1)], own: frozen } };
    }
    case "STEP_REVEALED": {
      const exchange: Exchange = { cards: event.cards, hp_before: view.hp, hp_after: event.hp };
      const exchanges = [...view.exchanges.slice(0, event.step), exchange];
      return { view: { ...view, exchanges, hp: event.hp }, rounds: withRound(rounds, event.round, exchanges) };
    }
    case "ROUND_ENDED":
      return { ...before, view: { ...view, hp: event.hp } };
    case "ROUND_STARTED": {
      const fresh = own
        ? { ...own, layout: own.layout.map(() => null), status: "silent" as const, can_draft: true }
        : null;
      const next = { round: event.round, sudden_death: event.sudden_death, phase: "PREP" as const };
      return { ...before, view: { ...view, ...next, exchanges: [], own: fresh } };
    }
    case "PLAYER_LEFT":
      return before;
    case "MATCH_ENDED":
      return { ...before, view: { ...view, phase: "END", outcome: event.outcome } };
  }
}

function withRound(rounds: readonly Round[], round: number, exchanges: readonly Exchange[]): Round[] {
  const others = rounds.filter((it) => it.round !== round);
  if (exchanges.length === 0) return others;
  return [...others, { round, exchanges }].sort((one, other) => one.round - other.round);
}
