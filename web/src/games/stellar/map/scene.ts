/** The content of a map as plain data, built from a view or a preview. Lengths are in light-years. */

import type {
  StellarContact as Contact,
  StellarOwnFleet as OwnFleet,
  StellarStarMap as StarMap,
  StellarView as View,
} from "../../../generated/protocol";

export interface Star {
  readonly idx: number;
  readonly id: string;
  readonly name: string;
  /** Coordinates in the plane of the galaxy. */
  readonly x: number;
  readonly y: number;
  readonly gas: boolean;
  readonly homeOf: number | null;
  readonly nBodies: number;
}

/** A mounted map, for the component that contains it. */
export interface MapHandle {
  /** Centers a system. */
  readonly lookAt: (idx: number) => void;
  /** Gives a system the keyboard focus, picked up if `lifted`. */
  readonly focusOn: (id: string, lifted: boolean) => void;
}

export interface Marker {
  readonly key: string;
  readonly owner: number;
  readonly rank: number;
  readonly x: number;
  readonly y: number;
  /** The system that the fleet orbits. */
  readonly orbit: number | null;
  /** The system that the fleet travels to. */
  readonly to: number | null;
  /** The destination of this turn's order. */
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
  /** Systems with armies of several factions, or of a faction other than the owner. */
  readonly fights: readonly number[];
  /** The seat whose fog applies; null if everything is visible. */
  readonly eyes: number | null;
  readonly sensor: number;
  readonly capture: number;
  readonly territory: number;
  /** The radius of the galaxy, if the map shows it. */
  readonly radius?: number;
}

/** Something on a map that can be moved. */
export type Thing = { readonly star: Star } | { readonly fleet: Marker };

/** A map that can be edited. Places are in light-years. */
export interface Grip {
  /** The description of the keys. */
  readonly keys: string;
  readonly canMove: (thing: Thing) => boolean;
  readonly moved: (thing: Thing, x: number, y: number) => void;
  /** Enter on the focused star. */
  readonly opened: (star: Star) => void;
  /** A tap where nothing is. */
  readonly tapped: (x: number, y: number) => void;
  /** A key that the map itself does not use, with the focused star and the center of the map. Returns true if the
   * key was used. */
  readonly pressed: (key: string, star: Star | null, center: { x: number; y: number }) => boolean;
  /** The screen-reader text of a thing that is being moved; without a place, it is back where it was. */
  readonly tellMoving: (thing: Thing, place: { x: number; y: number } | null) => string;
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

/** The stars of a map, built once per map. */
export function atlas(map: StarMap): { stars: readonly Star[]; byId: ReadonlyMap<string, number> } {
  let found = known.get(map.systems);
  if (found === undefined) {
    const stars = starsOf(map);
    found = { stars, byId: new Map(stars.map((it) => [it.id, it.idx])) };
    known.set(map.systems, found);
  }
  return found;
}

/** The index of the system that an order names, or null. */
export function target(order: readonly string[] | null | undefined): number | null {
  const [verb, where] = order ?? [];
  return verb !== undefined && ["move", "invade", "load", "unload"].includes(verb) ? Number(where) : null;
}

/** The scene of one view, or of all seats' views combined. */
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
  for (const it of views)
    for (const fleet of it.fleets) markers.set(`${it.seat}:${fleet.rank}`, own(fleet, it.seat ?? 0));
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
