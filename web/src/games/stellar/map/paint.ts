/** Draws a scene on a canvas. Everything that does not depend on the camera is cached between frames. */

import { inSight, toScreen, type Camera, type Size } from "./camera";
import { bake, channels, type Ground } from "./ground";
import { Grid, type Bounds } from "./grid";
import { labelled } from "./labels";
import type { Marker, Scene, Star } from "./scene";

/** Highlights on top of the scene. */
export interface Pointed {
  readonly focused: number | null;
  readonly selected: number | null;
  /** The key of the selected fleet. */
  readonly fleet: string | null;
  /** Systems that the order being given can name; null if no order is being given. */
  readonly targets: ReadonlySet<number> | null;
  /** The range of the selected fleet, in light-years. */
  readonly reach: number | null;
  /** The place where something is being moved from and to. */
  readonly moving?: { readonly from: Place; readonly to: Place } | null;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

export const NOTHING: Pointed = { focused: null, selected: null, fleet: null, targets: null, reach: null };

/** The margin of the cached picture beyond the map's edges, in CSS pixels. */
const MARGIN = 220;

interface Layer {
  readonly picture: HTMLCanvasElement;
  readonly camera: Camera;
  /** The size of the map without the margin. */
  readonly size: Size;
  readonly pixels: number;
  readonly pointed: Pointed;
}

function same(one: Pointed, other: Pointed): boolean {
  return (
    one.focused === other.focused &&
    one.selected === other.selected &&
    one.fleet === other.fleet &&
    one.targets === other.targets &&
    one.reach === other.reach
  );
}

const SPACE = "#0a0e1a";
/** Space under fog. */
const DARK = "#070a14";
const NEUTRAL = "#aeb8cc";
const TEXT = "#dfe6f4";
const TEXT_FAINT = "#97a3bb";
const LIGHT = "#ffd88c";
const SPRITE = 48;

export class Painter {
  #scene: Scene | null = null;
  #grid = new Grid([]);
  #bounds: Bounds = this.#grid.bounds;
  #ground: Ground | null = null;
  #layer: Layer | null = null;
  #labels: { scale: number; key: string; stars: Star[] } | null = null;
  readonly #sprites = new Map<string, HTMLCanvasElement>();

  get grid(): Grid {
    return this.#grid;
  }

  /** The bounds of the stars and of the shown radius. */
  get bounds(): Bounds {
    return this.#bounds;
  }

  take(scene: Scene): void {
    if (scene === this.#scene) return;
    if (scene.stars !== this.#scene?.stars) this.#grid = new Grid(scene.stars);
    this.#bounds = boundsWith(this.#grid.bounds, scene.radius);
    this.#scene = scene;
    this.#ground = null;
    this.#layer = null;
    this.#labels = null;
  }

  /** Draws the scene. While the map is only panned, the static parts are one cached picture that is moved. */
  paint(context: CanvasRenderingContext2D, camera: Camera, size: Size, pixels: number, pointed: Pointed): void {
    const scene = this.#scene;
    if (scene === null) return;
    const layer = this.#layerFor(scene, camera, size, pixels, pointed);
    // Moved by whole pixels, so that nothing is smoothed or jitters.
    const steps = camera.scale * pixels;
    const [dx, dy] = [Math.round((camera.x - layer.camera.x) * steps), Math.round((camera.y - layer.camera.y) * steps)];
    const [left, top] = [
      (layer.picture.width - size.width * pixels) / 2 + dx,
      (layer.picture.height - size.height * pixels) / 2 + dy,
    ];
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(layer.picture, -Math.round(left), -Math.round(top));
    const snapped: Camera = { x: layer.camera.x + dx / steps, y: layer.camera.y + dy / steps, scale: camera.scale };
    context.setTransform(pixels, 0, 0, pixels, 0, 0);
    this.#names(context, scene, snapped, size, pointed);
    this.#fleets(context, scene, snapped, size, pointed);
    this.#moving(context, snapped, size, pointed);
  }

  /** The cached picture of the static parts, drawn again when it no longer covers the view. */
  #layerFor(scene: Scene, camera: Camera, size: Size, pixels: number, pointed: Pointed): Layer {
    const known = this.#layer;
    if (
      known !== null &&
      known.pixels === pixels &&
      known.camera.scale === camera.scale &&
      same(known.pointed, pointed)
    ) {
      const fits = known.size.width === size.width && known.size.height === size.height;
      const away = Math.max(Math.abs(camera.x - known.camera.x), Math.abs(camera.y - known.camera.y)) * camera.scale;
      if (fits && away <= MARGIN) return known;
    }
    const picture = known?.picture ?? document.createElement("canvas");
    const wide: Size = { width: size.width + 2 * MARGIN, height: size.height + 2 * MARGIN };
    const [width, height] = [Math.round(wide.width * pixels), Math.round(wide.height * pixels)];
    if (picture.width !== width || picture.height !== height) [picture.width, picture.height] = [width, height];
    const context = picture.getContext("2d", { alpha: false });
    if (context !== null) this.#still(context, scene, camera, wide, pixels, pointed);
    this.#layer = { picture, camera, size, pixels, pointed };
    return this.#layer;
  }

  #still(
    context: CanvasRenderingContext2D,
    scene: Scene,
    camera: Camera,
    size: Size,
    pixels: number,
    pointed: Pointed,
  ): void {
    context.setTransform(pixels, 0, 0, pixels, 0, 0);
    context.fillStyle = scene.eyes === null ? SPACE : DARK;
    context.fillRect(0, 0, size.width, size.height);
    this.#ground ??= bake(scene, this.#grid.bounds);
    const { picture, bounds } = this.#ground;
    const [left, top] = toScreen(camera, size, bounds.left, bounds.top);
    const [right, bottom] = toScreen(camera, size, bounds.right, bounds.bottom);
    context.imageSmoothingEnabled = true;
    context.drawImage(picture, left, top, right - left, bottom - top);
    if (scene.radius !== undefined) {
      const [x, y] = toScreen(camera, size, 0, 0);
      ring(context, x, y, scene.radius * camera.scale, "#4a5878", 1, [3, 6]);
    }
    this.#reach(context, scene, camera, size, pointed);
    this.#routes(context, scene, camera, size, pointed);
    this.#stars(context, scene, camera, size, pointed);
  }

  #stars(context: CanvasRenderingContext2D, scene: Scene, camera: Camera, size: Size, pointed: Pointed): void {
    const wide = Math.min(34, Math.max(9, camera.scale * 4));
    const hills = new Set(scene.hills);
    const fights = new Set(scene.fights);
    this.#grid.within(inSight(camera, size, 40), (star) => {
      const [x, y] = toScreen(camera, size, star.x, star.y);
      const owner = scene.owners[star.idx] ?? null;
      const faint = pointed.targets !== null && !pointed.targets.has(star.idx);
      const home = star.homeOf !== null;
      const glow = home ? wide * 1.7 : wide;
      context.globalAlpha = faint ? 0.4 : 1;
      const sprite = this.#sprite(owner === null ? NEUTRAL : (scene.colors[owner] ?? NEUTRAL));
      context.drawImage(sprite, x - glow / 2, y - glow / 2, glow, glow);
      context.globalAlpha = 1;
      if (home) ring(context, x, y, glow * 0.42, scene.colors[star.homeOf] ?? NEUTRAL, 1.5);
      if (hills.has(star.idx)) crown(context, x, y - glow * 0.55 - 3);
      if (star.gas && camera.scale > 4) ring(context, x, y, 6, "#7fd6c2", 1, [2, 2]);
      if (fights.has(star.idx)) swords(context, x - glow * 0.5 - 5, y);
      if (pointed.targets?.has(star.idx)) ring(context, x, y, Math.max(6, glow * 0.42), LIGHT, 1.6);
      if (star.idx === pointed.selected) ring(context, x, y, glow * 0.5 + 5, "#ffffff", 2);
      if (star.idx === pointed.focused) ring(context, x, y, glow * 0.5 + 9, LIGHT, 2, [5, 4]);
    });
  }

  #names(context: CanvasRenderingContext2D, scene: Scene, camera: Camera, size: Size, pointed: Pointed): void {
    const always = new Set([pointed.focused, pointed.selected].filter((it) => it !== null));
    const scale = 2 ** (Math.round(Math.log2(camera.scale) * 4) / 4);
    const key = [...always].join();
    if (this.#labels?.scale !== scale || this.#labels.key !== key)
      this.#labels = { scale, key, stars: labelled(scene, scale, always) };
    const area = inSight(camera, size, 60);
    context.textAlign = "center";
    context.textBaseline = "top";
    context.font = "12px system-ui, sans-serif";
    const below = Math.min(15, Math.max(5, camera.scale * 1.7)) + 2;
    for (const star of this.#labels.stars) {
      if (star.x < area.left || star.x > area.right || star.y < area.top || star.y > area.bottom) continue;
      const [x, y] = toScreen(camera, size, star.x, star.y);
      const weighty = star.homeOf !== null || always.has(star.idx);
      context.fillStyle = weighty ? TEXT : TEXT_FAINT;
      context.fillText(star.name, x, y + below + (weighty ? 4 : 0));
    }
  }

  #reach(context: CanvasRenderingContext2D, scene: Scene, camera: Camera, size: Size, pointed: Pointed): void {
    const fleet = scene.markers.find((it) => it.key === pointed.fleet);
    if (fleet === undefined || pointed.reach === null) return;
    const [x, y] = toScreen(camera, size, fleet.x, fleet.y);
    const radius = pointed.reach * camera.scale;
    context.fillStyle = "#ffd88c12";
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
    ring(context, x, y, radius, "#ffd88c99", 1, [6, 6]);
    ring(context, x, y, scene.sensor * camera.scale, "#8fc0f088", 1, [2, 5]);
  }

  #routes(context: CanvasRenderingContext2D, scene: Scene, camera: Camera, size: Size, pointed: Pointed): void {
    for (const it of scene.markers) {
      const goal = it.ordered ?? it.to;
      const star = goal === null ? undefined : scene.stars[goal];
      if (star === undefined) continue;
      const [x, y] = toScreen(camera, size, it.x, it.y);
      const [tx, ty] = toScreen(camera, size, star.x, star.y);
      context.strokeStyle = scene.colors[it.owner] ?? NEUTRAL;
      context.globalAlpha = it.key === pointed.fleet ? 1 : 0.75;
      context.lineWidth = it.key === pointed.fleet ? 2.5 : 1.5;
      context.setLineDash(it.ordered === null ? [] : [7, 5]);
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(tx, ty);
      context.stroke();
    }
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  #moving(context: CanvasRenderingContext2D, camera: Camera, size: Size, { moving }: Pointed): void {
    if (moving == null) return;
    const [fx, fy] = toScreen(camera, size, moving.from.x, moving.from.y);
    const [x, y] = toScreen(camera, size, moving.to.x, moving.to.y);
    context.strokeStyle = LIGHT;
    context.lineWidth = 1.5;
    context.setLineDash([5, 4]);
    context.beginPath();
    context.moveTo(fx, fy);
    context.lineTo(x, y);
    context.stroke();
    context.setLineDash([]);
    context.drawImage(this.#sprite(LIGHT), x - 14, y - 14, 28, 28);
    ring(context, x, y, 14, "#ffffff", 2);
    context.font = "600 12px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "bottom";
    context.fillStyle = TEXT;
    context.fillText(`${moving.to.x.toFixed(1)}, ${moving.to.y.toFixed(1)}`, x, y - 20);
  }

  #fleets(context: CanvasRenderingContext2D, scene: Scene, camera: Camera, size: Size, pointed: Pointed): void {
    const there = new Map<number, number>();
    for (const it of scene.markers) {
      const [x, y, angle] = this.#berth(scene, it, there, camera, size);
      if (x < -30 || y < -30 || x > size.width + 30 || y > size.height + 30) continue;
      const chosen = it.key === pointed.fleet;
      const reach = chosen ? 10 : 7.5;
      context.save();
      context.translate(x, y);
      context.rotate(angle);
      context.beginPath();
      context.moveTo(reach, 0);
      context.lineTo(-reach * 0.75, reach * 0.72);
      context.lineTo(-reach * 0.3, 0);
      context.lineTo(-reach * 0.75, -reach * 0.72);
      context.closePath();
      context.fillStyle = scene.colors[it.owner] ?? NEUTRAL;
      context.fill();
      context.strokeStyle = chosen ? "#ffffff" : "#0a0e1a";
      context.lineWidth = chosen ? 2 : 1.2;
      context.stroke();
      context.restore();
      if (camera.scale > 3) {
        context.font = "600 11px system-ui, sans-serif";
        context.textAlign = "left";
        context.textBaseline = "middle";
        context.fillStyle = TEXT;
        context.fillText(`${it.nShips}`, x + reach + 3, y);
      }
    }
  }

  /** The position and direction of a fleet marker, around its system or on its way. */
  #berth(scene: Scene, it: Marker, there: Map<number, number>, camera: Camera, size: Size): [number, number, number] {
    const [x, y] = toScreen(camera, size, it.x, it.y);
    if (it.orbit === null) {
      const star = it.to === null ? undefined : scene.stars[it.to];
      return [x, y, star === undefined ? -Math.PI / 2 : Math.atan2(star.y - it.y, star.x - it.x)];
    }
    const nth = there.get(it.orbit) ?? 0;
    there.set(it.orbit, nth + 1);
    const angle = -Math.PI / 4 + nth * 0.95;
    const away = Math.min(30, Math.max(13, camera.scale * 3)) + Math.floor(nth / 7) * 14;
    const star = it.ordered === null ? undefined : scene.stars[it.ordered];
    const facing = star === undefined ? angle + Math.PI / 2 : Math.atan2(star.y - it.y, star.x - it.x);
    return [x + Math.cos(angle) * away, y + Math.sin(angle) * away, facing];
  }

  /** The fleet at a point on the screen, or null. */
  fleetAt(camera: Camera, size: Size, x: number, y: number, near: number): Marker | null {
    const scene = this.#scene;
    if (scene === null) return null;
    const there = new Map<number, number>();
    let best: Marker | null = null;
    let least = near * near;
    for (const it of scene.markers) {
      const [mx, my] = this.#berth(scene, it, there, camera, size);
      const apart = (mx - x) ** 2 + (my - y) ** 2;
      if (apart <= least) [least, best] = [apart, it];
    }
    return best;
  }

  #sprite(color: string): HTMLCanvasElement {
    let sprite = this.#sprites.get(color);
    if (sprite !== undefined) return sprite;
    sprite = document.createElement("canvas");
    sprite.width = SPRITE;
    sprite.height = SPRITE;
    const context = sprite.getContext("2d");
    if (context !== null) {
      const [r, g, b] = channels(color);
      const half = SPRITE / 2;
      const glow = context.createRadialGradient(half, half, 0, half, half, half);
      glow.addColorStop(0, "#ffffff");
      glow.addColorStop(0.2, `rgb(${[r, g, b].map((it) => Math.round(it + (255 - it) * 0.45)).join()})`);
      glow.addColorStop(0.36, `rgba(${r},${g},${b},0.85)`);
      glow.addColorStop(0.55, `rgba(${r},${g},${b},0.22)`);
      glow.addColorStop(1, `rgba(${r},${g},${b},0)`);
      context.fillStyle = glow;
      context.fillRect(0, 0, SPRITE, SPRITE);
    }
    this.#sprites.set(color, sprite);
    return sprite;
  }
}

function boundsWith(bounds: Bounds, radius: number | undefined): Bounds {
  if (radius === undefined) return bounds;
  return {
    left: Math.min(bounds.left, -radius),
    top: Math.min(bounds.top, -radius),
    right: Math.max(bounds.right, radius),
    bottom: Math.max(bounds.bottom, radius),
  };
}

function ring(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  color: string,
  width: number,
  dash: number[] = [],
): void {
  context.setLineDash(dash);
  context.strokeStyle = color;
  context.lineWidth = width;
  context.beginPath();
  context.arc(x, y, Math.max(1, radius), 0, 2 * Math.PI);
  context.stroke();
  if (dash.length > 0) context.setLineDash([]);
}

function crown(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.fillStyle = LIGHT;
  context.beginPath();
  context.moveTo(x - 8, y);
  for (const [dx, dy] of [
    [-8, -9],
    [-4, -5],
    [0, -11],
    [4, -5],
    [8, -9],
    [8, 0],
  ] as const)
    context.lineTo(x + dx, y + dy);
  context.closePath();
  context.fill();
}

function swords(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.strokeStyle = "#ff8f7d";
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(x - 5, y - 5);
  context.lineTo(x + 5, y + 5);
  context.moveTo(x + 5, y - 5);
  context.lineTo(x - 5, y + 5);
  context.stroke();
}
