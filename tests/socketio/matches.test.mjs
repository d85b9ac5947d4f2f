// Complete matches through the official client, from the first event to the final balance.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  DESERTED,
  PREP_MS,
  STEP_MS,
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
const EVEN = ['attack', 'defense', 'counter'];
const NOTHING = [null, null, null];

describe('matches', { concurrency: 3 }, () => {
  it('a match ends normally and the winner takes the pot', async (test) => {
    const server = await startServer(test);
    const players = await server.pair();
    const [one, two] = players;
    assert.deepEqual(one.helloOk.tokens, 10);
    assert.equal(one.found.pot, 2);
    assert.equal(one.found.yourTokens, 9);
    assert.equal(one.found.matchId, two.found.matchId);
    assert.match(one.found.commitment, /^sha256:[0-9a-f]{64}$/);
    assert.deepEqual(one.found.yourHand, ['attack', 'defense', 'heal', 'counter']);
    assert.equal(one.prep.roundIndex, 1);
    assert.deepEqual(one.prep.cards, one.prep.yourHand);
    const left = one.prep.deadlineTs - one.prep.serverTs;
    assert.ok(left > 0 && left <= PREP_MS, `${left} ms to place cards`);
    const [end, lost] = await playToEnd(players, [HITS, IS_HIT]);
    assert.deepEqual(
      [end.winner, end.result, end.reason, end.yourTokens],
      ['YOU', 'win', 'normal', 11],
    );
    assert.deepEqual([lost.winner, lost.result, lost.yourTokens], ['OPPONENT', 'loss', 9]);
    assert.deepEqual([end.yourHp, end.oppHp], [lost.oppHp, lost.yourHp]);
    assert.ok(end.yourHp > end.oppHp);
    assert.equal(end.winnerId, lost.winnerId);
    assert.notEqual(end.winnerId, one.sessionId, 'no session id leaves the server');
    assert.match(end.seed, /^[0-9a-f]{64}$/);
    assert.deepEqual([end.rating, end.leagueKey, lost.rating], [5, 'wood', 0]);
    await assertTokens(server, players, [11, 9]);
    await server.isAlive();
  });

  it('steps arrive one by one, and the third arrives before the round ends', async (test) => {
    const server = await startServer(test, { REFEREE_TIMING: 'orcain.step-ms=1000' });
    const players = await server.pair();
    const at = [];
    players[0].socket.onAny((name) => at.push([name, Date.now()]));
    const [round] = await playRound(players, [HITS, IS_HIT]);
    assert.deepEqual(
      round.steps.map((step) => [step.stepIndex, step.yourCard, step.oppCard]),
      [0, 1, 2].map((idx) => [idx, HITS[idx], IS_HIT[idx]]),
    );
    const times = at.filter(([name]) => name === 'step_reveal' || name === 'round_end');
    for (let idx = 1; idx < times.length; idx += 1) {
      const gap = times[idx][1] - times[idx - 1][1];
      assert.ok(gap > 300, `${times[idx][0]} came ${gap} ms after ${times[idx - 1][0]}`);
    }
  });

  it('a player who does nothing for two rounds loses', async (test) => {
    const server = await startServer(test);
    const players = await server.pair();
    players[0].draft(NOTHING);
    await players[0].next('prep_start');
    players[0].draft(NOTHING);
    const [end, lost] = await ends(players);
    assert.deepEqual([end.winner, end.reason, end.yourTokens], ['YOU', 'timeout', 11]);
    assert.deepEqual([lost.winner, lost.reason, lost.yourTokens], ['OPPONENT', 'timeout', 9]);
    assert.equal(players[0].count('step_reveal'), 3, 'the second round is not revealed');
    await assertTokens(server, players, [11, 9]);
  });

  it('when both do nothing for two rounds the pot is burned', async (test) => {
    const server = await startServer(test, DESERTED);
    const players = await server.pair();
    for (const end of await ends(players)) {
      assert.deepEqual(
        [end.winner, end.winnerId, end.loserId, end.reason, end.result, end.yourTokens],
        ['OPPONENT', null, null, 'timeout', 'loss', 9],
      );
    }
    await assertTokens(server, players, [9, 9]);
  });

  it('a player who disconnects loses immediately', async (test) => {
    const server = await startServer(test);
    const players = await server.pair();
    players[1].leave();
    const [end] = await ends([players[0]]);
    assert.deepEqual([end.winner, end.reason, end.yourTokens], ['YOU', 'disconnect', 11]);
    await assertTokens(server, players, [11, 9]);
  });

  it('equal hit points after three rounds lead to sudden death', async (test) => {
    const server = await startServer(test);
    const players = await server.pair();
    for (let round = 1; round <= 3; round += 1) {
      const [{ end }] = await playRound(players, [EVEN, EVEN]);
      assert.deepEqual([end.roundIndex, end.suddenDeath], [round, false]);
      players[0].prep = await players[0].next('prep_start');
    }
    assert.deepEqual([players[0].prep.roundIndex, players[0].prep.suddenDeath], [4, true]);
    await players[1].next('prep_start');
    const [{ end: round }] = await playRound(players, [HITS, IS_HIT]);
    assert.equal(round.suddenDeath, true);
    const [end] = await ends(players);
    assert.deepEqual([end.winner, end.reason], ['YOU', 'normal']);
    await assertTokens(server, players, [11, 9]);
  });

  it('a double knock-out is a draw and both get their stake back', async (test) => {
    const server = await startServer(test);
    const players = await server.pair();
    for (const end of await playToEnd(players, [EVEN, EVEN])) {
      assert.deepEqual(
        [end.yourHp, end.oppHp, end.winner, end.result, end.winnerId, end.rating],
        [0, 0, 'OPPONENT', 'draw', null, 0],
      );
    }
    await assertTokens(server, players, [10, 10]);
  });

  it('an incomplete draft is played', async (test) => {
    const server = await startServer(test);
    const [one, two] = await server.pair();
    one.draft(['attack', null, null]);
    two.draft([null, null, 'heal']);
    const cards = [];
    for (let step = 0; step < 3; step += 1) {
      const { yourCard, oppCard } = await one.next('step_reveal');
      cards.push([yourCard, oppCard]);
    }
    assert.deepEqual(cards, [['attack', null], [null, null], [null, 'heal']]);
    const { yourHp, oppHp } = await one.next('round_end');
    assert.deepEqual([yourHp, oppHp], [10, 9]);
  });

  it('a draft with cards that are not in the hand is corrected and logged', async (test) => {
    const server = await startServer(test);
    const [one, two] = await server.pair();
    one.draft(['attack', 'attack', 'GRASS']);
    two.confirm(EVEN);
    const cards = [];
    for (let step = 0; step < 3; step += 1) {
      cards.push((await one.next('step_reveal')).yourCard);
    }
    assert.deepEqual(cards, ['attack', null, null]);
    assert.equal(one.count('error_msg'), 0, 'drafts are never answered');
    const line = server.log.split('\n').find((it) => it.includes('[INVALID_CARD_FROM_CLIENT]'));
    assert.ok(line, server.log);
    assert.ok(!line.includes('GRASS'), 'untrusted input is not copied into the log');
  });

  it('an invalid confirm is refused, but counts as activity', async (test) => {
    const server = await startServer(test);
    const [one, two] = await server.pair();
    const refused = {
      code: 'invalid_layout',
      message: 'Invalid cards: cards must be from your hand',
    };
    for (let round = 1; round <= 3; round += 1) {
      two.draft(NOTHING);
      for (const layout of [['attack', 'attack', 'heal'], ['attack', null, 'heal'], [], 'no']) {
        one.confirm(layout);
        assert.deepEqual(await one.next('error_msg'), refused);
      }
      const prep = await one.next('prep_start');
      assert.equal(prep.roundIndex, round + 1, 'no player counts as inactive');
    }
    assert.equal(one.count('confirm_ok'), 0);
    assert.equal(one.count('match_end'), 0);
    await server.isAlive();
  });

  it('messages after the end change nothing', async (test) => {
    const server = await startServer(test);
    const players = await server.pair();
    await playToEnd(players, [HITS, IS_HIT]);
    const before = players.map((player) => player.events.length);
    for (const player of players) {
      for (let again = 0; again < 3; again += 1) {
        player.draft(HITS);
        player.confirm(HITS);
      }
    }
    await sleep(500);
    assert.deepEqual(players.map((player) => player.count('match_end')), [1, 1]);
    assert.deepEqual(players.map((player) => player.events.length), before);
    players[1].leave();
    await sleep(2 * STEP_MS);
    await assertTokens(server, players, [11, 9]);
  });

  it('a match against the bot is free, and every event names the bot', async (test) => {
    const server = await startServer(test, { REFEREE_TIMING: 'orcain.turn-ms=60000' });
    const player = await server.player();
    player.emit('pve_start');
    player.found = await player.next('match_found');
    assert.deepEqual([player.found.pot, player.found.oppNickname], [0, 'Orc Bot']);
    const { deadlineTs } = await player.next('prep_start');
    player.confirm(HITS);
    await player.next('confirm_ok');
    await player.next('step_reveal');
    assert.ok(Date.now() < deadlineTs, 'the round ends before the deadline');
    await until(
      () => {
        const isOver = player.count('match_end') > 0;
        if (!isOver && player.names().at(-1) === 'prep_start') {
          player.confirm(HITS);
          player.events.push({ name: 'confirmed here' });
        }
        return isOver;
      },
      'the match ends',
    );
    for (const name of ['prep_start', 'step_reveal', 'round_end', 'match_end']) {
      assert.ok(player.all(name).every((it) => it.oppNickname === 'Orc Bot'), name);
    }
    await assertTokens(server, [player], [10]);
  });
});
