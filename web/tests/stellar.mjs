// The actions of Stellar Fleet players, and checks of what they may see.

import assert from "node:assert/strict";

/** Opens the home page and selects Stellar Fleet. */
export async function lobby(who) {
  await who.go("/");
  await who.page.getByRole("radio", { name: "Stellar Fleet" }).check();
  await who.page.locator("#table-seat-0").waitFor();
}

/** Chooses a scenario and its seats, and creates the match. */
export async function openTable(who, scenario, seats) {
  await lobby(who);
  await who.page.getByLabel("Scenario").selectOption({ label: scenario });
  for (const [faction, sitter] of Object.entries(seats))
    await who.page.getByLabel(faction, { exact: true }).selectOption({ label: sitter });
  await who.page.getByRole("button", { name: "Create match" }).click();
}

export const turn = (who, n) => who.page.locator(`.table[data-turn="${n}"]`).waitFor();

/** Ends the turn, even if some fleets have no order. */
export async function endTurn(who) {
  await who.page.getByRole("button", { name: "End turn" }).first().click();
  const sure = who.page.getByRole("dialog").getByRole("button", { name: "End turn" });
  if (await sure.isVisible()) await sure.click();
}

/** Sends a fleet to the nearest possible destination. */
export async function moveFleet(who, name) {
  await who.page.getByRole("tab", { name: "Orders" }).click();
  await who.page.getByRole("button", { name: new RegExp(`^${name}\\b`) }).click();
  await who.page.getByRole("button", { name: "Move", exact: true }).click();
  const where = who.page.getByLabel("Destination");
  const first = await where.locator("option").nth(1).getAttribute("value");
  await where.selectOption(first);
  await who.page.getByRole("button", { name: "Give order" }).click();
}

/** Sends every fleet that can move toward a system. */
export async function sendToward(who, id) {
  const view = views(who).at(-1);
  const goal = view.map.systems.find((it) => it.id === id);
  const apart = (it) => Math.hypot(it.x - goal.x, it.y - goal.y, it.z - goal.z);
  for (const fleet of view.fleets) {
    const move = fleet.choices.find((it) => it.verb === "move");
    const nearer = (move?.systems ?? []).filter((idx) => apart(view.map.systems[idx]) < apart(fleet.at));
    if (nearer.length === 0) continue;
    const best = nearer.reduce((one, other) =>
      apart(view.map.systems[one]) <= apart(view.map.systems[other]) ? one : other,
    );
    await who.page.getByRole("tab", { name: "Orders" }).click();
    await who.page.locator(`button[data-fleet="${fleet.rank}"]`).click();
    await who.page.locator('[data-verb="move"]').click();
    await who.page.getByLabel("Destination").selectOption(`${best}`);
    await who.page.getByRole("button", { name: "Give order" }).click();
    await who.page.locator(`button[data-fleet="${fleet.rank}"][data-ordered="move"]`).waitFor();
  }
}

/** Ends every turn without orders until there is a result. */
export async function sitOut(whos, from, most) {
  for (let at = from; at <= most; at += 1) {
    for (const who of whos) {
      const table = who.page.locator(`.table[data-turn="${at}"][data-done="false"]`);
      const result = who.page.locator("[data-result]");
      await Promise.race([table.waitFor(), result.waitFor()]);
      if (await result.isVisible()) continue;
      await endTurn(who);
    }
    if (await whos[0].page.locator("[data-result]").isVisible()) break;
  }
  for (const who of whos) await who.page.locator("[data-result]").waitFor();
}

/** Every view that a browser received. */
export function views(who) {
  const heard = who.frames.filter((it) => it.way === "in" && it.message.type === "match");
  return heard.flatMap(({ message }) => (message.message.type === "standing" ? [message.message.view] : []));
}

/** Checks that a view contains nothing that fog hides, with ranges computed independently. */
export function fogHolds(view, seat) {
  assert.equal(view.seat, seat);
  const { systems, ranges } = view.map;
  const apart = (one, other) => Math.hypot(one.x - other.x, one.y - other.y, one.z - other.z);
  const seen = (at) => {
    if (view.fleets.some((it) => apart(it.at, at) <= ranges.sensor)) return true;
    const owned = systems
      .map((it, idx) => ({ far: apart(it, at), owner: view.owners[idx] }))
      .filter((it) => it.owner !== null);
    owned.sort((one, other) => one.far - other.far);
    if (owned.some((it) => it.owner === seat && it.far <= ranges.capture)) return true;
    return owned[0] !== undefined && owned[0].owner === seat && owned[0].far <= ranges.territory;
  };
  for (const contact of view.contacts) {
    assert.deepEqual(Object.keys(contact).sort(), ["at", "orbit", "owner", "rank", "ships"]);
    assert.ok(
      contact.owner !== seat && seen(contact.at),
      `a fleet that fog hides: ${JSON.stringify(contact)} in turn ${view.turn}`,
    );
  }
  const near = (id) => {
    const idx = systems.findIndex((it) => it.id === id);
    const own =
      view.armies.some((it) => it.owner === seat && it.system === id) || view.fleets.some((it) => it.orbit === id);
    return own || view.owners[idx] === seat;
  };
  for (const army of view.armies)
    assert.ok(army.owner === seat || near(army.system), `an army that fog hides: ${JSON.stringify(army)}`);
}
