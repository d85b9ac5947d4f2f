// Complete matches of Stellar Fleet in the browser: people, the AI, reloads, fog and replays.

import assert from "node:assert/strict";
import { faults, look, reachable, SIZES } from "./inspect.mjs";
import { endTurn, fogHolds, lobby, moveFleet, openTable, sendToward, sitOut, turn, views } from "./stellar.mjs";
import { giveUp, openOrder, phase, playBot, signIn, stage, test, visitor } from "./support.mjs";

const AI = "Warlord, beginner";

const { server, browser } = await stage({ REFEREE_TIMING: "stellar.turn-ms=120000" });

test("two people play a complete match by link and reload in every phase", async () => {
  const host = await visitor(browser, server.url);
  const guest = await visitor(browser, server.url);
  await signIn(host, "Hostess");
  await openTable(host, "First Orders", { "Blue League": "You", "Red Dominion": "Another player, by link" });
  await host.page.waitForURL(/\/table\//);
  await host.page.locator('li[data-taken="false"]').waitFor();
  await guest.page.goto(host.page.url());
  await guest.page.getByRole("button", { name: "as a guest" }).click();
  await Promise.all([turn(host, 1), turn(guest, 1)]);

  // A reload changes nothing while planning, after an order, or after the turn is ended.
  await host.page.reload();
  await turn(host, 1);
  await moveFleet(host, "Alpha");
  await host.page.locator('[data-fleet="0"][data-ordered="move"]').waitFor();
  await host.page.reload();
  await host.page.locator('[data-fleet="0"][data-ordered="move"]').waitFor();
  await endTurn(host);
  await host.page.locator('.table[data-done="true"]').waitFor();
  await host.page.reload();
  await host.page.locator('.table[data-done="true"]').waitFor();
  await host.page.getByText("Waiting for the other players").waitFor();
  await endTurn(guest);
  await Promise.all([turn(host, 2), turn(guest, 2)]);

  // The reports survive a reload.
  await host.page.reload();
  await turn(host, 2);
  await host.page.getByRole("tab", { name: "Reports" }).click();
  await host.page.getByText("Turn 1", { exact: true }).waitFor();
  await host.page.getByRole("tab", { name: "Objectives" }).click();
  await host.page
    .locator('[data-objective="domination"]')
    .getByText(/ of 5$/)
    .first()
    .waitFor();
  await host.page.locator("[data-lead]").waitFor();

  await sitOut([host, guest], 2, 12);
  for (const who of [host, guest]) {
    const reason = await who.page.locator("[data-ending]").getAttribute("data-ending");
    assert.ok(["tie_break_control", "tie_break_power", "draw", "domination"].includes(reason), reason);
    assert.equal(await who.page.locator("[data-ending] tbody tr").count(), 2);
  }
  await host.page.reload();
  await host.page.locator("[data-result]").waitFor();

  const told = JSON.stringify(guest.frames.filter((it) => it.way === "in"));
  assert.ok(!told.includes('"ORDERED","seat":0'), "the opponent's orders leaked");
  await host.close();
  await guest.close();
});

// Promise: Nothing that fog hides reaches a browser.
test("nothing that fog hides reaches a browser", async () => {
  const host = await visitor(browser, server.url);
  const guest = await visitor(browser, server.url);
  await signIn(host);
  await openTable(host, "The Bridge", { "Blue League": "You", "Red Dominion": "Another player, by link" });
  await host.page.locator('li[data-taken="false"]').waitFor();
  await guest.page.goto(host.page.url());
  await guest.page.getByRole("button", { name: "as a guest" }).click();
  await Promise.all([turn(host, 1), turn(guest, 1)]);
  for (let at = 1; at <= 6; at += 1) {
    for (const who of [host, guest]) {
      await turn(who, at);
      await sendToward(who, "bridge");
      await endTurn(who);
    }
  }
  await Promise.all([turn(host, 7), turn(guest, 7)]);
  for (const [who, seat] of [
    [host, 0],
    [guest, 1],
  ]) {
    assert.ok(views(who).length >= 7);
    for (const view of views(who)) fogHolds(view, seat);
    // The first turn shows nothing of the opponent except which systems it owns.
    assert.deepEqual(views(who)[0].contacts, []);
    assert.ok(views(who)[0].armies.every((it) => it.owner === seat));
    const heard = JSON.stringify(who.frames.filter((it) => it.way === "in"));
    assert.ok(!heard.includes(`"name":"ORDERED","seat":${1 - seat}`), "the opponent's orders leaked");
  }
  await guest.page.getByRole("button", { name: "Give up" }).click();
  await guest.page.getByRole("button", { name: "Yes, give up" }).click();
  for (const who of [host, guest]) await who.page.locator('[data-ending="forfeit"]').waitFor();
  await host.close();
  await guest.close();
});

test("a person plays the AI to the end by keyboard, and the replay shows each faction its own view", async () => {
  const who = await visitor(browser, server.url);
  await signIn(who, "Admiral");
  await openTable(who, "First Orders", { "Blue League": "You", "Red Dominion": AI });
  await turn(who, 1);

  // Arrow keys move between systems, and an order is given with the keyboard alone.
  const canvas = who.page.locator("canvas");
  await canvas.focus();
  await who.page.keyboard.press("ArrowRight");
  const first = await canvas.getAttribute("data-focused");
  await who.page.keyboard.press("ArrowLeft");
  await who.page.keyboard.press("ArrowUp");
  assert.notEqual(first, "");
  assert.notEqual(await canvas.getAttribute("data-focused"), "");
  await who.page.keyboard.press("Enter");
  await who.page.locator("[data-system]").waitFor();
  const scale = Number(await canvas.getAttribute("data-scale"));
  await canvas.focus();
  await who.page.keyboard.press("+");
  await who.page.waitForFunction((before) => Number(document.querySelector("canvas").dataset.scale) > before, scale);
  await who.page.keyboard.press("0");
  await who.page.getByRole("tab", { name: "Orders" }).press("Enter");
  await who.page.locator('button[data-fleet="0"]').press("Enter");
  await who.page.locator('[data-verb="move"]').press("Enter");
  const where = who.page.getByLabel("Destination");
  await where.focus();
  await who.page.keyboard.press("ArrowDown");
  await who.page.getByRole("button", { name: "Give order" }).press("Enter");
  await who.page.locator('[data-fleet="0"][data-ordered="move"]').waitFor();

  // An order that is not possible shows the reason.
  await who.page.locator('button[data-fleet="0"]').click();
  await who.page.getByText("This fleet already has its order for this turn.").first().waitFor();

  await sitOut([who], 1, 12);
  await who.shot("stellar-result");
  await who.page.getByRole("link", { name: "See the replay" }).click();
  const frame = who.page.locator("div.frame");
  await frame.waitFor();
  await who.page.getByText(/All \d+ actions were replayed, and every hash matches/).waitFor();
  assert.equal(await who.page.locator("[data-seed]").getAttribute("data-seed"), "own");
  await who.page.getByRole("button", { name: "Go to the end" }).click();
  await frame.locator("[data-ending]").waitFor();
  await who.page.getByRole("button", { name: "Go to the start" }).click();
  await who.page.locator('div.frame[data-turn="1"]').waitFor();
  for (const [name, seen] of [
    ["Admiral", "0"],
    [AI, "1"],
    ["All players", "all"],
    ["Spectator", "public"],
  ]) {
    await who.page.getByRole("radio", { name, exact: true }).check();
    await who.page.locator(`div.frame[data-viewer="${seen}"]`).waitFor();
  }
  await who.shot("stellar-replay");
  await who.close();
});

test("a spectator of a match between bots sees no fleets and no orders", async () => {
  const host = await visitor(browser, server.url);
  await signIn(host);
  await lobby(host);
  await host.page.getByRole("button", { name: "Start and watch" }).click();
  await host.page.getByText(/You are watching/).waitFor();
  const stranger = await visitor(browser, server.url);
  await stranger.page.goto(host.page.url());
  await stranger.page.locator(".table").waitFor();
  await stranger.page.locator('[data-objective="tie_break"]').waitFor();
  for (const who of [host, stranger]) {
    assert.ok(views(who).length >= 1);
    for (const view of views(who)) {
      assert.equal(view.seat, null);
      assert.deepEqual([view.fleets, view.contacts, view.armies], [[], [], []]);
    }
    await who.close();
  }
});

test("troops are sent to a chosen body, and the order names it", async () => {
  const who = await visitor(browser, server.url);
  await signIn(who);
  await openTable(who, "Crown of Stars", { "Blue League": "You", "Red Dominion": AI });
  await turn(who, 1);
  await who.page.locator('button[data-fleet="1"]').click();
  await who.page.locator('[data-verb="invade"]').click();
  const where = who.page.getByLabel("Destination");
  const chosen = await where.locator("option").nth(2).getAttribute("value");
  await where.selectOption(chosen);
  await who.page.getByLabel("Landing site").selectOption({ label: "Body 1" });
  await who.page.getByRole("button", { name: "Give order" }).click();
  await who.page.locator('button[data-fleet="1"][data-ordered="invade"]').waitFor();
  const asked = who.frames.findLast((it) => it.way === "out" && it.message.type === "ask").message.ask;
  assert.deepEqual(asked, { actions: ["fleet:1", "invade", `system:${chosen}`, "body:0"] });
  await endTurn(who);
  await turn(who, 2);
  const after = views(who).at(-1);
  const goal = after.map.systems[Number(chosen)].id;
  const fleet = after.fleets.find((it) => it.rank === 1);
  assert.ok(fleet === undefined || fleet.to === goal || fleet.orbit === goal, JSON.stringify(fleet));
  await who.close();
});

test("the first match of a new visitor loads less than 300 KB", async (t) => {
  const who = await visitor(browser, server.url);
  const session = await who.context.newCDPSession(who.page);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", (event) => (bytes += event.encodedDataLength));
  await signIn(who);
  await openTable(who, "Skirmish", { "Blue League": "You", "Red Dominion": AI });
  await turn(who, 1);
  t.diagnostic(`${bytes} bytes`);
  assert.ok(bytes > 20_000 && bytes < 300_000, `${bytes} bytes`);
  await who.close();
});

for (const [size, viewport, options] of SIZES) {
  test(`every screen of a match fits on a ${size} and is accessible`, async () => {
    const who = await visitor(browser, server.url, { viewport, ...options });
    await signIn(who);
    await lobby(who);
    await look(who, `stellar-lobby-${size}`);
    await openTable(who, "Crown of Stars", { "Blue League": "You", "Red Dominion": AI });
    await turn(who, 1);
    await who.page.locator("button[data-fleet]").first().waitFor();
    await look(who, `stellar-orders-${size}`);
    await reachable(who, `stellar-orders-${size}`);
    await who.page.locator("button[data-fleet]").first().click();
    await who.page.locator('[data-verb="move"]').click();
    await look(who, `stellar-compose-${size}`);
    await who.page.getByRole("button", { name: "All fleets" }).click();
    await endTurn(who);
    await turn(who, 2);
    for (const tab of ["Objectives", "Reports", "System"]) {
      await who.page.getByRole("tab", { name: tab }).click();
      await look(who, `stellar-${tab.toLowerCase()}-${size}`);
      await reachable(who, `stellar-${tab.toLowerCase()}-${size}`);
    }
    await faults(who, "stellar");
    await who.close();
  });
}

test("the objectives panel shows why a hill count was reset", async () => {
  const [blue, red] = [await visitor(browser, server.url), await visitor(browser, server.url)];
  await signIn(blue, "King");
  const scenario = await (await fetch(`${server.url}/api/scenarios/the_bridge`)).json();
  scenario.generation.staticSystems.find((it) => it.id === "bridge").planets[0].ownerFactionId = "blue";
  scenario.objectives.victory = [
    { type: "king_of_the_hill", systemId: "bridge", turnsHeld: 10 },
    { type: "elimination" },
  ];
  const link = await openOrder(blue, { game: "stellar", setup: { scenario, seed: 7 }, seats: ["host", "guest"] });
  await signIn(red, "Rebel");
  await red.page.goto(link);
  await Promise.all([turn(blue, 1), turn(red, 1)]);
  const hill = (who) => who.page.locator('[data-objective="king_of_the_hill"]');
  const open = (who) => who.page.getByRole("tab", { name: "Objectives" }).click();
  for (const who of [blue, red]) await endTurn(who);
  await Promise.all([turn(blue, 2), turn(red, 2)]);
  await open(blue);
  await hill(blue).locator('[data-hill="held"]').waitFor();
  await hill(blue).getByText("1 of 10").waitFor();
  await hill(blue).getByText("King holds it").or(hill(blue).getByText("Blue League holds it")).waitFor();
  let at = 2;
  while ((await hill(blue).locator('[data-hill="contested"]').count()) === 0) {
    assert.ok(at < 8, "the rebels never arrive");
    await sendToward(red, "bridge");
    for (const who of [blue, red]) await endTurn(who);
    at += 1;
    await Promise.all([turn(blue, at), turn(red, at)]);
    await open(blue);
  }
  const why = `Enemy ships are in its orbit: the count is 0. Reset from ${at - 2}.`;
  await open(red);
  for (const who of [blue, red]) await hill(who).getByText(why).waitFor();
  await look(blue, "hill-reset-desktop");
  await blue.page.reload();
  await turn(blue, at);
  await open(blue);
  await hill(blue).getByText(why).waitFor();
  await giveUp(red);
  for (const who of [blue, red]) {
    await who.page.locator("[data-result]").waitFor();
    await who.close();
  }
});

test("a player who leaves a match of three can play another, and the match continues", async () => {
  const [stays, leaves] = [await visitor(browser, server.url), await visitor(browser, server.url)];
  await signIn(stays, "Stayer");
  const link = await openOrder(stays, {
    game: "stellar",
    setup: { scenario: "three_crowns", seed: 5 },
    seats: ["host", { bot: "random" }, "guest"],
  });
  await signIn(leaves, "Leaver");
  await leaves.page.goto(link);
  await Promise.all([turn(stays, 1), turn(leaves, 1)]);
  await leaves.page.getByRole("button", { name: "Give up" }).click();
  await leaves.page.getByText("It continues without you, and you cannot come back.").waitFor();
  await leaves.page.getByRole("button", { name: "Yes, give up" }).click();
  await leaves.page.getByRole("heading", { name: "You have left this match" }).waitFor();
  await look(leaves, "left-desktop");
  await endTurn(stays);
  await turn(stays, 2);
  await leaves.page.getByRole("link", { name: "Back to home" }).click();
  await leaves.page.getByRole("radio", { name: "Orcain" }).check({ force: true });
  await playBot(leaves);
  await leaves.page.reload();
  await phase(leaves, "PREP", 1);
  await giveUp(stays);
  await stays.page.locator("[data-result]").or(stays.page.locator("[data-left]")).waitFor();
  await stays.close();
  await leaves.close();
});
