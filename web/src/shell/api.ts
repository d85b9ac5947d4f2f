/** Requests over HTTP. Every refusal has a stable code and a message. */

import type * as http from "../generated/http";

export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly body: Record<string, unknown>,
  ) {
    super(message);
  }
}

/** The server could not be reached, or no answer arrived. */
export class Unreached extends Error {}

/** The number of retries while the server is unavailable. */
const RETRIES = 3;
/** Requests other than GET that are safe to repeat. */
const REPEATABLE = new Set(["/auth/guest", "/auth/login", "/auth/ticket"]);

async function ask<T>(
  method: "GET" | "POST" | "DELETE",
  path: string,
  token: string | null,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> {
  const headers: Record<string, string> = {};
  if (token !== null) headers["Authorization"] = `Bearer ${token}`;
  const init: RequestInit = { method, headers, cache: "no-store", signal: signal ?? null };
  if (typeof body === "string") {
    init.body = body;
  } else if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  const response = await send(path, init);
  if (response.status === 204) return undefined as T;
  const said: unknown = await response.json().catch(() => null);
  if (response.ok) return said as T;
  const fault = (said ?? {}) as Record<string, unknown>;
  throw new Refusal(
    response.status,
    typeof fault["error"] === "string" ? fault["error"] : "internal_error",
    typeof fault["message"] === "string" ? fault["message"] : response.statusText,
    fault,
  );
}

/** Sends a request, and retries a repeatable one when the server answers 503 with `Retry-After`. */
async function send(path: string, init: RequestInit): Promise<Response> {
  for (let retries = 0; ; retries += 1) {
    let response: Response;
    try {
      response = await fetch(path, init);
    } catch {
      throw new Unreached();
    }
    const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
    const repeatable = init.method === "GET" || REPEATABLE.has(path);
    if (response.status !== 503 || !repeatable || !(seconds <= 5) || retries === RETRIES) return response;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

/** The query of a lean replay: only changed fields, for one viewer, with a bot's evaluation if `judge` is set. */
function shown(viewer: string, judge: string | null): string {
  return new URLSearchParams({ lean: "true", viewer, ...(judge === null ? {} : { judge }) }).toString();
}

export const api = {
  guest: () => ask<http.Signed>("POST", "/auth/guest", null),
  login: (given: http.Credentials) => ask<http.Signed>("POST", "/auth/login", null, given),
  me: (token: string) => ask<http.Me>("GET", "/auth/me", token),
  recover: (given: http.Recovery) => ask<http.Signed>("POST", "/auth/recover", null, given),
  rotate: (token: string) => ask<http.NewToken>("POST", "/auth/rotate", token),
  logout: (token: string) => ask<undefined>("POST", "/auth/logout", token),
  sessions: (token: string) => ask<http.SessionRow[]>("GET", "/account/sessions", token),
  endSession: (token: string, id: string) =>
    ask<undefined>("DELETE", `/account/sessions/${encodeURIComponent(id)}`, token),
  endOtherSessions: (token: string) => ask<undefined>("DELETE", "/account/sessions", token),
  recoveryCodes: (token: string, given: http.Confirmation) =>
    ask<http.RecoveryCodes>("POST", "/account/recovery-codes", token, given),
  exportAccount: (token: string) => ask<http.Export>("GET", "/account/export", token),
  deleteAccount: (token: string, given: http.Confirmation) => ask<undefined>("POST", "/account/delete", token, given),
  ticket: (token: string) => ask<http.Ticket>("POST", "/auth/ticket", token),
  setPassword: (token: string, given: http.NewPassword) => ask<undefined>("POST", "/account/password", token, given),
  setNickname: (token: string, nickname: string) =>
    ask<http.TakenNickname>("POST", "/account/nickname", token, { nickname }),
  setProfile: (token: string, given: http.NewProfile) =>
    ask<http.ChosenProfile>("POST", "/account/profile", token, given),
  /** A page of the account's own matches: those before a row's number, or the newest. */
  history: (token: string, limit: number, before: number | null) =>
    ask<http.RecentMatch[]>(
      "GET",
      `/account/history?limit=${limit}${before === null ? "" : `&before=${before}`}`,
      token,
    ),
  overview: () => ask<http.Overview>("GET", "/api/lobby", null),
  leaderboard: (game: string, by: "league" | "rating") =>
    ask<http.Rank[]>("GET", `/api/leaderboard/${encodeURIComponent(game)}?by=${by}`, null),
  invitation: (code: string) => ask<http.InvitationPage>("GET", `/api/invitations/${encodeURIComponent(code)}`, null),
  match: (id: string) => ask<http.MatchPage>("GET", `/api/matches/${encodeURIComponent(id)}`, null),
  recent: (game: string) =>
    ask<http.MatchSummary[]>("GET", `/api/matches?limit=8&game=${encodeURIComponent(game)}`, null),
  exhibit: (token: string, given: http.Exhibition) => ask<http.Begun>("POST", "/api/matches", token, given),
  openLobby: (token: string, order: http.LobbyOrder) => ask<http.LobbyOpened>("POST", "/api/tables", token, order),
  lobby: (code: string) => ask<http.LobbyPage>("GET", `/api/tables/${encodeURIComponent(code)}`, null),
  replay: (id: string, viewer: string, judge: string | null) =>
    ask<http.ReplayPage>("GET", `/api/matches/${encodeURIComponent(id)}/replay?${shown(viewer, judge)}`, null),
  replayFile: (record: string, viewer: string, judge: string | null) =>
    ask<http.ReplayPage>("POST", `/api/replay?${shown(viewer, judge)}`, null, record),
  scenarios: () => ask<http.ScenarioSummary[]>("GET", "/api/scenarios", null),
  scenario: (id: string) => ask<Record<string, unknown>>("GET", `/api/scenarios/${encodeURIComponent(id)}`, null),
  survey: (document: string, seed: number) =>
    ask<http.ScenarioSurvey>("POST", `/api/scenarios/survey?seed=${seed}`, null, document),
  /** Plays the next matches of a measurement; an aborted request stops it. */
  balance: (order: http.BalanceOrder, signal: AbortSignal) =>
    ask<http.BalancePage>("POST", "/api/balance", null, order, signal),
  generateScenario: (given: http.ScenarioBlueprint) =>
    ask<Record<string, unknown>>("POST", "/api/scenarios/generate", null, given),
};
