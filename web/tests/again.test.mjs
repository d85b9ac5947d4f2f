// Rematches and the match history.

import assert from "node:assert/strict";
import { chooseCatan, openTable, table } from "./catan.mjs";
import { look } from "./inspect.mjs";
import { giveUp, online, openOrder, phase, PHONE, signIn, stage, test, visitor } from "./support.mjs";

const { server, browser } = await stage({
  REFEREE_BOT_BEAT_MS: "20",
  REFEREE_MESSAGES_PER_SECOND: "400",
  REFEREE_GUESTS_PER_HOUR: "1000",
});

const rematch = (who) => who.page.getByRole("button", { name: "Rematch" });
const matchId = (who) => who.frames.filter((it) => it.message.type === "match_found").at(-1)?.message.match_id;
const seat = (who) => who.frames.filter((it) => it.message.type === "match_found").at(-1)?.message.seat;

test("after an invited match both players can request a rematch, and it starts when both accept", async () => {
  const [host, guest] = [
    await visitor(browser, server.url),
    await visitor(browser, server.url, { viewport: PHONE, colorScheme: "dark" }),
  ];
  await signIn(host, "Hostess");
  await host.page.getByRole("button", { name: "Invite a friend" }).click();
  const link = await host.page.locator(".invitation code").textContent();
  await guest.page.goto(link);
  await guest.page.getByRole("button", { name: "Accept as a guest" }).click();
  await Promise.all([phase(host, "PREP", 1), phase(guest, "PREP", 1)]);
  const first = matchId(host);
  await giveUp(guest);
  await rematch(guest).waitFor();
  await rematch(host).click();
  await host.page.getByText("Waiting for Guest").waitFor();
  await guest.page.getByText("Hostess wants a rematch.").waitFor();
  await look(guest, "rematch-wanted-phone");
  await rematch(guest).click();
  await Promise.all([phase(host, "PREP", 1), phase(guest, "PREP", 1)]);
  assert.notEqual(matchId(host), first);
  assert.equal(matchId(host), matchId(guest));
  assert.deepEqual([seat(host), seat(guest)], [1, 0], "the players swap seats");
  await giveUp(host);
  await rematch(guest).waitFor();
  await host.close();
  await guest.close();
});

test("a rematch of a custom Catan match is accepted from the home page, or declined", async () => {
  const [anna, bert] = [await visitor(browser, server.url), await visitor(browser, server.url)];
  await signIn(anna, "Anna R");
  await openTable(anna, 5);
  const link = await anna.page.locator(".invitation code").textContent();
  await signIn(bert, "Bert R");
  await bert.page.goto(link);
  await Promise.all([anna, bert].map((who) => table(who).waitFor()));
  await giveUp(anna);
  await bert.page.locator("[data-result]").waitFor();
  await bert.page.getByRole("button", { name: "Back to home" }).click();
  await rematch(anna).click();
  await bert.page.getByText("Your last opponent wants a rematch.").waitFor();
  await look(bert, "rematch-banner-desktop");
  await bert.page.locator("[data-wish]").getByRole("button", { name: "Play again" }).click();
  await Promise.all([anna, bert].map((who) => table(who).waitFor()));
  await giveUp(bert);
  await rematch(anna).click();
  await bert.page.getByText("Anna R wants a rematch.").waitFor();
  await bert.page.getByRole("button", { name: "Back to home" }).click();
  await anna.page.getByText("Your opponent declined the rematch.").waitFor();
  await anna.close();
  await bert.close();
});

test("a rematch of a custom match against bots starts immediately, even after a reload", async () => {
  const who = await visitor(browser, server.url);
  await signIn(who);
  await openOrder(who, { game: "catan", setup: { vp_to_win: 4 }, seats: [{ bot: "random" }, "host"] });
  await table(who).waitFor();
  const first = matchId(who);
  await giveUp(who);
  await who.page.locator("[data-result]").waitFor();
  await who.page.reload();
  await online(who);
  await rematch(who).click();
  await table(who).waitFor();
  assert.notEqual(matchId(who), first);
  assert.equal(seat(who), 1);
  await who.close();
});

/** Loses matches against bots over a raw socket, to fill the history. */
async function lose(who, games) {
  await who.page.evaluate(async (games) => {
    const token = localStorage.getItem("referee.token");
    const socket = new WebSocket(`ws://${location.host}/ws`);
    await new Promise((resolve) => (socket.onopen = resolve));
    const say = (message) => socket.send(JSON.stringify(message));
    await new Promise((resolve) => {
      let at = 0;
      const next = () => (at < games.length ? say({ type: "play_bot", game: games[at], bot: "random" }) : resolve());
      socket.onmessage = ({ data }) => {
        const message = JSON.parse(data);
        if (message.type === "welcome") next();
        if (message.type === "match_found") say({ type: "resign", match_id: message.match_id, seq: message.next_seq });
        if (message.type === "match_end") {
          at += 1;
          next();
        }
      };
      say({ type: "hello", protocol: 1, token });
    });
    socket.close();
  }, games);
}

test("the history lists matches of every game, page by page, with their replays", async () => {
  const who = await visitor(browser, server.url);
  await signIn(who, "Historian");
  await chooseCatan(who);
  const games = ["stellar", "catan", ...Array.from({ length: 21 }, () => "orcain"), "stellar", "catan"];
  await lose(who, games);
  await who.go("/history");
  const rows = who.page.locator(".rows li");
  await who.page.getByText("Catan vs Castaway").waitFor();
  assert.equal(await rows.count(), 20);
  assert.deepEqual(await rows.evaluateAll((all) => all.slice(0, 3).map((it) => it.dataset.game)), [
    "catan",
    "stellar",
    "orcain",
  ]);
  await who.page.getByText("Stellar Fleet vs Drifter").waitFor();
  await look(who, "history-pages-desktop");
  await who.page.getByRole("button", { name: "Show older matches" }).click();
  await who.page.locator(".rows li:nth-child(25)").waitFor();
  assert.equal(await rows.count(), 25, "every match appears once");
  assert.equal(await who.page.getByRole("button", { name: "Show older matches" }).count(), 0);
  assert.deepEqual(await rows.evaluateAll((all) => all.slice(-2).map((it) => it.dataset.game)), ["catan", "stellar"]);
  await who.page.setViewportSize(PHONE);
  await look(who, "history-pages-phone");
  await rows.last().getByRole("link", { name: "Replay" }).click();
  await who.page.getByText("every hash matches").waitFor();
  await who.close();
});
