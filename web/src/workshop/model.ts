/** The parts of a scenario that a map shows. Parts that cannot be read are left out. */

import { isFields, listAt, valueAt, type Fields, type Value } from "./document";

/** A place in the plane of the galaxy, in light-years. */
export interface Place {
  readonly x: number;
  readonly z: number;
}

export interface Faction {
  readonly id: string;
  readonly name: string;
  readonly color: string;
}

/** A system at a fixed position. */
export interface System {
  /** Its index in the document's list. */
  readonly nth: number;
  readonly id: string;
  readonly name: string;
  readonly at: Place;
  readonly gas: boolean;
  /** The faction with the only garrisons. */
  readonly owner: string | null;
  readonly nGarrisons: number;
  /** The turns to hold it, if it is a hill. */
  readonly turnsHeld: number | null;
}

export interface Fleet {
  /** Its index in the document's list. */
  readonly nth: number;
  readonly owner: string;
  readonly start: Place | "home_system" | "random";
  readonly ships: readonly string[];
  readonly withArmies: boolean;
}

export interface Model {
  readonly radius: number;
  readonly factions: readonly Faction[];
  readonly systems: readonly System[];
  readonly fleets: readonly Fleet[];
  /** The turns to hold each hill, by the id of its system. */
  readonly hills: ReadonlyMap<string, number>;
}

const GRAY = "#94a3b8";
/** The id prefix of generated systems. */
export const GENERATED = "sys-";

export function modelOf(document: Fields | null): Model {
  const hills = hillsOf(document);
  const radius = valueAt(document, "/generation/radius");
  return {
    radius: typeof radius === "number" && radius > 0 ? Math.min(radius, 100_000) : 0,
    factions: listAt(document, "/setup/factions").flatMap((it) => factionOf(it) ?? []),
    systems: listAt(document, "/generation/staticSystems").flatMap((it, nth) => systemOf(it, nth, hills) ?? []),
    fleets: listAt(document, "/setup/initialFleets").flatMap((it, nth) => fleetOf(it, nth) ?? []),
    hills,
  };
}

/** True if a body can have a garrison. */
export function isSolid(body: Value): body is Fields {
  return isFields(body) && body["class"] === "solid";
}

export function placeOf(value: Value | undefined): Place | null {
  if (!isFields(value)) return null;
  const { x, z } = value;
  return typeof x === "number" && typeof z === "number" ? { x, z } : null;
}

/** True if two places are the same system for the author. */
export function isNear(one: Place, other: Place, reach = 0.1): boolean {
  return Math.hypot(one.x - other.x, one.z - other.z) <= reach;
}

function hillsOf(document: Fields | null): Map<string, number> {
  const hills = new Map<string, number>();
  for (const it of listAt(document, "/objectives/victory")) {
    if (!isFields(it) || it["type"] !== "king_of_the_hill" || typeof it["systemId"] !== "string") continue;
    const turns = it["turnsHeld"];
    if (!hills.has(it["systemId"])) hills.set(it["systemId"], typeof turns === "number" ? turns : 1);
  }
  return hills;
}

function factionOf(it: Value): Faction | null {
  if (!isFields(it) || typeof it["id"] !== "string") return null;
  const { id, name, colorHex } = it;
  const color = typeof colorHex === "string" && /^#[0-9a-f]{6}$/i.test(colorHex) ? colorHex : GRAY;
  return { id, name: typeof name === "string" && name.trim() !== "" ? name : id, color };
}

function systemOf(it: Value, nth: number, hills: ReadonlyMap<string, number>): System | null {
  if (!isFields(it) || typeof it["id"] !== "string") return null;
  const at = placeOf(it["position"]);
  if (at === null) return null;
  const { id, name } = it;
  const owners = garrisonsOf(it);
  const [first] = owners;
  return {
    nth,
    id,
    name: typeof name === "string" && name.trim() !== "" ? name : id,
    at,
    gas: it["resourceType"] === "gas",
    owner: first !== undefined && owners.every((owner) => owner === first) ? first : null,
    nGarrisons: owners.length,
    turnsHeld: hills.get(id) ?? null,
  };
}

/** The owner of each garrison of a system. */
function garrisonsOf(system: Fields): string[] {
  const owners = listAt(system, "/planets").map((body) => (isSolid(body) ? body["ownerFactionId"] : undefined));
  return owners.filter((owner) => typeof owner === "string");
}

function fleetOf(it: Value, nth: number): Fleet | null {
  if (!isFields(it)) return null;
  const { ownerFactionId: owner, spawnLocation: spawn, withArmies } = it;
  const start = spawn === "home_system" || spawn === "random" ? spawn : placeOf(spawn);
  if (start === null || typeof owner !== "string") return null;
  const ships = listAt(it, "/ships").filter((ship) => typeof ship === "string");
  return { nth, owner, start, ships, withArmies: withArmies === true };
}
