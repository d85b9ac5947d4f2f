// The workshop measures how even a scenario is.

import assert from "node:assert/strict";
import { look, reachable, SIZES } from "./inspect.mjs";
import { stage, test, until, visitor } from "./support.mjs";

const { server, browser } = await stage();

const panel = (who) => who.page.getByRole("region", { name: "Balance" });
const state = (who, name) => who.page.locator(`[data-balance="${name}"]`).waitFor();
const measure = (who) =>
  panel(who)
    .getByRole("button", { name: /^Measure/ })
    .click();
const nDone = (who) =>
  panel(who)
    .locator("progress")
    .evaluate((it) => it.value);

async function open(scenario, options = {}) {
  const who = await visitor(browser, server.url, options);
  await who.go("/workshop");
  await who.page.getByLabel("Start from…").selectOption(scenario);
  await until(
    async () => JSON.parse(await who.page.getByLabel("Document (JSON)").inputValue()).id === scenario,
    "the scenario is shown",
  );
  await who.page.locator('.workshop[data-playable="true"]').waitFor();
  return who;
}

for (const [size, viewport, options] of SIZES) {
  test(`the report on balance fits on a ${size} and is accessible`, async () => {
    const who = await open("land_rush", { viewport, ...options });
    await measure(who);
    await state(who, "done");
    await panel(who).getByText("300 of 300 matches").waitFor();
    await panel(who).getByText("200 matches in 50 galaxies").waitFor();
    const rows = await panel(who).locator("tbody tr").allInnerTexts();
    assert.equal(rows.length, 2);
    for (const row of rows) assert.match(row, /\d+\.\d %\s+\d+\.\d–\d+\.\d %/);
    await panel(who).locator('[data-pays="true"]').waitFor();
    await panel(who).getByText("Median").waitFor();
    await look(who, `balance-${size}`);
    await panel(who).scrollIntoViewIfNeeded();
    await panel(who).screenshot({ path: `${process.env.REFEREE_SHOTS ?? "screenshots"}/balance-panel-${size}.png` });
    await reachable(who, `balance-${size}`);
    await who.close();
  });
}

test("a measurement shows its progress, stops on request, and says when the scenario has changed", async () => {
  const who = await open("thousand_suns");
  await measure(who);
  await until(async () => (await nDone(who)) > 0, "some matches are played", 60_000);
  await panel(who).getByRole("button", { name: "Stop" }).click();
  await state(who, "stopped");
  await panel(who)
    .getByText(/^Stopped after \d+ match/)
    .waitFor();
  assert.ok((await panel(who).locator("tbody tr").count()) > 2);
  await who.page.locator('[data-pointer="/meta/title"] input').fill("Another title");
  await panel(who).getByText("The scenario has changed since this was measured.").waitFor();

  // The same window starts another measurement at once.
  await who.page.locator('.workshop[data-playable="true"]').waitFor();
  await measure(who);
  await until(async () => (await nDone(who)) > 0, "some matches are played", 60_000);
  await panel(who).getByRole("button", { name: "Stop" }).click();
  await who.close();
});

test("a second measurement waits until the first is stopped", async () => {
  // The place may still belong to the measurement of the test before.
  const first = await open("thousand_suns", { expected: [/503/] });
  const second = await open("land_rush", { expected: [/503/] });
  await measure(first);
  await until(async () => (await nDone(first)) > 0, "some matches are played", 60_000);
  await measure(second);
  await state(second, "waiting");
  await panel(first).getByRole("button", { name: "Stop" }).click();
  await state(second, "done");
  await first.close();
  await second.close();
});

test("a scenario with errors is not measured", async () => {
  const who = await visitor(browser, server.url);
  await who.go("/workshop");
  await who.page.locator("[data-errors]").filter({ hasText: "errors" }).waitFor();
  assert.ok(await panel(who).getByRole("button", { name: "Measure the balance" }).isDisabled());
  await panel(who).getByText("Fix the errors first.").waitFor();
  await who.close();
});
