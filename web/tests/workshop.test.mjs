// The scenario workshop, from an empty form to a finished match.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { look, reachable, SIZES } from "./inspect.mjs";
import { sitOut, turn } from "./stellar.mjs";
import { stage, test, visitor } from "./support.mjs";

const { server, browser } = await stage();

const field = (who, pointer) => who.page.locator(`[data-pointer="${pointer}"]`);
const fill = (who, pointer, value) => field(who, pointer).locator("input").fill(value);
const choose = (who, pointer, value) => field(who, pointer).locator("select").selectOption(value);
const playable = (who) => who.page.locator('.workshop[data-playable="true"]').waitFor();

test("an empty form becomes a scenario that is played to the end", async () => {
  const who = await visitor(browser, server.url);
  await who.go("/workshop");
  await who.page.locator("[data-errors]").filter({ hasText: "errors" }).waitFor();
  assert.ok(Number(await who.page.locator("[data-errors]").getAttribute("data-errors")) >= 4);
  // Each error is shown at its field.
  await field(who, "/meta/title").locator(".finding.error").waitFor();
  await field(who, "/generation/topology").locator(".finding.error").waitFor();

  await fill(who, "/meta/title", "Trial of two");
  await fill(who, "/id", "trial_of_two");
  await fill(who, "/meta/description", "A short one.");
  await choose(who, "/generation/topology", "ring");
  await fill(who, "/generation/systemCount", "14");
  await fill(who, "/generation/radius", "50");
  const add = who.page.getByRole("button", { name: "Add a faction" });
  await add.click();
  await add.click();
  await choose(who, "/setup/startingDistribution", "cluster");
  await who.page.getByRole("button", { name: "Give each faction the same fleet" }).click();
  await who.page.getByRole("button", { name: "Add an objective" }).click();
  await who.page.getByLabel("Victory condition").selectOption("survival");
  await fill(who, "/objectives/constraints/maxTurns", "3");
  await playable(who);

  // Survival to turn 30 of 3 cannot be reached; the field and the top of the page say so.
  await who.page.getByText("A survival objective cannot be reached.").waitFor();
  await who.page.locator('.finding.warning[data-code="survival_beyond_cap"]').first().waitFor();
  await fill(who, "/objectives/victory/0/turns", "3");
  await who.page.getByText("A survival objective cannot be reached.").waitFor({ state: "detached" });
  await playable(who);
  await who.page.locator("canvas").waitFor();
  await who.shot("workshop-sound");

  // The form and the text are one document.
  const text = who.page.getByLabel("Document (JSON)");
  const document = JSON.parse(await text.inputValue());
  assert.equal(document.generation.systemCount, 14);
  document.meta.title = "Trial of three turns";
  await text.fill(JSON.stringify(document));
  assert.equal(await field(who, "/meta/title").locator("input").inputValue(), "Trial of three turns");
  await text.fill("{ not json");
  await who.page.getByText("The text is not a JSON object.").waitFor();
  await text.fill(JSON.stringify(document));
  await playable(who);

  const saved = who.page.waitForEvent("download");
  await who.page.getByRole("button", { name: "Export" }).click();
  const file = await saved;
  assert.equal(file.suggestedFilename(), "trial_of_two.json");
  assert.deepEqual(JSON.parse(readFileSync(await file.path(), "utf8")), document);

  await who.page.getByRole("button", { name: "Play it against the AI" }).click();
  await turn(who, 1);
  await who.page.getByText("Trial of three turns").first().waitFor();
  await sitOut([who], 1, 3);
  assert.equal(await who.page.locator("[data-ending]").getAttribute("data-ending"), "survival");
  await who.close();
});

test("the same seed generates the same scenario", async () => {
  const who = await visitor(browser, server.url);
  await who.go("/workshop");
  const text = who.page.getByLabel("Document (JSON)");
  const make = async (seed) => {
    await who.page.locator("#gen-seed").fill(String(seed));
    await who.page.getByRole("button", { name: "Generate", exact: true }).click();
    await who.page.waitForFunction(
      (wanted) => document.querySelector("#scenario-json").value.includes(`"fixedSeed": ${wanted}`),
      seed,
    );
    await playable(who);
    return text.inputValue();
  };
  await who.page.getByText("Generate from a seed").click();
  const first = await make(7);
  const other = await make(8);
  assert.notEqual(first, other);
  assert.equal(await make(7), first);
  await who.page.getByText(/60 systems, seed 7/).waitFor();
  await who.close();
});

for (const [size, viewport, options] of SIZES) {
  test(`the workshop fits on a ${size} and is accessible`, async () => {
    const who = await visitor(browser, server.url, { viewport, ...options });
    await who.go("/workshop");
    await who.page.getByLabel("Start from…").selectOption("crown_of_stars");
    await playable(who);
    await look(who, `workshop-${size}`);
    await reachable(who, `workshop-${size}`);
    await who.close();
  });
}
