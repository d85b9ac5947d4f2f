/** Operations on the whole map: turn and flip it, or copy one part of it to the others. */

import { counted, free, takenBy } from "./edit";
import { isFields, listAt, withValue, type Fields, type Value } from "./document";
import { isNear, modelOf, placeOf, type Place } from "./model";

/** Things this close to the center or the axis lie in it. */
const EDGE_LY = 0.05;

/** Turns everything with a position by quarter turns, clockwise on the map. */
export function turned(document: Fields, nQuarters: number): Fields {
  const turns: ((at: Place) => Place)[] = [
    (at) => at,
    ({ x, z }) => ({ x: -z, z: x }),
    ({ x, z }) => ({ x: -x, z: -z }),
    ({ x, z }) => ({ x: z, z: -x }),
  ];
  return transformed(document, turns[((nQuarters % 4) + 4) % 4] ?? ((at) => at));
}

/** Swaps west and east. */
export function flipped(document: Fields): Fields {
  return transformed(document, ({ x, z }) => ({ x: -x, z }));
}

function transformed(document: Fields, image: (at: Place) => Place): Fields {
  const system = (it: Value): Value => (isFields(it) ? placed(it, "position", image) : it);
  const fleet = (it: Value): Value => (isFields(it) ? placed(it, "spawnLocation", image) : it);
  return withLists(
    document,
    listAt(document, "/generation/staticSystems").map(system),
    listAt(document, "/setup/initialFleets").map(fleet),
  );
}

/** Replaces one half by the mirror image of the other, with the two factions exchanged. Things on the axis stay.
 * A document with other than two factions is returned unchanged. */
export function mirrored(document: Fields, kept: "west" | "east"): Fields {
  if (modelOf(document).factions.length !== 2) return document;
  const side = kept === "west" ? -1 : 1;
  return copied(document, {
    n: 2,
    image: ({ x, z }) => ({ x: -x, z }),
    part: ({ x }) => (Math.abs(x) <= EDGE_LY ? "fixed" : x * side > 0 ? "kept" : "replaced"),
  });
}

/** Copies the sector around a direction to the sectors of all factions, each with the next faction. Things in the
 * center stay. Without two factions or a direction, the document is returned unchanged. */
export function rotated(document: Fields, toward: Place): Fields {
  const n = modelOf(document).factions.length;
  if (n < 2 || Math.hypot(toward.x, toward.z) <= EDGE_LY) return document;
  const middle = Math.atan2(toward.z, toward.x);
  const half = Math.PI / n;
  const isKept = ({ x, z }: Place) => {
    const away = Math.atan2(z, x) - middle;
    const turn = away - 2 * Math.PI * Math.round(away / (2 * Math.PI));
    return turn >= -half - 1e-9 && turn < half - 1e-9;
  };
  return copied(document, {
    n,
    image: ({ x, z }, k) => {
      const [cos, sin] = [Math.cos((2 * Math.PI * k) / n), Math.sin((2 * Math.PI * k) / n)];
      return { x: x * cos - z * sin, z: x * sin + z * cos };
    },
    part: (at) => (Math.hypot(at.x, at.z) <= EDGE_LY ? "fixed" : isKept(at) ? "kept" : "replaced"),
  });
}

interface Symmetry {
  /** The number of parts. */
  readonly n: number;
  /** The image of a place in the part that is `k` after its own. */
  readonly image: (at: Place, k: number) => Place;
  readonly part: (at: Place) => "kept" | "fixed" | "replaced";
}

function copied(document: Fields, symmetry: Symmetry): Fields {
  const systems = listAt(document, "/generation/staticSystems");
  const fleets = listAt(document, "/setup/initialFleets");
  const copies = systemCopies(document, systems, symmetry);
  const nextFleets = fleets.filter((it) => partOf(it, "spawnLocation", symmetry) !== "replaced");
  for (let k = 1; k < symmetry.n; k += 1) {
    for (const it of fleets) {
      if (!isFields(it) || partOf(it, "spawnLocation", symmetry) !== "kept") continue;
      const image = placed(it, "spawnLocation", (at) => symmetry.image(at, k));
      nextFleets.push({ ...image, ownerFactionId: successor(document, it["ownerFactionId"], k) });
    }
  }
  const next = withLists(document, copies.systems, nextFleets);
  const victory = hillsOf(document, copies.images, copies.replaced);
  return counted(withValue(next, "/objectives/victory", victory), copies.systems.length - systems.length);
}

interface Copies {
  readonly systems: Value[];
  /** The ids of the images of each kept system. */
  readonly images: ReadonlyMap<string, readonly string[]>;
  readonly replaced: ReadonlySet<string>;
}

function systemCopies(document: Fields, systems: readonly Value[], symmetry: Symmetry): Copies {
  const remain = systems.filter((it) => partOf(it, "position", symmetry) !== "replaced");
  const old = systems.filter((it) => partOf(it, "position", symmetry) === "replaced").filter(isFields);
  const taken = takenBy(remain);
  const made: Value[] = [];
  const images = new Map<string, string[]>();
  for (const it of remain) {
    if (!isFields(it) || partOf(it, "position", symmetry) !== "kept") continue;
    for (let k = 1; k < symmetry.n; k += 1) {
      const image = placed(it, "position", (at) => symmetry.image(at, k));
      const at = placeOf(image["position"]) as Place;
      // A system that is already there keeps its name.
      const there = old.find((other) => isNear(placeOf(other["position"]) as Place, at));
      const id = free(textOf((there ?? it)["id"]), taken.ids, "_");
      const name = free(textOf((there ?? it)["name"]), taken.names, " ");
      taken.ids.add(id);
      taken.names.add(name);
      made.push({ ...image, id, name, ...bodiesOf(document, it, k) });
      images.set(textOf(it["id"]), [...(images.get(textOf(it["id"])) ?? []), id]);
    }
  }
  return { systems: [...remain, ...made], images, replaced: new Set(old.map((it) => textOf(it["id"]))) };
}

/** The bodies of an image: with the next faction's garrisons, and without ids, which are unique. */
function bodiesOf(document: Fields, system: Fields, k: number): Fields {
  if (!Array.isArray(system["planets"])) return {};
  const bodies = system["planets"].map((body): Value => {
    if (!isFields(body)) return body;
    const { id: _, ownerFactionId: owner, ...rest } = body;
    return owner === undefined ? rest : { ...rest, ownerFactionId: successor(document, owner, k) };
  });
  return { planets: bodies };
}

/** The objectives, with a hill at each image of a hill. */
function hillsOf(document: Fields, images: Copies["images"], replaced: ReadonlySet<string>): Value[] {
  return listAt(document, "/objectives/victory").flatMap((it): Value[] => {
    if (!isFields(it) || it["type"] !== "king_of_the_hill") return [it];
    const id = textOf(it["systemId"]);
    if (replaced.has(id)) return [];
    return [it, ...(images.get(id) ?? []).map((image): Value => ({ ...it, systemId: image }))];
  });
}

/** The faction `k` seats after another. */
function successor(document: Fields, owner: Value | undefined, k: number): Value {
  const ids = modelOf(document).factions.map((it) => it.id);
  const at = ids.indexOf(textOf(owner));
  return at < 0 ? (owner ?? "") : (ids[(at + k) % ids.length] ?? "");
}

function partOf(it: Value, key: string, symmetry: Symmetry): "kept" | "fixed" | "replaced" {
  const at = isFields(it) ? placeOf(it[key]) : null;
  return at === null ? "fixed" : symmetry.part(at);
}

/** A copy of a thing at the image of its place; one without a place stays. */
function placed(it: Fields, key: string, image: (at: Place) => Place): Fields {
  const at = placeOf(it[key]);
  if (at === null) return it;
  const { x, z } = image(at);
  return { ...it, [key]: { ...(it[key] as Fields), x: thousandth(x), z: thousandth(z) } };
}

function withLists(document: Fields, systems: Value[], fleets: Value[]): Fields {
  const put = (next: Fields, pointer: string, list: Value[]) =>
    list.length === 0 && listAt(next, pointer).length === 0 ? next : withValue(next, pointer, list);
  return put(put(document, "/generation/staticSystems", systems), "/setup/initialFleets", fleets);
}

const textOf = (it: Value | undefined): string => (typeof it === "string" ? it : "");
/** Documents hold lengths in thousandths of a light-year. */
const thousandth = (it: number): number => Math.round(it * 1000) / 1000 + 0;
