/** Editing operations on a scenario: each returns a new document and leaves the given one as it is. Operations
 * on something that does not exist return the document unchanged. */

import { isFields, listAt, valueAt, withValue, type Fields, type Value } from "./document";
import { GENERATED, isNear, isSolid, modelOf, placeOf, type Place } from "./model";
import { STARTER } from "./names";

/** The most bodies that a system can list, and so the most garrisons. */
export const GARRISONS_MAX = 8;
export const STATICS_MAX = 1_000;
const FAR_LY = 100_000;
const HELD = 5;
const SYSTEMS = "/generation/staticSystems";
const FLEETS = "/setup/initialFleets";
const VICTORY = "/objectives/victory";

/** Adds a system at a place, as the last of the list. The number of generated systems stays the same. */
export function addSystem(document: Fields, at: Place, name: string): Fields {
  const systems = listAt(document, SYSTEMS);
  const taken = takenBy(systems);
  const system: Value = {
    id: free("place", taken.ids, "_"),
    name: free(name, taken.names, " "),
    position: { x: tenth(at.x), y: 0, z: tenth(at.z) },
    resourceType: "none",
  };
  return counted(withValue(document, SYSTEMS, [...systems, system]), 1);
}

/** Removes a system and the objective to hold it. Its fleets stay, in deep space. */
export function removeSystem(document: Fields, id: string): Fields {
  const nth = indexOf(document, id);
  if (nth < 0) return document;
  return counted(withValue(setHill(document, id, null), `${SYSTEMS}/${nth}`, undefined), -1);
}

/** Moves a system, and the fleets that start in its orbit with it. */
export function moveSystem(document: Fields, id: string, to: Place): Fields {
  const nth = indexOf(document, id);
  const from = placeOf(valueAt(document, `${SYSTEMS}/${nth}/position`));
  if (from === null) return document;
  const moved = withValue(document, `${SYSTEMS}/${nth}/position`, positionAt(document, nth, to));
  return modelOf(document)
    .fleets.filter((it) => typeof it.start === "object" && isNear(it.start, from, 0.0005))
    .reduce((next, fleet) => withValue(next, `${FLEETS}/${fleet.nth}/spawnLocation`, positionAt(next, nth, to)), moved);
}

/** Changes the id of a system and of the objectives that name it. */
export function renameSystem(document: Fields, id: string, to: string): Fields {
  const nth = indexOf(document, id);
  if (nth < 0) return document;
  const renamed = withValue(document, `${SYSTEMS}/${nth}/id`, to);
  const victory = listAt(renamed, VICTORY).map((it) => (isHill(it, id) ? { ...it, systemId: to } : it));
  return modelOf(document).hills.has(id) ? withValue(renamed, VICTORY, victory) : renamed;
}

export function setName(document: Fields, id: string, name: string): Fields {
  const nth = indexOf(document, id);
  return nth < 0 ? document : withValue(document, `${SYSTEMS}/${nth}/name`, name);
}

export function setGas(document: Fields, id: string, gas: boolean): Fields {
  const nth = indexOf(document, id);
  return nth < 0 ? document : withValue(document, `${SYSTEMS}/${nth}/resourceType`, gas ? "gas" : "none");
}

/** Gives a system with its garrisons to a faction; null removes the garrisons. A system without one gets one. */
export function setOwner(document: Fields, id: string, owner: string | null): Fields {
  const system = modelOf(document).systems.find((it) => it.id === id);
  if (system === undefined) return document;
  return garrisoned(document, system.nth, owner, owner === null ? 0 : Math.max(1, system.nGarrisons));
}

/** Sets the number of garrisons of a system's owner; each is on a solid body of its own. */
export function setGarrisons(document: Fields, id: string, n: number): Fields {
  const system = modelOf(document).systems.find((it) => it.id === id);
  if (system?.owner == null) return document;
  return garrisoned(document, system.nth, system.owner, n);
}

/** Adds or changes the objective to hold a system, fixed or generated; null removes it. */
export function setHill(document: Fields, id: string, turnsHeld: number | null): Fields {
  const victory = listAt(document, VICTORY);
  const others = victory.filter((it) => !isHill(it, id));
  if (turnsHeld === null) return others.length === victory.length ? document : withValue(document, VICTORY, others);
  const hill: Value = { type: "king_of_the_hill", systemId: id, turnsHeld };
  const at = victory.findIndex((it) => isHill(it, id));
  if (at >= 0) return withValue(document, `${VICTORY}/${at}`, hill);
  return withValue(document, VICTORY, [...victory, hill]);
}

export const newHill = (document: Fields, id: string): Fields => setHill(document, id, HELD);

/** Adds a fleet, as the last of the list. */
export function addFleet(document: Fields, owner: string, at: Place): Fields {
  const fleet: Value = {
    ownerFactionId: owner,
    spawnLocation: spawnAt(document, at),
    ships: [...STARTER],
    withArmies: true,
  };
  return withValue(document, FLEETS, [...listAt(document, FLEETS), fleet]);
}

/** Moves a fleet's start to a place, or into the orbit of a fixed system that is there. */
export function moveFleet(document: Fields, nth: number, to: Place | "home_system" | "random"): Fields {
  if (!isFields(valueAt(document, `${FLEETS}/${nth}`))) return document;
  const start = typeof to === "string" ? to : spawnAt(document, to);
  return withValue(document, `${FLEETS}/${nth}/spawnLocation`, start);
}

/** The start of a fleet at a place: exactly at a fixed system that is there. */
function spawnAt(document: Fields, at: Place): Value {
  const system = modelOf(document).systems.find((it) => isNear(it.at, at));
  const known = system === undefined ? undefined : valueAt(document, `${SYSTEMS}/${system.nth}/position`);
  return known === undefined ? { x: tenth(at.x), y: 0, z: tenth(at.z) } : structuredClone(known);
}

function garrisoned(document: Fields, nth: number, owner: string | null, n: number): Fields {
  const bodies = structuredClone(listAt(document, `${SYSTEMS}/${nth}/planets`));
  const nWanted = Math.min(Math.max(0, Math.round(n)), GARRISONS_MAX);
  let nLeft = owner === null ? 0 : nWanted;
  for (const body of bodies) {
    if (!isSolid(body)) continue;
    if (nLeft > 0 && owner !== null) [body["ownerFactionId"], nLeft] = [owner, nLeft - 1];
    else Reflect.deleteProperty(body, "ownerFactionId");
  }
  while (nLeft > 0 && owner !== null && bodies.length < GARRISONS_MAX) {
    bodies.push({ bodyType: "planet", class: "solid", ownerFactionId: owner });
    nLeft -= 1;
  }
  return withValue(document, `${SYSTEMS}/${nth}/planets`, bodies);
}

function isHill(it: Value, id: string): it is Fields {
  return isFields(it) && it["type"] === "king_of_the_hill" && it["systemId"] === id;
}

const indexOf = (document: Fields, id: string): number =>
  modelOf(document).systems.find((it) => it.id === id)?.nth ?? -1;

function positionAt(document: Fields, nth: number, to: Place): Value {
  const y = valueAt(document, `${SYSTEMS}/${nth}/position/y`);
  return { x: tenth(to.x), y: typeof y === "number" ? y : 0, z: tenth(to.z) };
}

/** The count of systems includes fixed ones, so it follows their number. */
export function counted(document: Fields, nMore: number): Fields {
  const n = valueAt(document, "/generation/systemCount");
  if (typeof n !== "number" || nMore === 0) return document;
  return withValue(document, "/generation/systemCount", Math.max(0, n + nMore));
}

export function takenBy(systems: readonly Value[]): { ids: Set<string>; names: Set<string> } {
  const texts = (key: string) =>
    systems.map((it) => (isFields(it) ? it[key] : null)).filter((it) => typeof it === "string");
  return { ids: new Set(texts("id")), names: new Set(texts("name")) };
}

/** A text that is not taken: the wish itself, or with a number. */
export function free(wish: string, taken: ReadonlySet<string>, between: string): string {
  let found = wish;
  for (let n = 2; taken.has(found) || found.startsWith(GENERATED); n += 1) found = `${wish}${between}${n}`;
  return found;
}

const tenth = (it: number): number => Math.round(Math.min(FAR_LY, Math.max(-FAR_LY, it)) * 10) / 10 + 0;
