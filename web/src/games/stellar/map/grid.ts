/** A spatial index of stars, so that a search does not visit all of them. */

import type { Star } from "./scene";

export interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export class Grid {
  readonly bounds: Bounds;
  readonly #cells: Star[][] = [];
  readonly #side: number;
  readonly #nx: number;
  readonly #ny: number;

  constructor(readonly stars: readonly Star[]) {
    this.bounds = boundsOf(stars);
    const { left, top, right, bottom } = this.bounds;
    const area = Math.max(1, (right - left) * (bottom - top));
    // About two stars per cell.
    this.#side = Math.max(1, Math.sqrt((2 * area) / Math.max(1, stars.length)));
    this.#nx = Math.floor((right - left) / this.#side) + 1;
    this.#ny = Math.floor((bottom - top) / this.#side) + 1;
    this.#cells = Array.from({ length: this.#nx * this.#ny }, () => []);
    for (const star of stars) this.#cells[this.#at(star.x, star.y)]?.push(star);
  }

  /** Calls back for every star in a rectangle. */
  within(area: Bounds, each: (star: Star) => void): void {
    const { left, top } = this.bounds;
    const column = (x: number) => clamp(Math.floor((x - left) / this.#side), 0, this.#nx - 1);
    const row = (y: number) => clamp(Math.floor((y - top) / this.#side), 0, this.#ny - 1);
    const [x0, x1] = [column(area.left), column(area.right)];
    const [y0, y1] = [row(area.top), row(area.bottom)];
    for (let y = y0; y <= y1; y += 1) {
      for (let x = x0; x <= x1; x += 1) {
        for (const star of this.#cells[y * this.#nx + x] ?? []) {
          if (star.x >= area.left && star.x <= area.right && star.y >= area.top && star.y <= area.bottom) each(star);
        }
      }
    }
  }

  /** The nearest star within a distance, or null. */
  nearest(x: number, y: number, reach: number): Star | null {
    let best: Star | null = null;
    let least = reach * reach;
    this.within({ left: x - reach, top: y - reach, right: x + reach, bottom: y + reach }, (star) => {
      const apart = (star.x - x) ** 2 + (star.y - y) ** 2;
      if (apart <= least) [least, best] = [apart, star];
    });
    return best;
  }

  /** The next star in a direction: near, and more ahead than to the side. */
  toward(from: Star, dx: number, dy: number): Star | null {
    let best: Star | null = null;
    let least = Infinity;
    for (const star of this.stars) {
      const ahead = (star.x - from.x) * dx + (star.y - from.y) * dy;
      const aside = Math.abs((star.x - from.x) * dy - (star.y - from.y) * dx);
      if (ahead <= 0 || aside > ahead * 1.2) continue;
      const cost = ahead + 1.6 * aside;
      if (cost < least) [least, best] = [cost, star];
    }
    return best;
  }

  #at(x: number, y: number): number {
    const { left, top } = this.bounds;
    return Math.floor((y - top) / this.#side) * this.#nx + Math.floor((x - left) / this.#side);
  }
}

function boundsOf(stars: readonly Star[]): Bounds {
  const edges = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y } of stars) {
    edges.left = Math.min(edges.left, x);
    edges.top = Math.min(edges.top, y);
    edges.right = Math.max(edges.right, x);
    edges.bottom = Math.max(edges.bottom, y);
  }
  return stars.length > 0 ? edges : { left: -1, top: -1, right: 1, bottom: 1 };
}

export function clamp(it: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, it));
}
