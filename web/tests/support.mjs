// A test server, a browser, and common player actions.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { watchServer, watchVisitor } from "./evidence.mjs";

export { test } from "./evidence.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const BINARY = process.env.REFEREE_BIN ?? join(here, "../../target/release/referee");
const BROWSER = process.env.REFEREE_BROWSER ?? "/usr/bin/chromium";
export const SHOTS = process.env.REFEREE_SHOTS ?? join(here, "../screenshots");
export const PHONE = { width: 360, height: 740 };
export const TABLET = { width: 820, height: 1180 };
export const DESKTOP = { width: 1366, height: 850 };
const START_MS = 60_000;

mkdirSync(SHOTS, { recursive: true });

/** Starts a server on a free port with its own data directory; `env` sets its timing. */
export async function startServer(env = {}, args = []) {
  const data = mkdtempSync(join(tmpdir(), "referee-web-"));
  const { REFEREE_TIMING: times = "", ...others } = env;
  const timing = ["orcain.turn-ms=120000", "orcain.step-ms=250", times].filter(Boolean).join(",");
  const child = spawn(
    BINARY,
    [
      "serve",
      "--listen",
      "127.0.0.1:0",
      "--data",
      data,
      "--log",
      "info,server=debug",
      "--storage-patience-ms",
      "30000",
      ...args,
    ],
    {
      env: { ...process.env, REFEREE_BOT_PAUSE_MS: "400", REFEREE_TIMING: timing, ...others },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const watched = watchServer(child, async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await ended;
    rmSync(data, { recursive: true, force: true });
  });
  const url = await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("the server does not start")), START_MS);
    child.stdout.on("data", () => {
      const found = /listening on (http:\/\/\S+)/.exec(watched.log);
      if (found) {
        clearTimeout(late);
        resolve(found[1]);
      }
    });
    child.on("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { url, stop: watched.discard };
}

/** A proxy that can be cut. It forwards every connection to the server given last. */
export async function startNetwork() {
  let target = null;
  const open = new Set();
  let cut = false;
  const server = net.createServer((socket) => {
    if (cut || target === null) return socket.destroy();
    const on = net.connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [socket, on],
      [on, socket],
    ]) {
      open.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    to(server) {
      target = new URL(server);
    },
    cut() {
      cut = true;
      for (const socket of open) socket.destroy();
    },
    mend() {
      cut = false;
    },
    stop() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

/** Console messages that browsers print for a cut connection. */
export const CUT = [
  /WebSocket connection|ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_FAILED|ERR_INTERNET|ERR_SOCKET|Failed to load resource/,
];

/** Intercepts the socket between the server and a page that is not open yet. For each connection,
 * `meddle` receives functions that send to either side and returns handlers for their messages. */
export async function meddleWith(who, meddle) {
  await who.page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    const toPage = (message) => socket.send(JSON.stringify(message));
    const toServer = (message) => server.send(JSON.stringify(message));
    const drop = () => Promise.all([socket.close(), server.close()]);
    const { said = toServer, heard = toPage } = meddle({ toPage, toServer, drop });
    socket.onMessage((text) => said(JSON.parse(text)));
    server.onMessage((text) => heard(JSON.parse(text)));
  });
}

/** The messages of one type that a page has sent. */
export const said = (who, type) =>
  who.frames.filter((it) => it.way === "out" && it.message.type === type).map((it) => it.message);

/** The messages of one type that a page has received. */
export const heard = (who, type) =>
  who.frames.filter((it) => it.way === "in" && it.message.type === type).map((it) => it.message);

/** Waits until a condition holds, and fails with `what` after `most_ms`. */
export async function until(isSo, what, most_ms = 15_000) {
  const end = Date.now() + most_ms;
  while (!(await isSo())) {
    assert.ok(Date.now() < end, `not in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export function launch() {
  return chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox", "--disable-gpu", "--mute-audio"] });
}

/** A server and a browser for all tests of a file, stopped after the last one. */
export async function stage(env = {}, args = []) {
  const server = await startServer(env, args);
  const browser = await launch().catch(async (error) => {
    await server.stop();
    throw error;
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });
  return { server, browser };
}

/** A visitor: a window with its own storage. Errors and warnings of the page fail the test when it is closed. */
export async function visitor(browser, url, options = {}) {
  const { expected = [], ...rest } = options;
  const context = await browser.newContext({ viewport: DESKTOP, locale: "en-GB", ...rest });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints = [];
  const frames = [];
  const known = (text) => expected.some((it) => it.test(text));
  page.on("console", (message) => {
    const text = `${message.type()}: ${message.text()} ${message.location().url}`;
    if (["error", "warning"].includes(message.type()) && !known(text)) complaints.push(text);
  });
  page.on("pageerror", (error) => complaints.push(`exception: ${error.stack}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("blob:"))
      complaints.push(`off origin: ${request.url()}`);
  });
  page.on("websocket", (socket) => {
    const keep =
      (way) =>
      ({ payload }) =>
        frames.push({ way, at: Date.now(), message: JSON.parse(payload.toString()) });
    socket.on("framereceived", keep("in"));
    socket.on("framesent", keep("out"));
  });
  const watched = watchVisitor({ context, page, frames, complaints });
  return {
    context,
    page,
    frames,
    complaints,
    url,
    go: (path) => page.goto(url + path),
    shot: (name) => page.screenshot({ path: join(SHOTS, `${name}.png`) }),
    async close() {
      // A page with errors gets a screenshot while it is still open.
      if (complaints.length > 0) await watched.picture();
      await context.close();
      assert.deepEqual(complaints, []);
      await watched.discard();
    },
  };
}

/** Signs in as a guest, with a nickname if one is given. */
export async function signIn(who, name) {
  await who.go("/");
  await who.page.getByRole("button", { name: "Play now as a guest" }).click();
  await online(who);
  if (name === undefined) {
    await who.page.getByRole("button", { name: "Later" }).click();
    return;
  }
  await who.page.getByLabel("Nickname").fill(name);
  await who.page.getByRole("button", { name: "Use this name" }).click();
  await who.page.getByText("Choose a nickname").waitFor({ state: "detached" });
}

/** Creates a match with any setup, as the form would, and opens its lobby. */
export async function openOrder(who, order) {
  const path = await who.page.evaluate(async (order) => {
    const headers = {
      Authorization: `Bearer ${localStorage.getItem("referee.token")}`,
      "Content-Type": "application/json",
    };
    const answer = await fetch("/api/tables", { method: "POST", headers, body: JSON.stringify(order) });
    return (await answer.json()).path;
  }, order);
  await who.go(path);
  return who.url + path;
}

export async function giveUp(who) {
  await who.page.getByRole("button", { name: "Give up" }).click();
  await who.page.getByRole("button", { name: "Yes, give up" }).click();
}

export const online = (who) => who.page.locator('[data-link="online"]').waitFor({ state: "attached" });

export async function playBot(who, title = "Wanderer") {
  await who.page.getByRole("button", { name: `Play: ${title}` }).click();
  await phase(who, "PREP", 1);
}

export async function queue(who) {
  await who.page.getByRole("button", { name: /^1 ?token/ }).click();
}

/** Waits for a phase of a round. */
export async function phase(who, name, round) {
  const inRound = round === undefined ? "" : `[data-round="${round}"]`;
  await who.page.locator(`[data-phase="${name}"]${inRound}`).first().waitFor();
}

export const LAYOUTS = { attacker: ["Attack", "Defense", "Heal"], healer: ["Heal", "Defense", "Counter"] };

/** Places cards by clicking them. */
export async function lay(who, cards) {
  for (const card of cards)
    await who.page
      .locator(".hand")
      .getByRole("button", { name: new RegExp(`^${card}\\.`) })
      .click();
}

export const confirm = (who) => who.page.getByRole("button", { name: "Confirm", exact: true }).click();

/** Plays a seat to the end of its match, with the same cards in every round. */
export async function playOn(who, cards, from = 1) {
  const result = who.page.locator("[data-result]");
  for (let round = from; round <= 31; round += 1) {
    const table = who.page.locator(`[data-phase="PREP"][data-round="${round}"]`);
    await Promise.race([table.waitFor({ timeout: 25_000 }), result.waitFor({ timeout: 25_000 })]);
    if (await result.isVisible()) return result;
    await lay(who, cards);
    await confirm(who);
    await Promise.race([table.waitFor({ state: "detached", timeout: 25_000 }), result.waitFor({ timeout: 25_000 })]);
  }
  throw new Error("the match does not end");
}

/** Fails if the page is wider than its window. */
export async function fits(who, what) {
  const wide = await who.page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return null;
    const culprits = [...document.querySelectorAll("body *")].filter(
      (it) => it.getBoundingClientRect().right > clientWidth + 1,
    );
    return { clientWidth, scrollWidth, culprits: culprits.slice(0, 5).map((it) => `${it.tagName}.${it.className}`) };
  });
  assert.equal(wide, null, `${what}: ${JSON.stringify(wide)}`);
}
