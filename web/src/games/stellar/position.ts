/** The page's knowledge of a match of Stellar Fleet, and the effect of each event on it. */

import type {
  StellarAsk,
  StellarChoice as Choice,
  StellarEvent as Event,
  StellarOwnFleet as OwnFleet,
  StellarView as View,
} from "../../generated/protocol";

export interface Campaign {
  readonly view: View;
  /** The events of each resolved turn, in order. */
  readonly past: readonly Chapter[];
  /** The events of the turn being resolved. */
  readonly open: readonly Event[];
}

export interface Chapter {
  readonly turn: number;
  readonly events: readonly Event[];
}

export function standing(before: Campaign | null, view: View): Campaign {
  return { view, past: before?.past ?? [], open: before?.open ?? [] };
}

/** Adds events to the history. The server sends the new view after them. */
export function happen(before: Campaign, events: readonly Event[]): Campaign {
  return events.reduce(one, before);
}

/** Adds past events to the history; turns that it already has are skipped. */
export function recall(before: Campaign, events: readonly Event[]): Campaign {
  return events.reduce(one, before);
}

function one(before: Campaign, event: Event): Campaign {
  if (event.name === "ORDERED") return before;
  const open = [...before.open, event];
  if (event.name !== "RESOLVED" && event.name !== "ENDED") return { ...before, open };
  // The end of a match comes after its last turn and belongs to that turn.
  if (event.name === "ENDED") return { ...before, open: [] };
  const turn = event.n;
  if (before.past.some((it) => it.turn === turn)) return { ...before, open: [] };
  const past = [...before.past, { turn, events: open }].sort((one, other) => one.turn - other.turn);
  return { ...before, past, open: [] };
}

/** Shows an order that is in flight as the server will show it. */
export function echo(before: Campaign, ask: StellarAsk): Campaign {
  const { view } = before;
  if (ask.actions[0] === "done")
    return { ...before, view: { ...view, done: true, fleets: view.fleets.map((it) => ({ ...it, choices: [] })) } };
  const given = parse(ask.actions);
  if (given === null) return before;
  const fleets = view.fleets.map((fleet) => after(fleet, given));
  return { ...before, view: { ...view, fleets } };
}

interface Given {
  readonly rank: number;
  readonly verb: string;
  readonly words: readonly string[];
  readonly into: number | null;
  readonly ships: readonly number[];
}

function parse(actions: readonly string[]): Given | null {
  const [fleet = "", verb = "", ...rest] = actions;
  const number = (text: string) => text.split(":")[1] ?? "";
  if (!fleet.startsWith("fleet:") || verb === "") return null;
  const of = (kind: string) => rest.filter((it) => it.startsWith(`${kind}:`)).map(number);
  const into = of("into")[0];
  return {
    rank: Number(number(fleet)),
    verb,
    words: [...of("system"), ...of("body"), ...of("into"), ...of("below")],
    into: into === undefined ? null : Number(into),
    ships: of("ship").map(Number),
  };
}

function after(fleet: OwnFleet, given: Given): OwnFleet {
  if (fleet.rank === given.rank) {
    if (given.verb === "retreat")
      return { ...fleet, retreat_next: Number(given.words[0]), choices: shut(fleet.choices, ["retreat"]) };
    const ships = fleet.ships.map((ship, idx) => ({ ...ship, leaves: given.ships.includes(idx) }));
    return { ...fleet, ships, order: [given.verb, ...given.words], choices: shut(fleet.choices, ORDERS) };
  }
  if (fleet.rank === given.into) return { ...fleet, order: ["receive"], choices: shut(fleet.choices, ORDERS) };
  if (given.verb === "retreat") return fleet;
  // A fleet that has its own order can no longer be merged into.
  const choices = fleet.choices.map((it) => (it.verb === "merge" ? without(it, given.rank) : it));
  return { ...fleet, choices };
}

const ORDERS = ["move", "invade", "load", "unload", "transfer", "split", "merge"];

function shut(choices: readonly Choice[], verbs: readonly string[]): Choice[] {
  return choices.map((it) => (verbs.includes(it.verb) ? { verb: it.verb, why: "fleet_already_ordered" } : it));
}

function without(choice: Choice, rank: number): Choice {
  const into = (choice.into ?? []).filter((it) => it !== rank);
  if ((choice.why ?? null) !== null || into.length > 0) return { ...choice, into };
  return { verb: choice.verb, why: "fleet_not_beside" };
}
