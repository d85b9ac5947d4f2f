/** The player's layout of cards, before and while it is sent as a draft. */

import type { OrcainAsk, OrcainCard as Card } from "../../generated/protocol";
import { clock } from "../../shell/clock.svelte";
import { left, type Layout } from "./rules";

/** The minimum time between two drafts. The last one is always sent. */
const GAP_MS = 90;
/** This close to the deadline, drafts are sent immediately. */
const HURRY_MS = 400;

export interface Laid {
  readonly layout: Layout;
  readonly hand: readonly Card[];
  readonly deadlineMs: number | null;
}

export class LayingOut {
  /** The changed layout that is not sent yet. */
  #changed: Layout | null = $state.raw(null);
  /** The slot chosen for the next card. */
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

  /** True if a change has not been sent to the server. */
  get unsent(): boolean {
    return this.#changed !== null;
  }

  get left(): Record<Card, number> {
    return left(this.now().hand, this.layout);
  }

  get nMissing(): number {
    return this.layout.filter((slot) => slot === null).length;
  }

  /** Places a card in the given slot, else in the chosen one, else in the first empty one. */
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

  /** Moves a card to another slot and swaps it with the card there. */
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
    const at =
      this.chosen !== null && this.layout[this.chosen]
        ? this.chosen
        : this.layout.findLastIndex((slot) => slot !== null);
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

  /** Sends any unsent change immediately. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const layout = this.#changed;
    if (layout === null) return;
    this.#changed = null;
    this.#sentAt = performance.now();
    this.send({ type: "draft", layout });
  }

  /** Discards unsent changes when a new round starts or the layouts become final. */
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
