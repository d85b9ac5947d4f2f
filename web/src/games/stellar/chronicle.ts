/** Events as sentences. */

import type { StellarEvent as Event, StellarView as View } from "../../generated/protocol";
import { fleetName } from "./rules";
import type { StellarTexts } from "./texts/en";

export interface Told {
  readonly text: string;
  /** The index of the system where it happened. */
  readonly system: number | null;
}

/** An event as a sentence, or null for events that need none. */
export function tellEvent(
  event: Event,
  map: Pick<View["map"], "systems">,
  names: readonly string[],
  t: StellarTexts,
): Told | null {
  const text = sentence(event, (idx) => map.systems[idx ?? -1]?.name ?? "", names, t);
  return text === null ? null : { text, system: event.system ?? null };
}

function sentence(
  event: Event,
  at: (idx: number | null | undefined) => string,
  names: readonly string[],
  t: StellarTexts,
): string | null {
  const { reports } = t;
  const name = (seat: number | null | undefined) => names[seat ?? -1] ?? "";
  const fleet = () => reports.fleet(name(event.seat), fleetName(event.fleet ?? 0));
  const place = at(event.system);
  const body = (event.body ?? 0) + 1;
  switch (event.name) {
    case "DEPARTED":
      return reports.departed(fleet(), place);
    case "ARRIVED":
      return reports.arrived(fleet(), place);
    case "FOUGHT":
      return `${reports.battle(place, event.n ?? 0)}. ${event.seat == null ? reports.battleOpen : reports.battleWon(name(event.seat))}`;
    case "BROKE_OFF":
      return reports.brokeOff(fleet(), place);
    case "LANDED":
      return reports.landed(name(event.seat), place, body);
    case "EMBARKED":
      return reports.embarked(place);
    case "FAILED":
      return reports.failed(fleet(), t.orders.why[event.why ?? ""] ?? (event.why ?? "").replaceAll("_", " "));
    case "BOMBARDED":
      return reports.bombarded(name(event.seat), place);
    case "GROUND_COMBAT":
      return reports.ground((event.sides ?? []).map(name).join(", "), place, body);
    case "CONQUERED":
      return reports.conquered(name(event.seat), place);
    case "HILL":
      return event.seat == null ? reports.hillReset : reports.hill(name(event.seat), event.n ?? 0);
    case "ELIMINATED":
      return reports.eliminated(name(event.seat));
    case "SURVIVAL_FAILED":
      return reports.survivalFailed(name(event.seat));
    case "LEFT":
      return reports.leftMatch(name(event.seat));
    case "RESOLVED":
    case "ORDERED":
      return null;
    case "ENDED":
      return reports.ended;
  }
}
