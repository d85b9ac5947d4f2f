/** The map of a scenario: fixed systems and fleets as the document has them, generated systems as the server drew
 * them last. */

import type { GalaxyPreview } from "../generated/http";
import type { Marker, Scene, Star } from "../games/stellar/map/scene";
import { GENERATED, isNear, type Fleet, type Model, type Place } from "./model";

const MLY = 1000;
/** The shown radius of a galaxy without a valid one. */
const RADIUS_LY = 60;

export function sceneOf(model: Model, galaxy: GalaxyPreview | null): Scene {
  const drawn = new Map(
    (galaxy?.systems ?? []).map((it, idx) => [it.id, { system: it, owner: galaxy?.owners[idx] ?? null }]),
  );
  const seatOf = (faction: string | null) => {
    const seat = model.factions.findIndex((it) => it.id === faction);
    return seat < 0 ? null : seat;
  };
  const generated = [...drawn.values()].filter((it) => it.system.id.startsWith(GENERATED));
  const stars: Star[] = generated.map(({ system }, idx) => ({
    idx,
    id: system.id,
    name: system.name,
    x: system.x / MLY,
    y: system.z / MLY,
    gas: system.gas,
    homeOf: system.home_of ?? null,
    nBodies: system.n_bodies,
  }));
  const owners = generated.map((it) => it.owner);
  for (const it of model.systems) {
    const known = drawn.get(it.id)?.system;
    const [idx, homeOf] = [stars.length, known?.home_of ?? null];
    const owner = seatOf(it.owner);
    owners.push(owner);
    stars.push({
      ...{ idx, id: it.id, name: it.name, x: it.at.x, y: it.at.z, gas: it.gas, nBodies: known?.n_bodies ?? 1 },
      homeOf: homeOf === owner ? homeOf : null,
    });
  }
  return {
    stars,
    owners,
    colors: model.factions.map((it) => it.color),
    names: model.factions.map((it) => it.name),
    markers: model.fleets.flatMap((it) => markerOf(it, seatOf(it.owner), stars) ?? []),
    hills: stars.filter((it) => model.hills.has(it.id)).map((it) => it.idx),
    fights: [],
    eyes: null,
    sensor: 15,
    capture: 5,
    territory: 28,
    radius: model.radius || RADIUS_LY,
  };
}

/** A fleet's marker: at its start, or at its owner's home. A fleet at a random system has none. */
function markerOf(fleet: Fleet, owner: number | null, stars: readonly Star[]): Marker | null {
  const home = stars.find((it) => it.homeOf !== null && it.homeOf === owner);
  const at =
    typeof fleet.start === "object" ? fleet.start : fleet.start === "home_system" ? home && placeOf(home) : undefined;
  if (at === undefined || owner === null) return null;
  const orbit = stars.find((it) => isNear(placeOf(it), at, 0.0005));
  return {
    ...{ key: `fleet:${fleet.nth}`, owner, rank: fleet.nth, x: at.x, y: at.z, nShips: fleet.ships.length, own: true },
    ...{ orbit: orbit?.idx ?? null, to: null, ordered: null },
  };
}

export const placeOf = (star: Star): Place => ({ x: star.x, z: star.y });
