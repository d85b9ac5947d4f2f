/** Territory and fog as a picture, computed once per turn and then only moved. */

import type { Bounds } from "./grid";
import type { Scene, Star } from "./scene";

/** The number of cells along the longer side. */
const CELLS_MAX = 900;

export interface Ground {
  readonly picture: HTMLCanvasElement;
  /** The bounds of the picture, in light-years. */
  readonly bounds: Bounds;
}

/** Each cell belongs to the owner of the nearest owned system within territory range. Fog hides
 * everything outside the viewer's own territory and the range of its fleets and systems. */
export function bake(scene: Scene, around: Bounds): Ground {
  const bounds = grown(around, scene.territory + 4);
  const side = Math.max(bounds.right - bounds.left, bounds.bottom - bounds.top) / CELLS_MAX;
  const nx = Math.max(1, Math.ceil((bounds.right - bounds.left) / side));
  const ny = Math.max(1, Math.ceil((bounds.bottom - bounds.top) / side));
  const owner = new Int8Array(nx * ny).fill(-1);
  const apart = new Float32Array(nx * ny).fill(scene.territory ** 2);
  const rival = new Float32Array(nx * ny).fill(Infinity);
  const lit = new Uint8Array(nx * ny);
  const stamp: Stamp = (x, y, reach, each) => {
    const [px, py, r] = [(x - bounds.left) / side, (y - bounds.top) / side, reach / side];
    for (let cy = Math.max(0, Math.floor(py - r)); cy <= Math.min(ny - 1, Math.ceil(py + r)); cy += 1) {
      for (let cx = Math.max(0, Math.floor(px - r)); cx <= Math.min(nx - 1, Math.ceil(px + r)); cx += 1) {
        const squared = ((cx + 0.5 - px) ** 2 + (cy + 0.5 - py) ** 2) * side * side;
        if (squared <= reach * reach) each(cy * nx + cx, squared);
      }
    }
  };
  const owned = scene.stars.filter((it) => (scene.owners[it.idx] ?? null) !== null);
  for (const star of owned) {
    const whose = scene.owners[star.idx] ?? -1;
    stamp(star.x, star.y, scene.territory, (cell, squared) => {
      if (squared < (apart[cell] ?? 0)) [apart[cell], owner[cell]] = [squared, whose];
    });
  }
  for (const star of owned) {
    const whose = scene.owners[star.idx] ?? -1;
    stamp(star.x, star.y, scene.territory, (cell, squared) => {
      if (owner[cell] !== whose && squared < (rival[cell] ?? 0)) rival[cell] = squared;
    });
  }
  if (scene.eyes !== null) light(scene, lit, owner, stamp);
  // The distance of each cell from the edge of its territory, in cells.
  const inside = (cell: number) => {
    const near = Math.sqrt(apart[cell] ?? 0);
    return Math.min(scene.territory - near, (Math.sqrt(rival[cell] ?? Infinity) - near) / 2) / side;
  };
  return { picture: paintCells(scene, nx, ny, owner, lit, inside), bounds };
}

type Stamp = (x: number, y: number, reach: number, each: (cell: number, squared: number) => void) => void;

function light(scene: Scene, lit: Uint8Array, owner: Int8Array, stamp: Stamp): void {
  for (let cell = 0; cell < lit.length; cell += 1) if (owner[cell] === scene.eyes) lit[cell] = 1;
  const mine = (star: Star) => scene.owners[star.idx] === scene.eyes;
  for (const star of scene.stars.filter(mine)) stamp(star.x, star.y, scene.capture, (cell) => (lit[cell] = 1));
  for (const it of scene.markers.filter((it) => it.own)) stamp(it.x, it.y, scene.sensor, (cell) => (lit[cell] = 1));
}

/** The width of a border, in cells. */
const BORDER = 2.2;
const LIT = [60, 74, 110, 46] as const;

function paintCells(
  scene: Scene,
  nx: number,
  ny: number,
  owner: Int8Array,
  lit: Uint8Array,
  inside: (cell: number) => number,
): HTMLCanvasElement {
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
      // Visible ground is lighter than fogged ground.
      let [r, g, b, a]: readonly number[] = scene.eyes === null || dark ? [0, 0, 0, 0] : LIT;
      if (color !== undefined) {
        const deep = inside(cell);
        // The edge fades over one cell, so that no steps show at any zoom.
        const line = Math.max(0, 1 - Math.abs(deep - BORDER / 2) / (BORDER / 2));
        const dim = dark ? 0.66 : 1;
        [r, g, b] = color.map((it) => it * dim);
        a = Math.min(1, Math.max(0, deep)) * (dark ? 66 : 56) + line * 110;
      }
      image.data.set([r ?? 0, g ?? 0, b ?? 0, a ?? 0], cell * 4);
    }
  }
  context.putImageData(image, 0, 0);
  return picture;
}

/** Parses `#RRGGBB`. */
export function channels(color: string): [number, number, number] {
  const at = (from: number) => Number.parseInt(color.slice(from, from + 2), 16) || 0;
  return [at(1), at(3), at(5)];
}

function grown(bounds: Bounds, by: number): Bounds {
  return { left: bounds.left - by, top: bounds.top - by, right: bounds.right + by, bottom: bounds.bottom + by };
}
