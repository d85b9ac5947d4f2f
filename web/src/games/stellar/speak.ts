/** The description of a system for screen readers. */

import type { Scene, Star } from "./map/scene";
import type { StellarTexts } from "./texts/en";

export function describe(
  star: Star,
  scene: Scene,
  names: readonly string[],
  targets: ReadonlySet<number> | null,
  t: StellarTexts,
): string {
  const owner = scene.owners[star.idx] ?? null;
  const nFleets = scene.markers.filter((it) => it.orbit === star.idx).length;
  const parts = [owner === null ? t.map.neutral : t.map.ownedBy(names[owner] ?? "")];
  if (star.homeOf !== null) parts.push(t.map.home(names[star.homeOf] ?? ""));
  if (scene.hills.includes(star.idx)) parts.push(t.map.hill);
  if (star.gas) parts.push(t.map.gas);
  if (nFleets > 0) parts.push(t.map.fleets(nFleets));
  if (targets?.has(star.idx)) parts.push(t.map.canGo);
  return t.map.system(star.name, parts);
}
