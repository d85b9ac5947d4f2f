// The official client with its default options, which polls over HTTP before it upgrades to a
// WebSocket, and a client that never upgrades.
// Promise: Long-polling loses, repeats and reorders nothing, also when the client moves to WebSocket.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { io } from 'socket.io-client';
import { assertTokens, playToEnd, sleep, startServer, until } from './support.mjs';

const HITS = ['attack', 'heal', 'defense'];
const IS_HIT = ['heal', 'defense', 'counter'];
const POLLING = { transports: ['polling'] };

const carrier = (player) => player.socket.io.engine.transport.name;

describe('polling', { concurrency: 3, timeout: 120_000 }, () => {
  it('a client with default options polls, upgrades to WebSocket and plays a match', async (test) => {
    const server = await startServer(test);
    const players = await server.pair({ transports: undefined });
    await until(
      () => players.every((it) => carrier(it) === 'websocket'),
      'both have upgraded to WebSocket',
    );
    const [end] = await playToEnd(players, [HITS, IS_HIT]);
    assert.deepEqual([end.winner, end.reason], ['YOU', 'normal']);
    await assertTokens(server, players, [11, 9]);
    const metrics = await server.http('GET', '/metrics');
    assert.match(metrics, /^referee_upgrades_total 2$/m);
    assert.match(metrics, /^referee_polling_sockets_open 0$/m);
  });

  it('a client needs only the URL', async (test) => {
    const server = await startServer(test);
    const socket = io(server.url);
    test.after(() => socket.disconnect());
    const connected = new Promise((resolve, reject) => {
      socket.once('connect_error', reject);
      socket.once('connect', resolve);
    });
    await connected;
    // The client may upgrade before it has joined the namespace.
    await until(() => carrier({ socket }) === 'websocket', 'the client has upgraded to WebSocket');
    assert.equal(socket.connected, true);
  });

  it('a match is played to its end over polling alone', async (test) => {
    const server = await startServer(test);
    const players = await server.pair(POLLING);
    const [end, lost] = await playToEnd(players, [HITS, IS_HIT]);
    assert.deepEqual([end.winner, end.reason, lost.winner], ['YOU', 'normal', 'OPPONENT']);
    assert.deepEqual(players.map(carrier), ['polling', 'polling']);
    await assertTokens(server, players, [11, 9]);
  });

  it('a polling client plays against a client with a WebSocket', async (test) => {
    const server = await startServer(test);
    const players = await server.pair(POLLING, {});
    const [end] = await playToEnd(players, [HITS, IS_HIT]);
    assert.deepEqual([end.winner, end.reason], ['YOU', 'normal']);
    assert.deepEqual(players.map(carrier), ['polling', 'websocket']);
  });

  it('a polling player who disconnects loses immediately', async (test) => {
    const server = await startServer(test);
    const [one, two] = await server.pair(POLLING);
    two.leave();
    const end = await one.next('match_end');
    assert.deepEqual([end.winner, end.reason], ['YOU', 'disconnect']);
  });

  it('heartbeats are answered over polling', async (test) => {
    const server = await startServer(test);
    const player = await server.player(POLLING);
    let nPings = 0;
    player.socket.io.on('ping', () => {
      nPings += 1;
    });
    // The server sends the third only if it has received the first answer.
    await until(() => nPings === 3, 'three heartbeats');
    assert.equal(player.socket.connected, true);
  });

  it('nothing is lost, duplicated or reordered during the upgrade', async (test) => {
    const server = await startServer(test, { REFEREE_MESSAGES_PER_SECOND: '1000' });
    const player = await server.player({ transports: undefined });
    const acked = [];
    let nAsked = 0;
    const ask = () => {
      const n = nAsked;
      nAsked += 1;
      player.socket.emit('queue_leave', () => acked.push(n));
    };
    while (carrier(player) !== 'websocket') {
      ask();
      await sleep(1);
    }
    for (let more = 0; more < 20; more += 1) {
      ask();
    }
    await until(() => acked.length >= nAsked, 'an answer to each');
    assert.deepEqual(acked, [...Array(nAsked).keys()]);
    await until(() => player.count('queue_left') >= nAsked, 'an event for each');
    assert.equal(player.count('queue_left'), nAsked);
  });

  it('invalid requests are refused with the codes of Engine.IO', async (test) => {
    const server = await startServer(test);
    const cases = [
      ['GET', 'EIO=4&transport=flash', 0, 'Transport unknown'],
      ['GET', 'EIO=4&transport=polling&sid=nobody', 1, 'Session ID unknown'],
      ['POST', 'EIO=4&transport=polling', 2, 'Bad handshake method'],
      ['GET', 'EIO=4&transport=websocket', 3, 'Bad request'],
      ['GET', 'EIO=3&transport=polling', 5, 'Unsupported protocol version'],
    ];
    for (const [method, query, code, message] of cases) {
      const response = await fetch(`${server.url}/socket.io/?${query}`, { method });
      assert.equal(response.status, 400, query);
      assert.deepEqual(await response.json(), { code, message }, query);
    }
    const foreign = await fetch(`${server.url}/socket.io/?EIO=4&transport=polling`, {
      headers: { Origin: 'https://evil.example' },
    });
    assert.equal(foreign.status, 403);
    assert.deepEqual(await foreign.json(), { code: 4, message: 'Forbidden' });
  });
});
