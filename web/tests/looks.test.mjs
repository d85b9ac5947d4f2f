// Every screen in three sizes: nothing overflows, every control is reachable, and there are no errors.

import assert from "node:assert/strict";
import { faults, look, reachable, SIZES } from "./inspect.mjs";
import { confirm, fits, lay, LAYOUTS, phase, playBot, playOn, signIn, stage, test, visitor } from "./support.mjs";

const { server, browser } = await stage({ REFEREE_TIMING: "orcain.step-ms=700,orcain.turn-ms=60000" });

for (const [size, viewport, options] of SIZES) {
  test(`every screen works on a ${size}`, async () => {
    const who = await visitor(browser, server.url, { viewport, reducedMotion: "reduce", ...options });
    const settled = () => who.page.waitForTimeout(350);
    await who.go("/");
    await who.page.getByRole("button", { name: "Play now as a guest" }).waitFor();
    await look(who, `welcome-${size}`);
    await who.page.getByRole("button", { name: "Sign in" }).click();
    await look(who, `login-${size}`);
    await who.go("/tutorial/orcain");
    await who.page.getByRole("heading", { name: "Two fighters, ten hit points" }).waitFor();
    await who.page.getByRole("button", { name: "Next" }).click();
    await who.page.getByRole("button", { name: "Next" }).click();
    await look(who, `tutorial-${size}`);
    await signIn(who, `Looker ${size}`);
    await who.page.getByRole("button", { name: "Play: Wanderer" }).waitFor();
    await settled();
    await look(who, `lobby-${size}`);
    await reachable(who, `lobby-${size}`);
    await playBot(who, "Old Master");
    await lay(who, ["Attack", "Defense"]);
    await settled();
    await look(who, `laying-out-${size}`);
    await reachable(who, `laying-out-${size}`);
    await lay(who, ["Heal"]);
    await confirm(who);
    await who.page.locator('[data-step="1"] [data-far]:not([data-far="hidden"])').waitFor();
    await settled();
    await look(who, `reveal-${size}`);
    await phase(who, "PREP", 2);
    await lay(who, ["Counter", "Attack"]);
    await settled();
    await look(who, `round-2-${size}`);
    await lay(who, ["Heal"]);
    await confirm(who);
    await playOn(who, LAYOUTS.attacker, 3);
    await settled();
    await look(who, `result-${size}`);
    await reachable(who, `result-${size}`);
    await who.page.getByRole("link", { name: "See the replay" }).click();
    await who.page.locator("div.frame").waitFor();
    await who.page.getByRole("radio", { name: "All players" }).check();
    await who.page.getByRole("button", { name: "1 · 2", exact: true }).click();
    await settled();
    await look(who, `replay-${size}`);
    await reachable(who, `replay-${size}`);
    for (const [path, heading] of [
      ["/leaderboard", "Rankings"],
      ["/history", "Your matches"],
      ["/profile", "Profile"],
      ["/settings", "Settings"],
    ]) {
      await who.go(path);
      await who.page.getByRole("heading", { name: heading, exact: true }).waitFor();
      await settled();
      await look(who, `${path.slice(1)}-${size}`);
    }
    await reachable(who, `settings-${size}`);
    await who.close();
  });
}

test("settings take effect immediately and survive a reload", async () => {
  const who = await visitor(browser, server.url);
  await signIn(who);
  await who.go("/settings");
  await who.page.getByRole("radio", { name: "Français" }).check();
  await who.page.getByRole("heading", { name: "Réglages" }).waitFor();
  await who.page.getByRole("radio", { name: "Claire" }).check();
  await who.page.getByRole("radio", { name: "Adaptées au daltonisme" }).check();
  await who.page.getByRole("radio", { name: "Réduit" }).check();
  await who.page.reload();
  const root = await who.page.evaluate(() => ({
    lang: document.documentElement.lang,
    ...document.documentElement.dataset,
  }));
  assert.deepEqual(root, { lang: "fr", theme: "light", palette: "color-blind", motion: "less" });
  await faults(who, "settings in French, light, color-blind");
  await who.page.getByRole("link", { name: "Jouer" }).click();
  await who.page.getByRole("button", { name: "Jouer: Vagabond" }).click();
  await phase(who, "PREP", 1);
  await who.page.getByText("Posez vos cartes").waitFor();
  await faults(who, "match in French, light, color-blind");
  await fits(who, "match in French");
  await who.shot("match-french");
  await who.close();
});

test("a nickname is validated while it is typed", async () => {
  const who = await visitor(browser, server.url, { expected: [/409/] });
  await signIn(who, "Unique One");
  await who.page.getByRole("link", { name: /^Profile/ }).click();
  const name = who.page.getByLabel("Nickname");
  const button = who.page.getByRole("button", { name: "Use this name" });
  for (const [text, verdict, good] of [
    ["ab", "Use at least 3 characters.", false],
    ["a<b>c", "Use only letters, digits, spaces, _ and -", false],
    ["12345678901234567", "Use at most 16 characters.", false],
    ["Grôm the 2nd", "Looks good.", true],
  ]) {
    await name.fill(text);
    await who.page.getByText(verdict).waitFor();
    assert.equal(await button.isEnabled(), good, text);
  }
  const other = await visitor(browser, server.url, { expected: [/409/] });
  await other.go("/");
  await other.page.getByRole("button", { name: "Play now as a guest" }).click();
  await other.page.getByLabel("Nickname").fill("unique one");
  await other.page.getByRole("button", { name: "Use this name" }).click();
  await other.page.getByText("This nickname, or one that looks like it, is taken.").waitFor();
  await who.close();
  await other.close();
});

test("files are compressed, cached forever if their name has a hash, and served with a strict policy", async () => {
  const page = await fetch(`${server.url}/`, { headers: { "accept-encoding": "br" } });
  const policy = page.headers.get("content-security-policy");
  assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/);
  assert.doesNotMatch(policy, /unsafe/);
  assert.equal(page.headers.get("cache-control"), "no-cache");
  const html = await page.text();
  const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((it) => it[1]);
  assert.ok(files.length >= 2);
  for (const file of files) {
    const answer = await fetch(server.url + file, { headers: { "accept-encoding": "gzip, br" } });
    assert.equal(answer.headers.get("cache-control"), "public, max-age=31536000, immutable");
    assert.equal(answer.headers.get("content-encoding"), "br");
  }
  const kept = await fetch(`${server.url}/`, { headers: { "if-none-match": page.headers.get("etag") } });
  assert.equal(kept.status, 304);
  assert.equal((await fetch(`${server.url}/no/such/page`)).status, 404);
});

test("the first match of a new visitor loads less than 300 KB", async () => {
  const who = await visitor(browser, server.url);
  const session = await who.context.newCDPSession(who.page);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", (event) => (bytes += event.encodedDataLength));
  await signIn(who);
  await playBot(who);
  assert.ok(bytes > 20_000 && bytes < 300_000, `${bytes} bytes`);
  await who.close();
});
