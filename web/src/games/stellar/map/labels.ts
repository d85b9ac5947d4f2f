/** Chooses the names shown on the map: the most important first, without overlaps. The choice
 * depends only on the zoom, so panning costs nothing. */

import type { Scene, Star } from "./scene";

const WIDTH_PX = 7.2;
const HEIGHT_PX = 18;
/** Below this scale, only important systems have names. */
const FAR = 2.2;

export function labelled(scene: Scene, scale: number, always: ReadonlySet<number>): Star[] {
  const hills = new Set(scene.hills);
  const weight = (star: Star) => {
    if (always.has(star.idx)) return 5;
    if (hills.has(star.idx)) return 4;
    if (star.homeOf !== null) return 3;
    return (scene.owners[star.idx] ?? null) === null ? 0 : 1;
  };
  const ranked = scene.stars
    .map((star) => ({ star, weight: weight(star) }))
    .filter((it) => it.weight > 1 || scale >= FAR);
  ranked.sort((one, other) => other.weight - one.weight || one.star.idx - other.star.idx);
  const taken = new Map<string, [number, number, number][]>();
  const chosen: Star[] = [];
  for (const { star } of ranked) {
    const half = (star.name.length * WIDTH_PX) / 2;
    const [x, y] = [star.x * scale, star.y * scale];
    const cell = (dx: number, dy: number) => `${Math.floor(x / 160) + dx},${Math.floor(y / 160) + dy}`;
    const near = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].flatMap((dy) => taken.get(cell(dx, dy)) ?? []));
    if (near.some(([ox, oy, other]) => Math.abs(ox - x) < half + other && Math.abs(oy - y) < HEIGHT_PX)) continue;
    const here = cell(0, 0);
    taken.set(here, [...(taken.get(here) ?? []), [x, y, half]]);
    chosen.push(star);
  }
  return chosen;
}
