// Starts a server for each test, and players that use the official Socket.IO client.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { io } from 'socket.io-client';

const BIN = process.env.REFEREE_BIN;
const WAIT_MS = 60_000;
const here = dirname(fileURLToPath(import.meta.url));
const FAILURES = process.env.REFEREE_FAILURES ?? join(here, '../../target/test-failures');

/** Orcain's timing in the tests: long enough for a slow machine. Few tests wait for it. */
export const PREP_MS = 4_000;
export const STEP_MS = 30;
/** Timing for matches in which no player acts. */
export const DESERTED = { REFEREE_TIMING: 'orcain.turn-ms=400' };

/** Starts the real program on a free port with an empty database. It stops when the test ends. */
export async function startServer(test, env = {}) {
  assert.ok(BIN, 'REFEREE_BIN must be the path of the program to test');
  const { REFEREE_TIMING: times = '', ...others } = env;
  const standard = [`orcain.turn-ms=${PREP_MS}`, `orcain.step-ms=${STEP_MS}`];
  const timing = [...standard, times].filter(Boolean).join(',');
  const data = await mkdtemp(join(tmpdir(), 'referee-socketio-'));
  const child = spawn(BIN, ['serve', '--listen', '127.0.0.1:0', '--data', data, '--storage-patience-ms', '30000'], {
    env: { ...process.env, ...others, REFEREE_TIMING: timing },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const server = new Server(child);
  test.after(async () => {
    await server.stop();
    await rm(data, { recursive: true, force: true });
    if (test.passed === false) {
      await keep(test, server);
    }
  });
  await server.listening();
  return server;
}

/** Keeps the server's log and the messages that its players received, if the test failed. */
async function keep(test, server) {
  const folder = join(FAILURES, `socketio-${test.name.replaceAll(/[^A-Za-z0-9]+/g, '-')}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'server-1.log'), server.log);
  for (const [idx, player] of server.players.entries()) {
    const lines = player.events.map((event) => `${JSON.stringify(event)}\n`);
    await writeFile(join(folder, `player-${idx + 1}.frames.jsonl`), lines.join(''));
  }
  test.diagnostic(`evidence: ${folder}`);
}

class Server {
  constructor(child) {
    this.child = child;
    this.log = '';
    this.players = [];
    this.url = null;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => {
        this.log += text;
      });
    }
    this.exited = new Promise((resolve) => {
      child.once('exit', resolve);
    });
  }

  async listening() {
    await until(() => {
      assert.equal(this.child.exitCode, null, `the server stopped:\n${this.log}`);
      const line = this.log.match(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
      this.url = line?.[1];
      return Boolean(line);
    }, 'the server listens');
  }

  async stop() {
    if (this.child.exitCode === null) {
      this.child.kill('SIGKILL');
    }
    await this.exited;
  }

  async http(method, path, { token, body } = {}) {
    const headers = {};
    if (token) {
      headers.Authorization = `Bearer ${token}`;
    }
    if (body) {
      headers['Content-Type'] = 'application/json';
    }
    const response = await fetch(this.url + path, {
      method,
      headers,
      body: body ? JSON.stringify(body) : undefined,
    });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
    return text;
  }

  async guest() {
    return JSON.parse(await this.http('POST', '/auth/guest')).authToken;
  }

  async tokens(player) {
    const me = JSON.parse(await this.http('GET', '/auth/me', { token: player.token }));
    return me.tokens;
  }

  async isAlive() {
    assert.equal(this.child.exitCode, null, this.log);
    assert.equal(await this.http('GET', '/healthz'), 'ok');
  }

  /** Creates an account that is connected and signed in. */
  async player({ token, sessionId, ...options } = {}) {
    const player = new Player(
      this,
      token ?? (await this.guest()),
      sessionId ?? `tab-${Math.random()}`,
      options,
    );
    await player.connect();
    await player.hello();
    return player;
  }

  /** Creates two accounts in a match, connected with these options of the official client. */
  async pair(options, other = options) {
    const players = [await this.player(options), await this.player(other)];
    for (const player of players) {
      player.emit('queue_join');
      await player.next('queue_ok');
    }
    for (const player of players) {
      player.found = await player.next('match_found');
      player.prep = await player.next('prep_start');
    }
    return players;
  }
}

export class Player {
  /** Connects over WebSocket only, unless the options of the official client say otherwise. */
  constructor(server, token, sessionId, options = {}) {
    this.server = server;
    this.options = options;
    this.token = token;
    this.sessionId = sessionId;
    this.events = [];
    this.nSeen = 0;
    server.players.push(this);
  }

  async connect() {
    this.socket = io(this.server.url, {
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      ...this.options,
    });
    this.socket.onAny((name, payload) => this.events.push({ name, payload }));
    await new Promise((resolve, reject) => {
      this.socket.once('connect', resolve);
      this.socket.once('connect_error', reject);
    });
  }

  emit(name, ...payload) {
    this.socket.emit(name, ...payload);
  }

  async hello() {
    this.emit('hello', { sessionId: this.sessionId, authToken: this.token });
    this.helloOk = await this.next('hello_ok');
  }

  leave() {
    this.socket.disconnect();
  }

  draft(layout) {
    this.emit('layout_draft', { matchId: this.found?.matchId, layout });
  }

  confirm(layout) {
    this.emit('layout_confirm', { layout });
  }

  /** The payload of the next event with this name. Earlier events with other names are skipped. */
  async next(name, ms = WAIT_MS) {
    let found;
    await until(
      () => {
        const idx = this.events.findIndex((event, at) => at >= this.nSeen && event.name === name);
        if (idx >= 0) {
          found = this.events[idx];
          this.nSeen = idx + 1;
        }
        return idx >= 0;
      },
      `${name} after ${this.names().join(', ')}`,
      ms,
    );
    return found.payload;
  }

  names() {
    return this.events.map((event) => event.name);
  }

  all(name) {
    return this.events.filter((event) => event.name === name).map((event) => event.payload);
  }

  count(name) {
    return this.all(name).length;
  }
}

/** Both players confirm, and the round is revealed. */
export async function playRound(players, layouts) {
  for (const [idx, player] of players.entries()) {
    player.confirm(layouts[idx]);
    await player.next('confirm_ok');
  }
  const rounds = [];
  for (const player of players) {
    const steps = [];
    for (let step = 0; step < 3; step += 1) {
      steps.push(await player.next('step_reveal'));
    }
    const end = await player.next('round_end');
    rounds.push({ steps, end });
  }
  return rounds;
}

/** Plays rounds until the match ends, and returns the `match_end` of both players. */
export async function playToEnd(players, layouts, roundsMax = 31) {
  for (let round = 0; round < roundsMax; round += 1) {
    await playRound(players, layouts);
    const isOver = () => players.every((it) => it.count('match_end') > 0);
    const goesOn = () => players.every((it) => it.names().at(-1) === 'prep_start');
    await until(() => isOver() || goesOn(), 'the match ends or a round begins');
    if (isOver()) {
      return ends(players);
    }
  }
  return assert.fail(`no end after ${roundsMax} rounds`);
}

/** The `match_end` of both players, of which each must receive exactly one. */
export async function ends(players) {
  const payloads = [];
  for (const player of players) {
    await until(() => player.count('match_end') > 0, `match_end after ${player.names()}`);
    payloads.push(player.all('match_end')[0]);
  }
  await sleep(4 * STEP_MS);
  for (const player of players) {
    assert.equal(player.count('match_end'), 1, 'exactly one end');
  }
  return payloads;
}

export async function assertTokens(server, players, expected) {
  const tokens = [];
  for (const player of players) {
    tokens.push(await server.tokens(player));
  }
  assert.deepEqual(tokens, expected);
}

export async function until(holds, what, ms = WAIT_MS) {
  const deadline = Date.now() + ms;
  while (!holds()) {
    assert.ok(Date.now() < deadline, `timed out after ${ms} ms: ${what}`);
    await sleep(5);
  }
}

export function sleep(ms) {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
