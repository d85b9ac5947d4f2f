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
  const text = sentence(event, (idx) => map.systems[idx]?.name ?? "", names, t);
  return text === null ? null : { text, system: "system" in event ? event.system : null };
}

function sentence(event: Event, at: (idx: number) => string, names: readonly string[], t: StellarTexts): string | null {
  const { reports } = t;
  const name = (seat: number) => names[seat] ?? "";
  const fleet = (it: { seat: number; fleet: number }) => reports.fleet(name(it.seat), fleetName(it.fleet));
  switch (event.name) {
    case "DEPARTED":
      return reports.departed(fleet(event), at(event.system));
    case "ARRIVED":
      return reports.arrived(fleet(event), at(event.system));
    case "FOUGHT":
      return `${reports.battle(at(event.system), event.n)}. ${event.seat == null ? reports.battleOpen : reports.battleWon(name(event.seat))}`;
    case "BROKE_OFF":
      return reports.brokeOff(fleet(event), at(event.system));
    case "LANDED":
      return reports.landed(name(event.seat), at(event.system), event.body + 1);
    case "EMBARKED":
      return reports.embarked(at(event.system));
    case "FAILED":
      return reports.failed(fleet(event), t.orders.why[event.why] ?? event.why.replaceAll("_", " "));
    case "BOMBARDED":
      return reports.bombarded(name(event.seat), at(event.system));
    case "GROUND_COMBAT":
      return reports.ground(event.sides.map(name).join(", "), at(event.system), event.body + 1);
    case "CONQUERED":
      return reports.conquered(name(event.seat), at(event.system));
    case "HILL":
      return event.seat == null ? reports.hillReset : reports.hill(name(event.seat), event.n);
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
