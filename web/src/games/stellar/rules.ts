/** Values derived from a view. Nothing here decides what is legal. */

import type {
  StellarChoice as Choice,
  StellarEvent as Event,
  StellarObjective as Objective,
  StellarOwnFleet as OwnFleet,
  StellarScore as Score,
  StellarSeenArmy as SeenArmy,
  StellarView as View,
} from "../../generated/protocol";
import type { Star } from "./map/scene";

const MLY = 1000;
const GREEK =
  "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho Sigma Tau Upsilon Phi Chi Psi Omega".split(
    " ",
  );

/** A fleet's name: a Greek letter, with a number once the letters run out. */
export function fleetName(rank: number): string {
  const round = Math.floor(rank / GREEK.length);
  const letter = GREEK[rank % GREEK.length] ?? "";
  return round === 0 ? letter : `${letter} ${round + 1}`;
}

export const ly = (length: number): number => length / MLY;

/** The distance between a fleet and a star in three dimensions, in light-years. */
export function distance(fleet: OwnFleet, view: View, star: Star): number {
  const there = view.map.systems[star.idx];
  if (there === undefined) return 0;
  return Math.hypot(fleet.at.x - there.x, fleet.at.y - there.y, fleet.at.z - there.z) / MLY;
}

/** The number of turns needed to travel a distance in light-years. */
export function turnsTo(fleet: OwnFleet, apart: number): number {
  return Math.max(1, Math.ceil((apart * MLY) / Math.max(1, fleet.speed)));
}

export function choiceOf(fleet: OwnFleet, verb: Choice["verb"]): Choice | null {
  return fleet.choices.find((it) => it.verb === verb) ?? null;
}

/** Ship kinds with their counts, the most common first. */
export function company(kinds: readonly string[]): [string, number][] {
  const counted = new Map<string, number>();
  for (const kind of kinds) counted.set(kind, (counted.get(kind) ?? 0) + 1);
  return [...counted].sort((one, other) => other[1] - one[1] || one[0].localeCompare(other[0]));
}

/** The number of systems that each seat owns. */
export function owned(view: View): number[] {
  const counts = view.map.factions.map(() => 0);
  for (const owner of view.owners) if (owner != null) counts[owner] = (counts[owner] ?? 0) + 1;
  return counts;
}

export type Lead = { by: "systems"; seat: number; n: number } | { by: "tied"; seats: number[]; n: number };

/** The leader by number of systems, which everyone can see, if the turns ran out now. */
export function lead(view: View): Lead {
  const counts = owned(view);
  const among = view.present.filter((seat) => (counts[seat] ?? 0) > 0);
  const n = Math.max(0, ...among.map((seat) => counts[seat] ?? 0));
  const first = among.filter((seat) => counts[seat] === n);
  const [only] = first;
  return first.length === 1 && only !== undefined ? { by: "systems", seat: only, n } : { by: "tied", seats: first, n };
}

/** A hill's count before its last reset, or null if the count was not reset. */
export function hillBefore(past: readonly { events: readonly Event[] }[], condition: number): number | null {
  const events = past.flatMap((it) => it.events);
  const told = events.flatMap((it) => (it.name === "HILL" && it.condition === condition ? [it] : []));
  const last = told.at(-1);
  if (last === undefined || last.n > 0) return null;
  return told.at(-2)?.n ?? null;
}

/** The leader of a condition, its progress `n`, and the progress needed to win. */
export function progressOf(objective: Objective): { seat: number | null; n: number; needed: number } {
  const needed = objective.needed ?? 0;
  if (objective.type === "king_of_the_hill") return { seat: objective.holder ?? null, n: objective.held ?? 0, needed };
  const progress = objective.progress ?? [];
  const n = Math.max(0, ...progress);
  return { seat: n === 0 ? null : progress.indexOf(n), n, needed };
}

export function armiesAt(view: View, id: string): SeenArmy[] {
  return view.armies.filter((it) => it.system === id);
}

/** The final scores, ranked by systems and then by hull strength. */
export function ranking(scores: readonly Score[]): { seat: number; score: Score }[] {
  const rows = scores.map((score, seat) => ({ seat, score }));
  return rows.sort((one, other) => other.score.n_systems - one.score.n_systems || other.score.power - one.score.power);
}
