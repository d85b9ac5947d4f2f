// Matches that end or continue without a disconnected player.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { endTurn, turn } from "./stellar.mjs";
import {
  CUT,
  giveUp,
  heard,
  launch,
  lay,
  meddleWith,
  online,
  openOrder,
  phase,
  playBot,
  queue,
  said,
  signIn,
  startNetwork,
  startServer,
  test,
  until,
  visitor,
} from "./support.mjs";

/** Longer than the retry delay of the page. */
const A_WHILE_MS = 1_500;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

async function pair(one, other) {
  await queue(one);
  await one.page.getByText(/Looking for an opponent/).waitFor();
  await queue(other);
  await Promise.all([phase(one, "PREP", 1), phase(other, "PREP", 1)]);
}

test("a player removed while disconnected is notified and sends nothing more to the match", async () => {
  const network = await startNetwork();
  const server = await startServer({ REFEREE_TIMING: "stellar.turn-ms=120000,grace-ms=500" }, [
    "--origin",
    network.url,
  ]);
  network.to(server.url);
  try {
    const stayer = await visitor(browser, server.url);
    const who = await visitor(browser, network.url, { expected: CUT });
    await signIn(stayer, "Stayer");
    await signIn(who, "Sleeper");
    const link = await openOrder(stayer, {
      game: "stellar",
      setup: { scenario: "three_crowns", seed: 5 },
      seats: ["host", { bot: "random" }, "guest"],
    });
    await who.go(new URL(link).pathname);
    await Promise.all([turn(stayer, 1), turn(who, 1)]);
    const [{ match_id: id }] = heard(who, "match_found");
    network.cut();
    await who.page
      .getByRole("alert")
      .getByText(/Connection lost/)
      .waitFor();
    // The turn ends early, so the match no longer waits for the disconnected player.
    await endTurn(stayer);
    await turn(stayer, 2);
    // The first request for the outcome also fails.
    let n_asked = 0;
    await who.page.route(`**/api/matches/${id}`, (route) => {
      n_asked += 1;
      return n_asked === 1 ? route.abort() : route.continue();
    });
    network.mend();
    await who.page.getByRole("heading", { name: "You have left this match" }).waitFor();
    assert.equal(n_asked, 2);
    const before = said(who, "ask").length;
    await who.page.waitForTimeout(A_WHILE_MS);
    assert.equal(said(who, "ask").length, before);
    // The player can start another match.
    await who.page.getByRole("link", { name: "Back to home" }).click();
    await who.page.getByRole("radio", { name: "Orcain" }).check({ force: true });
    await playBot(who);
    await giveUp(stayer);
    await stayer.close();
    await who.close();
  } finally {
    network.stop();
    await server.stop();
  }
});

test("a player removed while the page reloads is notified", async () => {
  const server = await startServer();
  try {
    const who = await visitor(browser, server.url);
    let n_connections = 0;
    await meddleWith(who, ({ toPage }) => {
      n_connections += 1;
      if (n_connections === 1) return {};
      // The player is removed after the welcome names the match and before the seat is restored.
      return {
        heard(message) {
          if (message.type === "match_found") toPage({ type: "left", match_id: message.match_id });
          else if (message.type !== "match") toPage(message);
        },
      };
    });
    await signIn(who);
    await playBot(who);
    await who.page.reload();
    await who.page.getByRole("heading", { name: "You have left this match" }).waitFor();
    await who.close();
  } finally {
    await server.stop();
  }
});

test("a decision that crosses the end of its match is not sent forever", async () => {
  const server = await startServer();
  try {
    const one = await visitor(browser, server.url);
    const other = await visitor(browser, server.url);
    const asks = [];
    let ended = false;
    await meddleWith(one, ({ toPage, toServer }) => ({
      said(message) {
        if (message.type === "ask") asks.push(message);
        if (message.type !== "ask" || ended) toServer(message);
      },
      heard(message) {
        toPage(message);
        if (message.type !== "match_end") return;
        ended = true;
        for (const late of asks.splice(0)) toServer(late);
      },
    }));
    await signIn(one, "Crosser");
    await signIn(other, "Quitter");
    await pair(one, other);
    await lay(one, ["Attack"]);
    await until(() => asks.length === 1, "a draft is in flight");
    await giveUp(other);
    await one.page.getByText("Quitter gave up.").waitFor();
    await until(() => heard(one, "error").some((it) => it.code === "not_seated"), "the draft is refused");
    await one.page.waitForTimeout(A_WHILE_MS);
    assert.deepEqual(asks, []);
    await one.close();
    await other.close();
  } finally {
    await server.stop();
  }
});

test("a decision refused for lack of a seat in a running match is sent again after a delay", async () => {
  const server = await startServer();
  try {
    const who = await visitor(browser, server.url);
    const asks = [];
    await meddleWith(who, ({ toPage, toServer }) => ({
      said(message) {
        if (message.type === "ask") asks.push(Date.now());
        if (message.type === "ask" && asks.length === 1)
          toPage({ type: "error", code: "not_seated", message: "", seq: message.seq });
        else toServer(message);
      },
    }));
    await signIn(who);
    await playBot(who);
    await lay(who, ["Attack"]);
    await who.page.getByText("Saved", { exact: true }).waitFor();
    assert.equal(asks.length, 2);
    assert.ok(asks[1] - asks[0] > A_WHILE_MS, `after ${asks[1] - asks[0]} ms`);
    await who.close();
  } finally {
    await server.stop();
  }
});

test("a match that ends while its page loads causes no resync and no error on the home page", async () => {
  const server = await startServer({ REFEREE_TIMING: "orcain.grace-ms=20000" });
  try {
    const one = await visitor(browser, server.url);
    const other = await visitor(browser, server.url);
    await signIn(one, "Loader");
    await signIn(other, "Hasty");
    await pair(one, other);
    let release;
    const held = new Promise((resolve) => (release = resolve));
    await one.page.route(/\/assets\/orcain-[^/]*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await one.page.reload();
    await until(() => heard(one, "match_found").some((it) => it.resumed), "the match is resumed");
    await giveUp(other);
    await until(() => heard(one, "match_end").length === 1, "the match is over");
    release();
    await one.page.getByText("Hasty gave up.").waitFor();
    await one.page.waitForTimeout(A_WHILE_MS);
    assert.deepEqual(said(one, "resync"), []);
    await one.page.getByRole("button", { name: "Back to home" }).click();
    await one.page.locator(".stakes").waitFor();
    assert.equal(await one.page.locator(".fault").textContent(), "");
    await one.close();
    await other.close();
  } finally {
    await server.stop();
  }
});

test("a spectator who was disconnected at the end sees the result", async () => {
  const network = await startNetwork();
  const server = await startServer({}, ["--origin", network.url]);
  network.to(server.url);
  try {
    const player = await visitor(browser, server.url);
    const stranger = await visitor(browser, network.url, { expected: CUT });
    await signIn(player, "Gladiator");
    await playBot(player);
    const [{ match_id: id }] = heard(player, "match_found");
    await stranger.go(`/watch/${id}`);
    await stranger.page.getByText(/You are watching/).waitFor();
    network.cut();
    await stranger.page.locator('[data-link="waiting"]').waitFor({ state: "attached" });
    await giveUp(player);
    await player.page.locator("[data-result]").waitFor();
    network.mend();
    await online(stranger);
    await stranger.page.getByText("Gladiator gave up.").waitFor();
    assert.equal(await stranger.page.getByText(/You are watching/).count(), 0);
    await player.close();
    await stranger.close();
  } finally {
    network.stop();
    await server.stop();
  }
});
