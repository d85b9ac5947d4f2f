// The queue: a visitor never waits, and never stakes anything, without having asked for it.

import assert from "node:assert/strict";
import {
  CUT,
  heard,
  meddleWith,
  online,
  phase,
  queue,
  said,
  signIn,
  stage,
  startNetwork,
  startServer,
  test,
  until,
  visitor,
} from "./support.mjs";

const ELSEWHERE = "Your account is already in the queue in another window or on another device.";
/** Longer than a page needs to send something after it is connected. */
const A_WHILE_MS = 700;

const { server, browser } = await stage();

const searching = (who) => who.page.getByText(/Looking for an opponent/);
const complaint = (who, text) => who.page.getByRole("alert").getByText(text);

test("a late queue confirmation does not put a page back in the queue after its match", async () => {
  const one = await visitor(browser, server.url);
  const other = await visitor(browser, server.url, { expected: CUT });
  let cut;
  await meddleWith(other, ({ toPage, drop }) => {
    const held = [];
    cut = drop;
    return {
      heard(message) {
        if (message.type === "queued") return held.push(message);
        toPage(message);
        if (message.type === "match_found") held.splice(0).forEach(toPage);
      },
    };
  });
  await signIn(one, "Early");
  await signIn(other, "Late");
  await queue(one);
  await searching(one).waitFor();
  await queue(other);
  await Promise.all([phase(one, "PREP", 1), phase(other, "PREP", 1)]);
  await cut();
  await one.page.getByText("Late disconnected.").waitFor();
  await online(other);
  await other.page.locator("[data-result]").waitFor();
  await other.page.waitForTimeout(A_WHILE_MS);
  assert.equal(said(other, "queue_join").length, 1);
  await other.page.getByRole("button", { name: "Back to home" }).click();
  await other.page.locator(".stakes").waitFor();
  assert.equal(await searching(other).count(), 0);
  await one.close();
  await other.close();
});

test("a visitor who is in the queue in another window is notified", async () => {
  const first = await visitor(browser, server.url);
  await signIn(first, "Double");
  await queue(first);
  await searching(first).waitFor();
  const token = await first.page.evaluate(() => localStorage.getItem("referee.token"));
  const second = await visitor(browser, server.url);
  await second.page.addInitScript((it) => localStorage.setItem("referee.token", it), token);
  await second.go("/");
  await second.page.getByRole("button", { name: /^2 ?tokens/ }).click();
  await complaint(second, ELSEWHERE).waitFor();
  assert.equal(await searching(second).count(), 0);
  assert.equal(await searching(first).count(), 1);
  await second.close();
  await first.page.getByRole("button", { name: "Cancel" }).click();
  await searching(first).waitFor({ state: "detached" });
  assert.equal(await first.page.locator(".fault").textContent(), "");
  await first.close();
});

test("a page stops waiting if another window took its place in the queue after a lost connection", async () => {
  const who = await visitor(browser, server.url, { expected: CUT });
  let n_connections = 0;
  let cut;
  await meddleWith(who, ({ toPage, toServer, drop }) => {
    n_connections += 1;
    const taken = n_connections === 2;
    cut = drop;
    return {
      said(message) {
        if (taken && message.type === "queue_join")
          toPage({ type: "error", code: "already_queued", message: "", seq: null });
        else toServer(message);
      },
    };
  });
  await signIn(who, "Returner");
  await queue(who);
  await searching(who).waitFor();
  await cut();
  await complaint(who, ELSEWHERE).waitFor();
  assert.equal(await searching(who).count(), 0);
  // The queue can be joined again, and the message is gone.
  await cut();
  await until(() => n_connections === 3, "a third connection");
  await online(who);
  await queue(who);
  await searching(who).waitFor();
  assert.equal(await who.page.locator(".fault").textContent(), "");
  await who.page.getByRole("button", { name: "Cancel" }).click();
  await searching(who).waitFor({ state: "detached" });
  await who.close();
});

for (const [reason, words] of [
  ["already_queued", ELSEWHERE],
  ["left", "You left the queue in another window or on another device."],
]) {
  test(`a queue place that another window ended is shown as ended and not requested again (${reason})`, async () => {
    const who = await visitor(browser, server.url, { expected: CUT });
    let page;
    let cut;
    await meddleWith(who, ({ toPage, drop }) => {
      page = toPage;
      cut = drop;
      return {};
    });
    await signIn(who);
    await queue(who);
    await searching(who).waitFor();
    page({ type: "unqueued", reason });
    await complaint(who, words).waitFor();
    assert.equal(await searching(who).count(), 0);
    await cut();
    await until(() => heard(who, "welcome").length === 2, "the page has reconnected");
    await who.page.waitForTimeout(A_WHILE_MS);
    assert.equal(said(who, "queue_join").length, 1);
    await who.close();
  });
}

test("a visitor who cancels while disconnected is not in the queue after the reconnect", async () => {
  const network = await startNetwork();
  const own = await startServer({}, ["--origin", network.url]);
  network.to(own.url);
  try {
    const who = await visitor(browser, network.url, { expected: CUT });
    await signIn(who, "Quitter");
    await queue(who);
    await searching(who).waitFor();
    network.cut();
    await who.page.locator('[data-link="waiting"]').waitFor({ state: "attached" });
    await who.page.getByRole("button", { name: "Cancel" }).click();
    await searching(who).waitFor({ state: "detached" });
    network.mend();
    await online(who);
    await who.page.waitForTimeout(A_WHILE_MS);
    assert.equal(said(who, "queue_join").length, 1);
    await who.close();
  } finally {
    network.stop();
    await own.stop();
  }
});

test("a new account does not inherit the queue place of the previous one", async () => {
  const who = await visitor(browser, server.url);
  await signIn(who, "First One");
  await queue(who);
  await searching(who).waitFor();
  await who.page.getByRole("link", { name: "Profile" }).first().click();
  await who.page.getByRole("button", { name: "Sign out" }).click();
  await who.page.getByRole("button", { name: "Sign out for good" }).click();
  await who.page.getByRole("button", { name: "Play now as a guest" }).click();
  await online(who);
  await who.page.waitForTimeout(A_WHILE_MS);
  assert.equal(said(who, "queue_join").length, 1);
  assert.equal(await searching(who).count(), 0);
  await who.close();
});

// Promise: The answer to an earlier request never takes a page out of a match.
test("a match that is found while a request is in flight stays on the page", async () => {
  const [waits, comes] = [await visitor(browser, server.url), await visitor(browser, server.url)];
  for (const who of [waits, comes]) await signIn(who);
  let letThrough;
  const held = new Promise((resolve) => (letThrough = resolve));
  await waits.page.route("**/api/matches", async (route) => {
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
  });
  await queue(waits);
  await waits.page.getByRole("button", { name: "Cancel" }).waitFor();
  await waits.page.getByRole("button", { name: "Start and watch" }).click();
  await queue(comes);
  for (const who of [waits, comes]) await phase(who, "PREP", 1);
  const answered = waits.page.waitForResponse((response) => response.url().endsWith("/api/matches"));
  letThrough();
  await (await answered).finished();
  // After two more frames the page has read the answer.
  await waits.page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  assert.equal(new URL(waits.page.url()).pathname, "/match");
  await phase(waits, "PREP", 1);
  for (const who of [waits, comes]) await who.close();
});
