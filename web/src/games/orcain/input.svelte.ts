/** Laying out cards: what the player does, until it is sent. */

import type { OrcainAsk, OrcainCard as Card } from "../../generated/protocol";
import { clock } from "../../shell/clock.svelte";
import { left, type Layout } from "./rules";

/** The least time between two drafts; the last one always goes out. */
const GAP_MS = 90;
/** This close to the deadline nothing waits. */
const HURRY_MS = 400;

export interface Laid {
  readonly layout: Layout;
  readonly hand: readonly Card[];
  readonly deadlineMs: number | null;
}

export class LayingOut {
  /** What was changed and not yet sent. */
  #changed: Layout | null = $state.raw(null);
  /** The slot that the next card goes to, when the player has chosen one. */
  chosen: number | null = $state(null);
  #sentAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly now: () => Laid,
    private readonly send: (ask: OrcainAsk) => void,
  ) {}

  get layout(): Layout {
    return this.#changed ?? this.now().layout;
  }

  /** Whether something was changed that the server has not been sent. */
  get unsent(): boolean {
    return this.#changed !== null;
  }

  get left(): Record<Card, number> {
    return left(this.now().hand, this.layout);
  }

  get nMissing(): number {
    return this.layout.filter((slot) => slot === null).length;
  }

  /** Lays a card in a slot, or in the chosen one, or in the first that is empty. */
  lay(card: Card, into: number | null = this.chosen): number | null {
    if (this.left[card] < 1) return null;
    const empty = this.layout.indexOf(null);
    const at = into ?? (empty < 0 ? null : empty);
    if (at === null) return null;
    this.#change(this.layout.map((slot, idx) => (idx === at ? card : slot)));
    const next = this.layout.indexOf(null);
    this.chosen = this.chosen === null || next < 0 ? null : next;
    return at;
  }

  /** Moves a card to another slot; what lies there comes back in its place. */
  move(from: number, to: number): void {
    const layout = [...this.layout];
    [layout[from], layout[to]] = [layout[to] ?? null, layout[from] ?? null];
    this.#change(layout);
  }

  takeBack(at: number): Card | null {
    const card = this.layout[at] ?? null;
    if (card !== null) this.#change(this.layout.map((slot, idx) => (idx === at ? null : slot)));
    return card;
  }

  takeBackLast(): Card | null {
    const at = this.chosen !== null && this.layout[this.chosen] ? this.chosen : this.layout.findLastIndex((slot) => slot !== null);
    return at < 0 ? null : this.takeBack(at);
  }

  clear(): void {
    this.chosen = null;
    this.#change(this.layout.map(() => null));
  }

  confirm(): boolean {
    if (this.nMissing > 0) return false;
    const layout = this.layout;
    this.forget();
    this.send({ type: "confirm", layout });
    return true;
  }

  /** Sends what was not sent yet. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const layout = this.#changed;
    if (layout === null) return;
    this.#changed = null;
    this.#sentAt = performance.now();
    this.send({ type: "draft", layout });
  }

  /** Another round, or the layouts are final: what was not sent is too late. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changed = null;
    this.chosen = null;
  }

  #change(layout: Layout): void {
    this.#changed = layout;
    const { deadlineMs } = this.now();
    const hurry = deadlineMs !== null && deadlineMs - clock.now < HURRY_MS;
    const wait = this.#sentAt + GAP_MS - performance.now();
    if (hurry || wait <= 0) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), wait);
  }
}
