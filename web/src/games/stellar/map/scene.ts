/** What a map shows: plain data, made of a view or of a preview. Lengths are light-years. */

import type { StellarContact as Contact, StellarOwnFleet as OwnFleet, StellarStarMap as StarMap, StellarView as View } from "../../../generated/protocol";

export interface Star {
  readonly idx: number;
  readonly id: string;
  readonly name: string;
  /** On the plane of the galaxy. */
  readonly x: number;
  readonly y: number;
  readonly gas: boolean;
  readonly homeOf: number | null;
  readonly nBodies: number;
}

/** A fleet on the map. */
export interface Marker {
  readonly key: string;
  readonly owner: number;
  readonly rank: number;
  readonly x: number;
  readonly y: number;
  /** The system in whose orbit it is. */
  readonly orbit: number | null;
  /** Where it is under way to. */
  readonly to: number | null;
  /** Where an order of this turn sends it. */
  readonly ordered: number | null;
  readonly nShips: number;
  readonly own: boolean;
}

export interface Scene {
  readonly stars: readonly Star[];
  readonly owners: readonly (number | null)[];
  readonly colors: readonly string[];
  readonly names: readonly string[];
  readonly markers: readonly Marker[];
  readonly hills: readonly number[];
  /** Systems with armies of several factions, or of one that does not own them. */
  readonly fights: readonly number[];
  /** Whose eyes, where there is fog; nothing when all is seen. */
  readonly eyes: number | null;
  readonly sensor: number;
  readonly capture: number;
  readonly territory: number;
}

const MLY = 1000;

export function starsOf(map: Pick<StarMap, "systems">): Star[] {
  return map.systems.map((it, idx) => ({
    idx,
    id: it.id,
    name: it.name,
    x: it.x / MLY,
    y: it.z / MLY,
    gas: it.gas,
    homeOf: it.home_of ?? null,
    nBodies: it.n_bodies,
  }));
}

const known = new WeakMap<object, { stars: Star[]; byId: Map<string, number> }>();

/** The stars of a map, made once for each. */
export function atlas(map: StarMap): { stars: readonly Star[]; byId: ReadonlyMap<string, number> } {
  let found = known.get(map.systems);
  if (found === undefined) {
    const stars = starsOf(map);
    found = { stars, byId: new Map(stars.map((it) => [it.id, it.idx])) };
    known.set(map.systems, found);
  }
  return found;
}

/** The system that an order names, if it names one. */
export function target(order: readonly string[] | null | undefined): number | null {
  const [verb, where] = order ?? [];
  return verb !== undefined && ["move", "invade", "load", "unload"].includes(verb) ? Number(where) : null;
}

/** One scene of one view, or of all seats' views together. */
export function sceneOf(views: readonly View[], eyes: number | null): Scene {
  const view = views[0] as View;
  const { stars, byId } = atlas(view.map);
  const place = (id: string | null | undefined) => (id == null ? null : (byId.get(id) ?? null));
  const own = (fleet: OwnFleet, owner: number): Marker => ({
    key: `${owner}:${fleet.rank}`,
    owner,
    rank: fleet.rank,
    x: fleet.at.x / MLY,
    y: fleet.at.z / MLY,
    orbit: place(fleet.orbit),
    to: place(fleet.to),
    ordered: target(fleet.order),
    nShips: fleet.ships.length,
    own: true,
  });
  const foreign = (contact: Contact): Marker => ({
    key: `${contact.owner}:${contact.rank}`,
    owner: contact.owner,
    rank: contact.rank,
    x: contact.at.x / MLY,
    y: contact.at.z / MLY,
    orbit: place(contact.orbit),
    to: null,
    ordered: null,
    nShips: contact.ships.length,
    own: false,
  });
  const markers = new Map<string, Marker>();
  for (const it of views) for (const marker of it.contacts.map(foreign)) markers.set(marker.key, marker);
  for (const it of views) for (const fleet of it.fleets) markers.set(`${it.seat}:${fleet.rank}`, own(fleet, it.seat ?? 0));
  return {
    stars,
    owners: view.owners.map((it) => it ?? null),
    colors: view.map.factions.map((it) => it.color),
    names: view.map.factions.map((it) => it.name),
    markers: [...markers.values()],
    hills: view.objectives.flatMap((it) => place(it.system) ?? []),
    fights: fightsOf(views, byId),
    eyes: view.map.fog ? eyes : null,
    sensor: view.map.ranges.sensor / MLY,
    capture: view.map.ranges.capture / MLY,
    territory: view.map.ranges.territory / MLY,
  };
}

function fightsOf(views: readonly View[], byId: ReadonlyMap<string, number>): number[] {
  const there = new Map<string, Set<number>>();
  for (const army of views.flatMap((it) => it.armies)) {
    if (army.system == null) continue;
    const owners = there.get(army.system) ?? new Set();
    there.set(army.system, owners.add(army.owner));
  }
  return [...there].filter(([, owners]) => owners.size > 1).flatMap(([id]) => byId.get(id) ?? []);
}
