/** Drags cards with a mouse, a pen or a finger. A press that does not move is a click. */

import type { OrcainCard as Card } from "../../generated/protocol";

const START_PX = 7;

export interface Held {
  card: Card;
  /** The slot the card comes from; null for the hand. */
  from: number | null;
  x: number;
  y: number;
  width: number;
}

export class Dragging {
  held: Held | null = $state(null);
  over: number | null = $state(null);
  #press: { x: number; y: number; card: Card; from: number | null; width: number; id: number } | null = null;
  /** A drag ends with a click event that must be ignored. */
  #justDropped = false;

  constructor(private readonly drop: (card: Card, from: number | null, to: number | null) => void) {}

  down(event: PointerEvent, card: Card | null, from: number | null): void {
    if (card === null || event.button !== 0) return;
    const width = event.currentTarget instanceof Element ? event.currentTarget.getBoundingClientRect().width : 90;
    this.#press = { x: event.clientX, y: event.clientY, card, from, width, id: event.pointerId };
    this.#justDropped = false;
  }

  move(event: PointerEvent): void {
    const press = this.#press;
    if (press === null || event.pointerId !== press.id) return;
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) > START_PX;
    if (this.held === null && !far) return;
    this.held = { card: press.card, from: press.from, x: event.clientX, y: event.clientY, width: press.width };
    this.over = slotAt(event.clientX, event.clientY);
  }

  up(event: PointerEvent): void {
    const held = this.held;
    this.#press = null;
    this.held = null;
    this.over = null;
    if (held === null) return;
    this.#justDropped = true;
    setTimeout(() => (this.#justDropped = false), 0);
    this.drop(held.card, held.from, slotAt(event.clientX, event.clientY));
  }

  cancel(): void {
    this.#press = null;
    this.held = null;
    this.over = null;
  }

  /** True if this click is only the end of a drag. */
  get swallows(): boolean {
    return this.#justDropped;
  }
}

function slotAt(x: number, y: number): number | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const slot = element.closest<HTMLElement>("[data-slot]")?.dataset["slot"];
    if (slot !== undefined) return Number(slot);
  }
  return null;
}
