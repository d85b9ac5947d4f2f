// The workshop's map editor: pointer, touch and keyboard edit the document beside it.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { look, reachable, SIZES } from "./inspect.mjs";
import { PHONE, stage, test, until, visitor } from "./support.mjs";

const { server, browser } = await stage();

const canvas = (who) => who.page.locator("canvas");
const area = (who) => who.page.getByLabel("Document (JSON)");
const inspector = (who) => who.page.getByRole("group", { name: "Selection" });
const documentOf = async (who) => JSON.parse(await area(who).inputValue());
const system = async (who, id) => (await documentOf(who)).generation.staticSystems.find((it) => it.id === id);
const press = async (who, ...keys) => {
  for (const key of keys) await who.page.keyboard.press(key);
};
/** Waits until the validator has read the document and the browser has saved it. */
const settled = (who) => who.page.locator('.workshop[data-stale="false"][data-saved="true"]').waitFor();

async function open(options, scenario = "the_bridge") {
  const who = await visitor(browser, server.url, options);
  await who.go("/workshop");
  await who.page.getByLabel("Start from…").selectOption(scenario);
  await until(async () => (await documentOf(who)).id === scenario, "the scenario is shown");
  await who.page.locator('.workshop[data-playable="true"]').waitFor();
  return who;
}

/** The point of the page that shows a place of the map. */
async function pointAt(who, x, z) {
  const box = await canvas(who).boundingBox();
  const scale = Number(await canvas(who).getAttribute("data-scale"));
  const [cx, cz] = (await canvas(who).getAttribute("data-center")).split(",").map(Number);
  return { x: box.x + box.width / 2 + (x - cx) * scale, y: box.y + box.height / 2 + (z - cz) * scale };
}

async function tap(who, x, z) {
  const point = await pointAt(who, x, z);
  await who.page.mouse.click(point.x, point.y);
}

async function drag(who, from, to) {
  const [start, end] = [await pointAt(who, ...from), await pointAt(who, ...to)];
  await who.page.mouse.move(start.x, start.y);
  await who.page.mouse.down();
  await who.page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2);
  await who.page.mouse.move(end.x, end.y);
  await who.page.mouse.up();
}

const near = (position, x, z) => Math.abs(position.x - x) < 1.5 && Math.abs(position.z - z) < 1.5;

test("systems and fleets are placed and dragged, and every step is undone and redone", async () => {
  const who = await open();
  const first = await area(who).inputValue();
  const view = await canvas(who).getAttribute("data-center");

  await drag(who, [-15, -40], [-25, -20]);
  assert.ok(near((await system(who, "north_1")).position, -25, -20));
  assert.equal(await inspector(who).getByLabel("Name").inputValue(), "North Passage");
  const dragged = await area(who).inputValue();

  await who.page.getByRole("button", { name: "Add systems" }).click();
  await tap(who, 30, 60);
  const added = (await documentOf(who)).generation.staticSystems.at(-1);
  assert.ok(near(added.position, 30, 60));
  assert.equal((await documentOf(who)).generation.systemCount, 14);

  await who.page.getByRole("button", { name: "Add fleets" }).click();
  await tap(who, 0, 0);
  assert.deepEqual((await documentOf(who)).setup.initialFleets.at(-1).spawnLocation, { x: 0, y: 0, z: 0 });
  await who.page.getByRole("button", { name: "Select" }).click();
  const placed = await area(who).inputValue();

  // The map does not move while it is edited.
  await settled(who);
  assert.equal(await canvas(who).getAttribute("data-center"), view);
  await who.shot("editor-placed");

  const steps = [first, dragged, placed];
  await press(who, "Control+z", "Control+z");
  assert.equal(await area(who).inputValue(), steps[1]);
  await press(who, "Control+Shift+z", "Control+y");
  assert.equal(await area(who).inputValue(), steps[2]);
  for (let n = 0; n < 3; n += 1) await who.page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await area(who).inputValue(), steps[0]);
  await who.page.getByRole("button", { name: "Redo" }).click();
  assert.equal(await area(who).inputValue(), steps[1]);
  await who.close();
});

test("the panel sets owner, garrisons, hill, gas, fleets and armies", async () => {
  const who = await open();
  const panel = inspector(who);
  await tap(who, 0, -65);
  await panel.getByLabel("Owner").selectOption({ label: "Red Dominion" });
  await panel.getByLabel("Garrisons").fill("3");
  await panel.getByLabel("Garrisons").press("Tab");
  await panel.getByLabel("Gas for extractors").check();
  await panel.getByLabel("Hill to hold").check();
  await panel.getByLabel("Turns to hold it").fill("7");
  await panel.getByLabel("Turns to hold it").press("Tab");
  let rim = await system(who, "rim_n");
  assert.deepEqual(
    rim.planets.map((it) => it.ownerFactionId),
    ["red", "red", "red"],
  );
  assert.equal(rim.resourceType, "gas");
  assert.deepEqual((await documentOf(who)).objectives.victory.at(-1), {
    type: "king_of_the_hill",
    systemId: "rim_n",
    turnsHeld: 7,
  });

  await panel.getByLabel("Name").fill("Far Rim");
  await panel.getByLabel("ID", { exact: true }).fill("far_rim");
  await panel.getByLabel("ID", { exact: true }).press("Tab");
  assert.equal((await system(who, "far_rim")).name, "Far Rim");
  assert.equal((await documentOf(who)).objectives.victory.at(-1).systemId, "far_rim");

  await panel.getByRole("button", { name: "Add a fleet" }).click();
  await panel.getByRole("heading", { name: "Fleet 5" }).waitFor();
  await panel.getByLabel("Cruiser").fill("4");
  await panel.getByLabel("Cruiser").press("Tab");
  await panel.getByText("3 armies on board.").waitFor();
  await panel.getByLabel("Transports carry armies").uncheck();
  await panel.getByLabel("Starts at").selectOption({ label: "West Home" });
  const fleet = (await documentOf(who)).setup.initialFleets[4];
  assert.equal(fleet.ships.filter((it) => it === "cruiser").length, 4);
  assert.deepEqual([fleet.ownerFactionId, fleet.withArmies], ["red", false]);
  assert.deepEqual(fleet.spawnLocation, { x: -60, y: 0, z: 0 });

  await who.page.locator('.workshop[data-playable="true"]').waitFor();
  await panel.getByRole("button", { name: "Remove" }).click();
  assert.equal((await documentOf(who)).setup.initialFleets.length, 4);
  await who.close();
});

test("the keyboard alone picks a system up, moves it and drops it", async () => {
  const who = await open();
  await canvas(who).focus();
  await press(who, "ArrowRight");
  await until(async () => (await canvas(who).getAttribute("data-focused")) !== "", "a system has the focus");
  assert.equal(await canvas(who).getAttribute("data-focused"), "bridge");
  const before = await area(who).inputValue();

  await press(who, " ", "ArrowRight", "ArrowRight", "Shift+ArrowDown");
  assert.equal(await canvas(who).getAttribute("data-moving"), "2.0,10.0");
  await press(who, "Escape");
  assert.equal(await area(who).inputValue(), before);
  await press(who, " ", "ArrowRight", "Shift+ArrowDown", " ");
  assert.deepEqual((await system(who, "bridge")).position, { x: 1, y: 0, z: 10 });
  assert.equal(await canvas(who).getAttribute("data-focused"), "bridge");

  // Enter opens the panel.
  await press(who, "Enter");
  await until(() => inspector(who).evaluate((it) => it.contains(document.activeElement)), "the panel has the focus");
  await canvas(who).focus();
  await press(who, "n", "ArrowUp", " ");
  const added = (await documentOf(who)).generation.staticSystems.at(-1);
  assert.deepEqual(added.position, { x: 0, y: 0, z: -1 });
  await press(who, "f");
  assert.deepEqual((await documentOf(who)).setup.initialFleets.at(-1).spawnLocation, added.position);
  await press(who, "Delete");
  assert.equal((await documentOf(who)).generation.staticSystems.length, 13);
  for (let n = 0; n < 5; n += 1) await press(who, "Control+z");
  assert.equal(await area(who).inputValue(), before);
  await who.close();
});

test("a finger drags a system on a phone, and the page does not scroll", async () => {
  const who = await open({ viewport: PHONE, hasTouch: true, isMobile: true });
  await canvas(who).scrollIntoViewIfNeeded();
  const scrolled = await who.page.evaluate(() => scrollY);
  const [start, end] = [await pointAt(who, 0, -65), await pointAt(who, 10, -50)];
  const touch = await who.context.newCDPSession(who.page);
  const send = (type, points) =>
    touch.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(({ x, y }) => ({ x, y })) });
  await send("touchStart", [start]);
  for (let n = 1; n <= 5; n += 1)
    await send("touchMove", [{ x: start.x + ((end.x - start.x) * n) / 5, y: start.y + ((end.y - start.y) * n) / 5 }]);
  await send("touchEnd", []);
  await until(async () => near((await system(who, "rim_n")).position, 10, -50), "the system has moved");
  assert.equal(await who.page.evaluate(() => scrollY), scrolled);
  await who.shot("editor-phone");
  await who.close();
});

test("a second finger zooms instead of moving the system", async () => {
  const who = await open({ viewport: PHONE, hasTouch: true, isMobile: true });
  await canvas(who).scrollIntoViewIfNeeded();
  const before = await area(who).inputValue();
  const scale = await canvas(who).getAttribute("data-scale");
  const start = await pointAt(who, 0, 0);
  const other = { x: start.x + 60, y: start.y };
  const touch = await who.context.newCDPSession(who.page);
  const send = (type, points) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  await send("touchStart", [{ ...start, id: 1 }]);
  await send("touchMove", [{ x: start.x - 15, y: start.y, id: 1 }]);
  await send("touchStart", [
    { x: start.x - 15, y: start.y, id: 1 },
    { ...other, id: 2 },
  ]);
  await send("touchMove", [
    { x: start.x - 60, y: start.y, id: 1 },
    { x: other.x + 40, y: other.y, id: 2 },
  ]);
  await send("touchEnd", []);
  await until(async () => (await canvas(who).getAttribute("data-scale")) !== scale, "the map is zoomed");
  assert.equal(await area(who).inputValue(), before);
  await who.close();
});

test("mirror, rotate, turn and flip change the whole map in one step each", async () => {
  const who = await open();
  const button = (name) => inspector(who).getByRole("button", { name });
  await drag(who, [-45, -25], [-35, -10]);
  await inspector(who).getByRole("button", { name: "Close" }).click();
  const { position } = await system(who, "west_north");
  await button("Copy the left half to the right").click();
  const { generation } = await documentOf(who);
  assert.ok(generation.staticSystems.some((it) => it.position.x === -position.x && it.position.z === position.z));
  await who.page.locator('.workshop[data-playable="true"]').waitFor();
  const mirrored = await area(who).inputValue();
  await button("Turn right").click();
  assert.deepEqual((await system(who, "west_home")).position, { x: 0, y: 0, z: -60 });
  await button("Flip").click();
  await button("Turn left").click();
  await button("Copy one sector to all 2").click();
  await who.page.locator('.workshop[data-playable="true"]').waitFor();
  for (let n = 0; n < 4; n += 1) await who.page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await area(who).inputValue(), mirrored);
  await who.close();
});

test("a generated galaxy is fixed in place and then edited", async () => {
  const who = await open({}, "crown_of_stars");
  const before = await documentOf(who);
  await inspector(who).getByRole("button", { name: "Fix all systems in place" }).click();
  const { generation, setup } = await documentOf(who);
  assert.equal(generation.staticSystems.length, before.generation.systemCount);
  assert.equal(setup.startingDistribution, "none");
  await who.page.locator('.workshop[data-playable="true"]').waitFor();
  await who.page.locator('[data-errors="0"]').waitFor();
  const [{ id, position }] = generation.staticSystems.slice(-1);
  await drag(who, [position.x, position.z], [position.x + 6, position.z + 6]);
  assert.ok(near((await system(who, id)).position, position.x + 6, position.z + 6));
  await who.close();
});

test("text, form and map have one history", async () => {
  const who = await open();
  const first = await area(who).inputValue();
  await drag(who, [0, 65], [5, 55]);
  const title = who.page.locator('[data-pointer="/meta/title"] input');
  await title.fill("Another bridge");
  const document = await documentOf(who);
  document.meta.title = "A third bridge";
  await area(who).fill(JSON.stringify(document));
  await press(who, "Control+z");
  assert.equal(await title.inputValue(), "Another bridge");
  await press(who, "Control+z");
  assert.equal(await title.inputValue(), "The Bridge");
  assert.ok(near((await system(who, "rim_s")).position, 5, 55));
  await press(who, "Control+z");
  assert.equal(await area(who).inputValue(), first);

  // The map follows the text.
  await area(who).fill(first.replace('"name": "South Rim"', '"name": "Moved by hand"').replace('"z": 65', '"z": 50'));
  await tap(who, 0, 50);
  assert.equal(await inspector(who).getByLabel("Name").inputValue(), "Moved by hand");
  await area(who).fill("{ not json");
  await who.page.getByText("Fix the document to see the map.").waitFor();
  await press(who, "Control+z");
  await canvas(who).waitFor();
  await who.close();
});

test("a draft is saved, restored on return, and replaced by a new one on request", async () => {
  const who = await open();
  await drag(who, [0, 65], [5, 55]);
  const edited = await area(who).inputValue();
  await settled(who);
  await who.page.getByText("Saved in this browser").waitFor();
  await who.page.reload();
  await canvas(who).waitFor();
  assert.equal(await area(who).inputValue(), edited);
  await who.page.getByRole("button", { name: "Start over" }).click();
  assert.equal((await documentOf(who)).id, "");
  await press(who, "Control+z");
  assert.equal(await area(who).inputValue(), edited);
  await who.close();
});

test("a file is imported and exported, and a wrong one changes nothing", async () => {
  const who = await open();
  const before = await area(who).inputValue();
  const file = (name, text) => {
    const path = join(tmpdir(), `referee-${process.pid}-${name}`);
    writeFileSync(path, text);
    return path;
  };
  const choose = async (path) => {
    const chooser = who.page.waitForEvent("filechooser");
    await who.page.getByRole("button", { name: "Import" }).click();
    await (await chooser).setFiles(path);
  };
  await choose(file("list.json", "[1, 2]"));
  await who.page.getByText(/list\.json is not a JSON object, so nothing was imported\./).waitFor();
  await choose(file("long.json", `{"a": "${"x".repeat(300_000)}"}`));
  await who.page.getByText(/long\.json is larger than 256 KiB, so nothing was imported\./).waitFor();
  assert.equal(await area(who).inputValue(), before);
  await choose(file("own.json", before.replace('"id": "the_bridge"', '"id": "own_bridge"')));
  await until(async () => (await documentOf(who)).id === "own_bridge", "the file is imported");
  await who.page.locator('.workshop[data-playable="true"]').waitFor();
  const saved = who.page.waitForEvent("download");
  await who.page.getByRole("button", { name: "Export" }).click();
  assert.equal((await saved).suggestedFilename(), "own_bridge.json");
  await who.close();
});

for (const [size, viewport, options] of SIZES) {
  test(`the map editor fits on a ${size} and is accessible in both languages`, async () => {
    const who = await open({ viewport, ...options });
    await canvas(who).scrollIntoViewIfNeeded();
    await tap(who, -60, 0);
    await inspector(who).getByLabel("Garrisons").waitFor();
    await look(who, `editor-system-${size}`);
    await reachable(who, `editor-system-${size}`);
    await inspector(who)
      .getByRole("button", { name: /^Blue League: \d ships/ })
      .first()
      .click();
    await look(who, `editor-fleet-${size}`);
    await who.page.evaluate(() => localStorage.setItem("referee.settings", JSON.stringify({ language: "fr" })));
    await who.page.reload();
    await who.page.getByRole("button", { name: "Tourner à gauche" }).waitFor();
    await look(who, `editor-french-${size}`);
    await who.close();
  });
}
