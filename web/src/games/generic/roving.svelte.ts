/** A set of controls that Tab enters once and arrow keys move through. */

/** The controls of a set have this attribute. */
const CONTROL = "[data-control]";

export class Roving {
  #at = $state(0);

  /** `count` is the number of controls. */
  constructor(readonly count: () => number) {}

  /** The `tabindex` of a control, by its number in the set. */
  tab(idx: number): 0 | -1 {
    return idx === Math.min(this.#at, this.count() - 1) ? 0 : -1;
  }

  /** Attaches the set to the element that contains its controls. */
  readonly attach = (set: HTMLElement): (() => void) => {
    const focus = (event: FocusEvent) => {
      // Tab returns to the control that had the focus last.
      const idx = controlsIn(set).findIndex((it) => it === event.target);
      if (idx >= 0) this.#at = idx;
    };
    set.addEventListener("focusin", focus);
    set.addEventListener("keydown", move);
    return () => {
      set.removeEventListener("focusin", focus);
      set.removeEventListener("keydown", move);
    };
  };
}

/** Moves the focus to the nearest control in the direction of the arrow. */
function move(this: HTMLElement, event: KeyboardEvent): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const controls = controlsIn(this);
  const from = controls.find((it) => it === event.target);
  const to = from === undefined ? undefined : next(event.key, from, controls);
  if (to === undefined) return;
  to.focus();
  event.preventDefault();
  event.stopPropagation();
}

function controlsIn(set: HTMLElement): HTMLElement[] {
  return [...set.querySelectorAll<HTMLElement>(CONTROL)];
}

const WAYS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function next(key: string, from: HTMLElement, controls: readonly HTMLElement[]): HTMLElement | undefined {
  if (key === "Home") return controls[0];
  if (key === "End") return controls.at(-1);
  const way = WAYS[key];
  if (way === undefined) return undefined;
  const [dx, dy] = way;
  const start = center(from);
  const ahead = controls.flatMap((it) => {
    const { x, y } = center(it);
    const [along, across] = [
      (x - start.x) * dx + (y - start.y) * dy,
      Math.abs((x - start.x) * dy + (y - start.y) * dx),
    ];
    // A control further to the side than ahead lies in another direction.
    return along > 1 && across <= along * 2 ? [{ it, far: along + across * 2 }] : [];
  });
  ahead.sort((one, other) => one.far - other.far);
  return ahead[0]?.it ?? besides(from, controls, dx + dy);
}

/** At the end of a line, arrow keys continue in reading order. */
function besides(from: HTMLElement, controls: readonly HTMLElement[], step: number): HTMLElement | undefined {
  return controls[controls.indexOf(from) + step];
}

function center(element: HTMLElement): { x: number; y: number } {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}
