/** The visible part of the galaxy. */

import { clamp, type Bounds } from "./grid";

export interface Camera {
  /** The center, in light-years. */
  readonly x: number;
  readonly y: number;
  /** Pixels per light-year. */
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const MARGIN_LY = 20;
const CLOSEST = 26;

/** A camera that shows the entire galaxy. */
export function fit(bounds: Bounds, size: Size): Camera {
  const width = bounds.right - bounds.left + 2 * MARGIN_LY;
  const height = bounds.bottom - bounds.top + 2 * MARGIN_LY;
  const scale = Math.min(size.width / width, size.height / height);
  return { x: (bounds.left + bounds.right) / 2, y: (bounds.top + bounds.bottom) / 2, scale: Math.max(scale, 0.01) };
}

/** The same camera, kept over the galaxy and within the zoom limits. */
export function hold(camera: Camera, bounds: Bounds, size: Size): Camera {
  const whole = fit(bounds, size).scale;
  return {
    x: clamp(camera.x, bounds.left, bounds.right),
    y: clamp(camera.y, bounds.top, bounds.bottom),
    scale: clamp(camera.scale, whole * 0.8, Math.max(CLOSEST, whole)),
  };
}

/** Zooms and keeps the place under the pointer where it is. */
export function zoom(camera: Camera, by: number, at: { x: number; y: number }, size: Size): Camera {
  const scale = camera.scale * by;
  const [dx, dy] = [at.x - size.width / 2, at.y - size.height / 2];
  return { x: camera.x + dx / camera.scale - dx / scale, y: camera.y + dy / camera.scale - dy / scale, scale };
}

export function toScreen(camera: Camera, size: Size, x: number, y: number): [number, number] {
  return [(x - camera.x) * camera.scale + size.width / 2, (y - camera.y) * camera.scale + size.height / 2];
}

export function toWorld(camera: Camera, size: Size, x: number, y: number): [number, number] {
  return [(x - size.width / 2) / camera.scale + camera.x, (y - size.height / 2) / camera.scale + camera.y];
}

/** The visible rectangle, plus a margin in pixels. */
export function inSight(camera: Camera, size: Size, margin: number): Bounds {
  const [left, top] = toWorld(camera, size, -margin, -margin);
  const [right, bottom] = toWorld(camera, size, size.width + margin, size.height + margin);
  return { left, top, right, bottom };
}
