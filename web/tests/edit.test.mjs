// The editing operations of the workshop: document in, document out.
// Promise: Every edit of a scenario on the map is one step of one history, and leaves the rest of the document alone.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "./modules.mjs";

const edit = await load("workshop/edit.ts");
const arrange = await load("workshop/arrange.ts");
const history = await load("workshop/history.ts");
const { modelOf } = await load("workshop/model.ts");
const { pinned } = await load("workshop/pin.ts");
const { withValue } = await load("workshop/document.ts");

const shipped = (name) =>
  JSON.parse(readFileSync(new URL(`../../crates/stellar/scenarios/${name}.json`, import.meta.url), "utf8"));
const bridge = shipped("the_bridge");
const systemOf = (document, id) => modelOf(document).systems.find((it) => it.id === id);
const fleetsAt = (document, { x, z }) => modelOf(document).fleets.filter((it) => it.start.x === x && it.start.z === z);

/** Runs an operation and checks that it leaves the given document as it was. */
function after(document, change) {
  const before = structuredClone(document);
  const next = change(document);
  assert.deepEqual(document, before);
  return next;
}

test("a new system gets a free id and name, and the count of systems follows", () => {
  let document = after(bridge, (it) => edit.addSystem(it, { x: 12.34, z: -7 }, "New system"));
  document = edit.addSystem(document, { x: 1, z: 2 }, "New system");
  const [one, other] = modelOf(document).systems.slice(-2);
  assert.deepEqual([one.id, one.name, one.at], ["place", "New system", { x: 12.3, z: -7 }]);
  assert.deepEqual([other.id, other.name], ["place_2", "New system 2"]);
  assert.equal(document.generation.systemCount, 15);
});

test("a system moves with the fleets in its orbit, and nothing else changes", () => {
  const moved = after(bridge, (it) => edit.moveSystem(it, "west_home", { x: -50.04, z: 3 }));
  assert.deepEqual(systemOf(moved, "west_home").at, { x: -50, z: 3 });
  assert.equal(fleetsAt(moved, { x: -50, z: 3 }).length, 2);
  assert.equal(fleetsAt(moved, { x: 60, z: 0 }).length, 2);
  const back = edit.moveSystem(moved, "west_home", { x: -60, z: 0 });
  assert.deepEqual(back, bridge);
});

test("a removed hill is no objective any more, and its fleets stay", () => {
  const gone = after(bridge, (it) => edit.removeSystem(it, "bridge"));
  assert.equal(systemOf(gone, "bridge"), undefined);
  assert.equal(gone.generation.systemCount, 12);
  assert.deepEqual(
    gone.objectives.victory.map((it) => it.type),
    ["domination", "elimination"],
  );
  assert.equal(edit.removeSystem(bridge, "west_home").setup.initialFleets.length, 4);
});

test("a new id is used by the objectives too", () => {
  const renamed = edit.renameSystem(bridge, "bridge", "span");
  assert.equal(systemOf(renamed, "span").turnsHeld, 10);
  assert.equal(renamed.objectives.victory[1].systemId, "span");
});

test("owner and garrisons are the owners of solid bodies", () => {
  let document = after(bridge, (it) => edit.setOwner(it, "rim_n", "red"));
  assert.deepEqual([systemOf(document, "rim_n").owner, systemOf(document, "rim_n").nGarrisons], ["red", 1]);
  document = edit.setGarrisons(document, "rim_n", 3);
  assert.equal(document.generation.staticSystems.find((it) => it.id === "rim_n").planets.length, 3);
  document = edit.setOwner(document, "rim_n", "blue");
  assert.deepEqual([systemOf(document, "rim_n").owner, systemOf(document, "rim_n").nGarrisons], ["blue", 3]);
  document = edit.setGarrisons(document, "rim_n", 99);
  assert.equal(systemOf(document, "rim_n").nGarrisons, edit.GARRISONS_MAX);
  document = edit.setOwner(document, "rim_n", null);
  assert.deepEqual([systemOf(document, "rim_n").owner, systemOf(document, "rim_n").nGarrisons], [null, 0]);
});

test("a garrison never goes to a body without ground", () => {
  const giant = { bodyType: "planet", class: "gas_giant" };
  const document = edit.setOwner(withValue(bridge, "/generation/staticSystems/11/planets", [giant]), "rim_n", "red");
  const { planets } = document.generation.staticSystems[11];
  assert.deepEqual(planets, [giant, { bodyType: "planet", class: "solid", ownerFactionId: "red" }]);
});

test("hills are added, changed in place and removed", () => {
  let document = after(bridge, (it) => edit.newHill(it, "rim_n"));
  assert.equal(systemOf(document, "rim_n").turnsHeld, 5);
  document = edit.setHill(document, "bridge", 4);
  assert.deepEqual(document.objectives.victory[1], { type: "king_of_the_hill", systemId: "bridge", turnsHeld: 4 });
  document = edit.setHill(edit.setHill(document, "rim_n", null), "bridge", 10);
  assert.deepEqual(document, bridge);
});

test("a fleet that is dropped on a system starts exactly there", () => {
  const added = after(bridge, (it) => edit.addFleet(it, "red", { x: 0.05, z: 0.02 }));
  assert.deepEqual(modelOf(added).fleets.at(-1).start, { x: 0, z: 0 });
  const moved = edit.moveFleet(added, 4, { x: 7.77, z: 1 });
  assert.deepEqual(modelOf(moved).fleets[4].start, { x: 7.8, z: 1 });
  assert.equal(edit.moveFleet(added, 4, "home_system").setup.initialFleets[4].spawnLocation, "home_system");
  assert.equal(edit.moveFleet(bridge, 17, "random"), bridge);
});

test("four quarter turns and two flips change nothing", () => {
  const turned = after(bridge, (it) => arrange.turned(it, 1));
  assert.deepEqual(systemOf(turned, "west_home").at, { x: 0, z: -60 });
  assert.equal(fleetsAt(turned, { x: 0, z: -60 }).length, 2);
  assert.deepEqual(arrange.turned(turned, -1), bridge);
  assert.deepEqual(arrange.turned(arrange.turned(turned, 1), 2), bridge);
  assert.deepEqual(arrange.flipped(arrange.flipped(bridge)), bridge);
});

test("the mirror exchanges the factions and keeps the names that are there", () => {
  let document = edit.moveSystem(bridge, "west_home", { x: -55, z: 5 });
  document = edit.setGarrisons(edit.newHill(document, "north_1"), "west_home", 3);
  document = edit.addSystem(document, { x: -20, z: 10 }, "Outpost");
  const mirrored = after(document, (it) => arrange.mirrored(it, "west"));
  const model = modelOf(mirrored);
  for (const it of model.systems) {
    const image = model.systems.find((other) => other.at.x === -it.at.x && other.at.z === it.at.z);
    assert.ok(image, it.id);
    const swapped = { blue: "red", red: "blue" }[it.owner] ?? null;
    if (it.at.x !== 0) assert.deepEqual([image.owner, image.nGarrisons], [swapped, it.nGarrisons]);
    assert.equal(image.turnsHeld, it.turnsHeld);
  }
  assert.equal(model.systems.length, 15);
  assert.equal(mirrored.generation.systemCount, 15);
  assert.equal(fleetsAt(mirrored, { x: 55, z: 5 }).filter((it) => it.owner === "red").length, 2);
  assert.ok(model.systems.some((it) => it.id === "place_2" && it.name === "Outpost 2" && it.at.x === 20));
  // North Gate lies at the image of North Passage.
  assert.equal(systemOf(mirrored, "north_2").name, "North Gate");
  for (const side of ["west", "east"]) {
    const again = modelOf(arrange.mirrored(mirrored, side)).systems;
    const line = (it) => `${it.id} ${it.name} ${it.at.x} ${it.at.z} ${it.owner}`;
    assert.deepEqual(again.map(line).sort(), model.systems.map(line).sort());
  }
  const three = shipped("three_crowns");
  assert.equal(arrange.mirrored(three, "west"), three);
});

test("a half without systems becomes empty", () => {
  let document = withValue(bridge, "/generation/staticSystems", []);
  document = withValue(document, "/generation/systemCount", 0);
  document = edit.addSystem(document, { x: 10, z: 0 }, "East");
  const mirrored = arrange.mirrored(document, "west");
  assert.deepEqual([modelOf(mirrored).systems.length, mirrored.generation.systemCount], [0, 0]);
});

test("a sector is copied to every faction in turn", () => {
  const factions = ["a", "b", "c"].map((id) => ({ id, name: id, colorHex: "#000000", isPlayable: true }));
  let document = withValue(bridge, "/setup/factions", factions);
  document = withValue(document, "/generation/staticSystems", []);
  document = withValue(document, "/setup/initialFleets", []);
  document = withValue(document, "/generation/systemCount", 0);
  for (const at of [
    { x: 0, z: 0 },
    { x: 40, z: 0 },
    { x: 20, z: 5 },
    { x: -40, z: 1 },
  ])
    document = edit.addSystem(document, at, "Star");
  document = edit.addFleet(edit.setOwner(document, "place_2", "b"), "b", { x: 40, z: 0 });
  const rotated = after(document, (it) => arrange.rotated(it, { x: 1, z: 0 }));
  const model = modelOf(rotated);
  assert.equal(model.systems.length, 7);
  assert.equal(rotated.generation.systemCount, 7);
  const rims = model.systems.filter((it) => Math.abs(Math.hypot(it.at.x, it.at.z) - 40) < 0.001);
  assert.deepEqual(
    rims.map((it) => it.owner),
    ["b", "c", "a"],
  );
  for (const it of rims) assert.equal(fleetsAt(rotated, it.at)[0].owner, it.owner);
});

test("a pinned galaxy has the same systems, owners and hills", () => {
  const crown = shipped("crown_of_stars");
  const known = modelOf(crown).systems;
  const galaxy = {
    factions: [],
    hills: [],
    n_attempts: 1,
    seed: 1,
    owners: [0, null, ...known.map(() => null)],
    systems: [
      { id: "sys-0001", name: "Alnitak", x: 1500, y: 20, z: -3000, gas: true, home_of: 0, n_bodies: 3 },
      { id: "sys-0002", name: "Mirfak", x: -1500, y: 0, z: 3000, gas: false, home_of: null, n_bodies: 1 },
      ...known.map((it) => ({ id: it.id, name: it.name, x: 0, y: 0, z: 0, gas: it.gas, home_of: null, n_bodies: 1 })),
    ],
  };
  const fixed = after(edit.newHill(crown, "sys-0002"), (it) => pinned(it, galaxy));
  const { systems, fleets } = modelOf(fixed);
  assert.equal(systems.length, known.length + 2);
  assert.equal(fixed.generation.systemCount, systems.length);
  const home = systemOf(fixed, "star_0001");
  assert.deepEqual([home.at, home.gas, home.nGarrisons], [{ x: 1.5, z: -3 }, true, 3]);
  assert.equal(home.owner, crown.setup.factions[0].id);
  assert.equal(systemOf(fixed, "star_0002").turnsHeld, 5);
  assert.equal(fixed.setup.startingDistribution, "none");
  const own = fleets.filter((it) => it.owner === home.owner);
  assert.ok(own.length > 0 && own.every((it) => it.start.x === 1.5));
});

test("documents with wrong shapes are edited without harm", () => {
  for (const document of [
    {},
    { generation: [] },
    { generation: { staticSystems: "none", systemCount: "many" }, setup: { factions: [1, null], initialFleets: [2] } },
    {
      generation: { staticSystems: [null, 4, { id: 3 }, { id: "a", position: { x: "1" } }] },
      objectives: { victory: {} },
    },
  ]) {
    assert.deepEqual(modelOf(document).systems, []);
    for (const change of [
      (it) => edit.addSystem(it, { x: 0, z: 0 }, "A"),
      (it) => edit.addFleet(it, "blue", { x: 0, z: 0 }),
      (it) => edit.newHill(it, "a"),
      (it) => edit.setOwner(it, "a", "blue"),
      (it) => edit.moveSystem(it, "a", { x: 1, z: 1 }),
      (it) => edit.removeSystem(it, "a"),
      (it) => arrange.turned(it, 1),
      (it) => arrange.mirrored(it, "west"),
      (it) => arrange.rotated(it, { x: 1, z: 0 }),
    ])
      after(document, change);
  }
});

test("quick edits of one field are one step, others are steps of their own", () => {
  let now = history.begun("a");
  now = history.edited(now, "ab", "title", 0);
  now = history.edited(now, "abc", "title", 900);
  now = history.edited(now, "abcd", "title", 900 + history.JOIN_MS);
  now = history.edited(now, "x", "text", 950 + history.JOIN_MS);
  now = history.edited(now, "x", "text", 960 + history.JOIN_MS);
  now = history.edited(now, "y", null, 970 + history.JOIN_MS);
  const seen = [];
  for (let step = now; step.past.length > 0;) seen.push((step = history.undone(step)).now);
  assert.deepEqual(seen, ["x", "abcd", "abc", "a"]);
});

test("undone steps can be redone until another edit", () => {
  let now = history.edited(history.edited(history.begun("a"), "b", null, 0), "c", null, 0);
  now = history.undone(history.undone(now));
  assert.equal(history.undone(now), now);
  now = history.redone(now);
  assert.equal(now.now, "b");
  now = history.edited(now, "d", null, 0);
  assert.equal(history.redone(now).now, "d");
  assert.equal(history.undone(now).now, "b");
});

test("the past is bounded", () => {
  let now = history.begun("");
  for (let n = 0; n < 2 * history.STEPS_MAX; n += 1) now = history.edited(now, `${n}`, null, n);
  assert.equal(now.past.length, history.STEPS_MAX);
  const long = "x".repeat(history.CHARS_MAX / 4);
  for (let n = 0; n < 12; n += 1) now = history.edited(now, `${long}${n}`, null, n);
  assert.ok(now.past.length < 5);
});

test("the changed range of a text is found", () => {
  assert.deepEqual(history.changedRange("one two", "one three two"), [5, 11]);
  assert.deepEqual(history.changedRange("aaa", "aa"), [2, 2]);
});
