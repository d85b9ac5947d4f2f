/** Makes a generated galaxy part of its scenario, so that every system can be edited. */

import type { GalaxyPreview } from "../generated/http";
import { free, takenBy } from "./edit";
import { isFields, listAt, withValue, type Fields, type Value } from "./document";
import { GENERATED, modelOf } from "./model";

const MLY = 1000;
const HOME_GARRISONS = 3;

/** Every generated system becomes a fixed one with the same place, name, resource, owner and garrisons. Fleets
 * that start at home start there, and no further territory is handed out. */
export function pinned(document: Fields, galaxy: GalaxyPreview): Fields {
  const known = listAt(document, "/generation/staticSystems");
  const taken = takenBy(known);
  const factions = modelOf(document).factions.map((it) => it.id);
  const ids = new Map<string, string>();
  const homes = new Map<string, Value>();
  const made = galaxy.systems.flatMap((it, idx): Value[] => {
    const position: Value = { x: it.x / MLY, y: it.y / MLY, z: it.z / MLY };
    const home = it.home_of == null ? undefined : factions[it.home_of];
    if (home !== undefined) homes.set(home, position);
    if (!it.id.startsWith(GENERATED)) return [];
    const id = free(`star_${it.id.slice(GENERATED.length)}`, taken.ids, "_");
    taken.ids.add(id);
    ids.set(it.id, id);
    const resourceType = it.gas ? "gas" : "none";
    const owner = factions[galaxy.owners[idx] ?? -1];
    const system = { id, name: free(it.name, taken.names, " "), position, resourceType };
    if (owner === undefined) return [system];
    const body = (): Value => ({ bodyType: "planet", class: "solid", ownerFactionId: owner });
    return [{ ...system, planets: Array.from({ length: home === undefined ? 1 : HOME_GARRISONS }, body) }];
  });
  let next = withValue(document, "/generation/staticSystems", [...known, ...made]);
  next = withValue(next, "/generation/systemCount", known.length + made.length);
  next = withValue(next, "/generation/homes", undefined);
  next = withValue(next, "/setup/startingDistribution", "none");
  next = withValue(next, "/setup/territoryAllocation", undefined);
  for (const fleet of modelOf(document).fleets) {
    const home = fleet.start === "home_system" ? homes.get(fleet.owner) : undefined;
    if (home !== undefined) next = withValue(next, `/setup/initialFleets/${fleet.nth}/spawnLocation`, home);
  }
  const victory = listAt(next, "/objectives/victory").map((it): Value => {
    if (!isFields(it) || typeof it["systemId"] !== "string") return it;
    return { ...it, systemId: ids.get(it["systemId"]) ?? it["systemId"] };
  });
  return withValue(next, "/objectives/victory", victory);
}
