/** An order being composed. Nothing is sent before it is complete and given. */

import type { StellarChoice as Choice, StellarOwnFleet as OwnFleet } from "../../generated/protocol";

export type Verb = Choice["verb"];

export class Composing {
  /** The rank of the fleet that gets the order. */
  fleet: number | null = $state(null);
  verb: Verb | null = $state(null);
  system: number | null = $state(null);
  /** The body to land on; null leaves the choice to the server. */
  body: number | null = $state(null);
  from: number | null = $state(null);
  to: number | null = $state(null);
  into: number | null = $state(null);
  below: number | null = $state(null);
  ships: number[] = $state([]);

  choose(rank: number | null): void {
    this.fleet = rank;
    this.drop();
  }

  take(verb: Verb): void {
    this.drop();
    this.verb = verb;
  }

  /** Clears the order but keeps the fleet. */
  drop(): void {
    this.verb = null;
    this.system = this.body = this.from = this.to = this.into = this.below = null;
    this.ships = [];
  }

  toggle(ship: number): void {
    const ships = this.ships.includes(ship) ? this.ships.filter((it) => it !== ship) : [...this.ships, ship];
    this.ships = ships.sort((one, other) => one - other);
  }

  /** The action words of the order, or null while it is incomplete. */
  words(fleet: OwnFleet): string[] | null {
    const { verb } = this;
    if (verb === null) return null;
    const rest = this.#rest(verb, fleet);
    return rest === null ? null : [`fleet:${fleet.rank}`, verb, ...rest];
  }

  #rest(verb: Verb, fleet: OwnFleet): string[] | null {
    const body = `body:${this.body ?? "any"}`;
    switch (verb) {
      case "move":
      case "load":
        return this.system === null ? null : [`system:${this.system}`];
      case "invade":
      case "unload":
        return this.system === null ? null : [`system:${this.system}`, body];
      case "transfer":
        return this.from === null || this.to === null || this.from === this.to
          ? null
          : [`body:${this.from}`, `body:${this.to}`];
      case "split": {
        const some = this.ships.length > 0 && this.ships.length < fleet.ships.length;
        return some ? [...this.ships.map((it) => `ship:${it}`), "end"] : null;
      }
      case "merge":
        return this.into === null ? null : [`into:${this.into}`];
      case "retreat":
        return this.below === null ? null : [`below:${this.below}`];
    }
  }
}
