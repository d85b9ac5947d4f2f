// Tries every hole of an earlier server through the official client. None must exist here.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { io } from 'socket.io-client';
import {
  STEP_MS,
  Player,
  assertTokens,
  ends,
  playRound,
  playToEnd,
  sleep,
  startServer,
  until,
} from './support.mjs';

const HITS = ['attack', 'heal', 'defense'];
const IS_HIT = ['heal', 'defense', 'counter'];

describe('holes', { concurrency: 3 }, () => {
  it('a hello without a payload does not stop the server', async (test) => {
    const server = await startServer(test);
    const player = new Player(server, await server.guest(), 'tab');
    await player.connect();
    for (const payload of [[], [null], [7], [[]], [{}], [{ sessionId: 'tab' }]]) {
      player.emit('hello', ...payload);
      assert.deepEqual(await player.next('error_msg'), { message: 'Unauthorized' });
    }
    player.emit('queue_join');
    assert.deepEqual(await player.next('error_msg'), { message: 'Please send hello first' });
    player.emit('queue_leave');
    await player.next('queue_left');
    await player.hello();
    await server.isAlive();
  });

  it('an unknown namespace is refused by name, and the default one still works', async (test) => {
    const server = await startServer(test);
    const stranger = io(`${server.url}/admin`, { transports: ['websocket'], reconnection: false });
    test.after(() => stranger.disconnect());
    const error = await new Promise((resolve, reject) => {
      stranger.once('connect_error', resolve);
      stranger.once('connect', () => reject(new Error('it connected')));
    });
    assert.equal(error.message, 'Invalid namespace');
    await server.player();
  });

  it('a confirm that names another match is refused', async (test) => {
    const server = await startServer(test);
    const players = await server.pair();
    const refused = { code: 'unknown_match', message: 'There is no live match with this id.' };
    players[0].emit('layout_confirm', { matchId: 'another', layout: HITS });
    assert.deepEqual(await players[0].next('error_msg'), refused);
    const matchId = players[0].found.matchId;
    players[0].emit('layout_confirm', { matchId, layout: HITS });
    await players[0].next('confirm_ok');
    const idle = await server.player();
    idle.emit('layout_confirm', { matchId, layout: HITS });
    assert.deepEqual(await idle.next('error_msg'), refused);
  });

  it('two people can play the bot at the same time', async (test) => {
    const server = await startServer(test);
    const players = [await server.player(), await server.player()];
    for (const player of players) {
      player.emit('pve_start');
      player.found = await player.next('match_found');
      await player.next('prep_start');
    }
    assert.notEqual(players[0].found.matchId, players[1].found.matchId);
    players[0].confirm(HITS);
    await players[0].next('round_end');
    players[0].leave();
    players[1].confirm(HITS);
    for (let step = 0; step < 3; step += 1) {
      const reveal = await players[1].next('step_reveal');
      assert.equal(reveal.matchId, players[1].found.matchId);
      assert.equal(reveal.yourCard, HITS[step]);
    }
    await server.isAlive();
  });

  it('a layout without a payload does not stop the server', async (test) => {
    const server = await startServer(test);
    const players = await server.pair();
    for (const payload of [[], [null], ['attack'], [{ layout: { length: 3 } }]]) {
      players[0].emit('layout_draft', ...payload);
      players[0].emit('layout_confirm', ...payload);
    }
    await players[0].next('error_msg');
    await playRound(players, [HITS, IS_HIT]);
    await server.isAlive();
  });

  it('spending the stake while queued ends the wait and nothing else', async (test) => {
    const server = await startServer(test, { REFEREE_START_TOKENS: '3' });
    const poor = await server.player();
    const rename = (nickname) =>
      server.http('POST', '/account/nickname', { token: poor.token, body: { nickname } });
    await rename('first name');
    poor.emit('queue_join');
    await poor.next('queue_ok');
    await rename('second name');
    await assertTokens(server, [poor], [0]);
    const players = await server.pair();
    assert.equal(poor.count('match_found'), 0);
    await playToEnd(players, [HITS, IS_HIT]);
    await assertTokens(server, [poor, ...players], [0, 4, 2]);
  });

  it('a player is never in two matches at once', async (test) => {
    const server = await startServer(test);
    const player = await server.player();
    player.emit('queue_join');
    await player.next('queue_ok');
    player.emit('pve_start');
    await sleep(2 * STEP_MS);
    const other = await server.player();
    other.emit('queue_join');
    await other.next('queue_ok');
    await until(() => player.count('match_found') > 0, 'a match is found');
    await sleep(500);
    const matches = new Set(player.all('match_found').map((it) => it.matchId));
    assert.equal(matches.size, 1);
    const ofBoth = player.all('match_found')[0].matchId === other.all('match_found')[0]?.matchId;
    const bot = player.all('match_found')[0].oppNickname === 'Orc Bot';
    assert.notEqual(ofBoth, bot, 'against the other player or against the bot, not both');
    await server.isAlive();
  });

  it('an account is never matched with itself', async (test) => {
    const server = await startServer(test);
    const one = await server.player();
    one.emit('queue_join');
    await one.next('queue_ok');
    const two = await server.player({ token: one.token });
    two.emit('queue_join');
    await sleep(500);
    assert.equal(one.count('match_found') + two.count('match_found'), 0);
    await assertTokens(server, [one], [10]);
  });

  it('a seat cannot be taken with the session id of its player', async (test) => {
    const server = await startServer(test);
    const players = await server.pair();
    const thief = await server.player({ sessionId: players[0].sessionId });
    thief.confirm(IS_HIT);
    const [end] = await playToEnd(players, [HITS, IS_HIT]);
    assert.deepEqual([thief.count('sync_state'), thief.count('confirm_ok')], [0, 0]);
    assert.equal(end.winner, 'YOU');
    assert.ok(!JSON.stringify(players[1].events).includes(players[0].sessionId));
    await assertTokens(server, [...players, thief], [11, 9, 10]);
  });

  it('a player who changes accounts and leaves does not poison the queue', async (test) => {
    const server = await startServer(test);
    const ghost = await server.player();
    ghost.emit('queue_join');
    await ghost.next('queue_ok');
    const first = ghost.token;
    ghost.token = await server.guest();
    await ghost.hello();
    ghost.leave();
    await sleep(2 * STEP_MS);
    const players = await server.pair();
    assert.equal(players[0].found.matchId, players[1].found.matchId);
    await playToEnd(players, [HITS, IS_HIT]);
    await assertTokens(server, [{ token: first }, ...players], [10, 11, 9]);
  });

  it('the session id of the bot does not give control of the bot', async (test) => {
    const server = await startServer(test);
    const human = await server.player();
    human.emit('pve_start');
    await human.next('prep_start');
    const bot = await server.player({ sessionId: 'BOT' });
    assert.equal(bot.count('sync_state'), 0);
    bot.confirm(HITS);
    await sleep(2 * STEP_MS);
    assert.equal(bot.count('confirm_ok'), 0);
    human.confirm(HITS);
    await human.next('confirm_ok');
    await server.isAlive();
  });

  it('a player who reconnects within the grace period resumes the match', async (test) => {
    const server = await startServer(test, { REFEREE_TIMING: 'orcain.grace-ms=20000' });
    const players = await server.pair();
    const [one, two] = players;
    two.draft(['heal', null, 'counter']);
    await sleep(2 * STEP_MS);
    two.leave();
    await sleep(3 * STEP_MS);
    assert.equal(one.count('match_end'), 0);
    const back = new Player(server, two.token, two.sessionId);
    await back.connect();
    await back.hello();
    const sync = await back.next('sync_state');
    assert.deepEqual(
      [sync.inMatch, sync.phase, sync.roundIndex, sync.yourHp, sync.confirmed, sync.pot],
      [true, 'PREP', 1, 10, false, 2],
    );
    assert.deepEqual(sync.draft, ['heal', null, 'counter']);
    assert.deepEqual(sync.yourHand, ['attack', 'defense', 'heal', 'counter']);
    const prep = await back.next('prep_start');
    assert.deepEqual([prep.roundIndex, prep.deadlineTs], [1, sync.deadlineTs]);
    assert.equal(back.count('match_found'), 0);
    back.found = two.found;
    const [end] = await playToEnd([one, back], [HITS, IS_HIT]);
    assert.equal(end.reason, 'normal');
    await assertTokens(server, [one, back], [11, 9]);
  });

  it('a player who reconnects during the reveal receives all cards', async (test) => {
    const server = await startServer(test, { REFEREE_TIMING: 'orcain.grace-ms=20000,orcain.step-ms=1500' });
    const [one, two] = await server.pair();
    one.confirm(HITS);
    two.confirm(IS_HIT);
    await two.next('step_reveal');
    two.leave();
    const back = new Player(server, two.token, two.sessionId);
    await back.connect();
    await back.hello();
    assert.equal((await back.next('sync_state')).phase, 'REVEAL');
    assert.equal((await back.next('prep_start')).yourHp, 10, 'hit points at the start of the round');
    await back.next('confirm_ok');
    await back.next('round_end');
    assert.deepEqual(
      back.all('step_reveal').map((step) => [step.stepIndex, step.yourCard]),
      IS_HIT.map((card, idx) => [idx, card]),
    );
  });

  it('repeated reconnects do not stall a match forever', async (test) => {
    const server = await startServer(test, { REFEREE_TIMING: 'orcain.grace-ms=300' });
    const [one, two] = await server.pair();
    const stall = async () => {
      while (one.count('match_end') === 0) {
        two.leave();
        await sleep(200);
        await two.connect().catch(() => {});
        two.emit('hello', { sessionId: two.sessionId, authToken: two.token });
        await sleep(20);
      }
    };
    const stalling = stall();
    const [end] = await ends([one]);
    await stalling;
    assert.equal(end.winner, 'YOU');
    await assertTokens(server, [one, two], [11, 9]);
  });

  it('malformed packets close only their own connection', async (test) => {
    const server = await startServer(test);
    const players = await server.pair();
    const stranger = new Player(server, await server.guest(), 'tab');
    await stranger.connect();
    const { engine } = stranger.socket.io;
    const closed = new Promise((resolve) => {
      stranger.socket.once('disconnect', resolve);
    });
    engine.write('451-["hello",{"_placeholder":true,"num":0}]'.slice(1));
    await closed;
    await playToEnd(players, [HITS, IS_HIT]);
    await server.isAlive();
  });
});
