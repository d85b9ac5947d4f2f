/** Territory and fog, worked out once for each turn and then only moved about. */

import type { Bounds } from "./grid";
import type { Scene, Star } from "./scene";

/** Cells along the longer side. */
const CELLS_MAX = 900;

export interface Ground {
  readonly picture: HTMLCanvasElement;
  /** Where the picture lies, in light-years. */
  readonly bounds: Bounds;
}

/** Who owns the ground: the nearest owned system, as far as territory goes; and what the fog
 * hides: all but the own territory and what the own fleets and systems see. */
export function bake(scene: Scene, around: Bounds): Ground {
  const bounds = grown(around, scene.territory + 4);
  const side = Math.max(bounds.right - bounds.left, bounds.bottom - bounds.top) / CELLS_MAX;
  const nx = Math.max(1, Math.ceil((bounds.right - bounds.left) / side));
  const ny = Math.max(1, Math.ceil((bounds.bottom - bounds.top) / side));
  const owner = new Int8Array(nx * ny).fill(-1);
  const apart = new Float32Array(nx * ny).fill(scene.territory ** 2);
  const lit = new Uint8Array(nx * ny);
  const stamp = (x: number, y: number, reach: number, each: (cell: number, squared: number) => void) => {
    const [px, py, r] = [(x - bounds.left) / side, (y - bounds.top) / side, reach / side];
    for (let cy = Math.max(0, Math.floor(py - r)); cy <= Math.min(ny - 1, Math.ceil(py + r)); cy += 1) {
      for (let cx = Math.max(0, Math.floor(px - r)); cx <= Math.min(nx - 1, Math.ceil(px + r)); cx += 1) {
        const squared = ((cx + 0.5 - px) ** 2 + (cy + 0.5 - py) ** 2) * side * side;
        if (squared <= reach * reach) each(cy * nx + cx, squared);
      }
    }
  };
  for (const star of scene.stars) {
    const whose = scene.owners[star.idx] ?? null;
    if (whose === null) continue;
    stamp(star.x, star.y, scene.territory, (cell, squared) => {
      if (squared < (apart[cell] ?? 0)) [apart[cell], owner[cell]] = [squared, whose];
    });
  }
  if (scene.eyes !== null) light(scene, lit, owner, stamp);
  return { picture: paintCells(scene, nx, ny, owner, lit), bounds };
}

function light(
  scene: Scene,
  lit: Uint8Array,
  owner: Int8Array,
  stamp: (x: number, y: number, reach: number, each: (cell: number) => void) => void,
): void {
  for (let cell = 0; cell < lit.length; cell += 1) if (owner[cell] === scene.eyes) lit[cell] = 1;
  const mine = (star: Star) => scene.owners[star.idx] === scene.eyes;
  for (const star of scene.stars.filter(mine)) stamp(star.x, star.y, scene.capture, (cell) => (lit[cell] = 1));
  for (const it of scene.markers.filter((it) => it.own)) stamp(it.x, it.y, scene.sensor, (cell) => (lit[cell] = 1));
}

/** As thick as a border is. */
const BESIDE = [[-1, 0], [1, 0], [0, -1], [0, 1], [-2, 0], [2, 0], [0, -2], [0, 2]] as const;
const LIT = [60, 74, 110, 46] as const;

function paintCells(scene: Scene, nx: number, ny: number, owner: Int8Array, lit: Uint8Array): HTMLCanvasElement {
  const picture = document.createElement("canvas");
  picture.width = nx;
  picture.height = ny;
  const context = picture.getContext("2d");
  if (context === null) return picture;
  const image = context.createImageData(nx, ny);
  const colors = scene.colors.map(channels);
  for (let y = 0; y < ny; y += 1) {
    for (let x = 0; x < nx; x += 1) {
      const cell = y * nx + x;
      const whose = owner[cell] ?? -1;
      const dark = scene.eyes !== null && lit[cell] === 0;
      const color = colors[whose];
      // What is in sight is lighter than what is not.
      let [r, g, b, a]: readonly number[] = scene.eyes === null || dark ? [0, 0, 0, 0] : LIT;
      if (color !== undefined) {
        const border = BESIDE.some(([dx, dy]) => owner[cell + dx + dy * nx] !== whose);
        const dim = dark ? 0.62 : 1;
        [r, g, b] = color.map((it) => it * dim);
        a = border ? 150 : dark ? 74 : 52;
      }
      image.data.set([r ?? 0, g ?? 0, b ?? 0, a ?? 0], cell * 4);
    }
  }
  context.putImageData(image, 0, 0);
  return picture;
}

/** `#RRGGBB` as numbers. */
export function channels(color: string): [number, number, number] {
  const at = (from: number) => Number.parseInt(color.slice(from, from + 2), 16) || 0;
  return [at(1), at(3), at(5)];
}

function grown(bounds: Bounds, by: number): Bounds {
  return { left: bounds.left - by, top: bounds.top - by, right: bounds.right + by, bottom: bounds.bottom + by };
}
