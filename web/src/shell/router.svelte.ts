/** The page shown, derived only from the path of the URL. */

export type Page =
  | { at: "home" }
  | { at: "match" }
  | { at: "watch"; matchId: string }
  | { at: "replay"; matchId: string | null }
  | { at: "invite"; code: string }
  | { at: "table"; code: string }
  | { at: "leaderboard" }
  | { at: "history" }
  | { at: "profile" }
  | { at: "settings" }
  | { at: "workshop" }
  | { at: "tutorial"; game: string | null }
  | { at: "nowhere" };

export function read(path: string): Page {
  const [first = "", second = "", ...rest] = path.split("/").filter(Boolean).map(decode);
  if (rest.length > 0) return { at: "nowhere" };
  switch (first) {
    case "":
      return { at: "home" };
    case "match":
    case "leaderboard":
    case "history":
    case "profile":
    case "settings":
    case "workshop":
      return second === "" ? { at: first } : { at: "nowhere" };
    case "watch":
      return second === "" ? { at: "nowhere" } : { at: "watch", matchId: second };
    case "replay":
      return { at: "replay", matchId: second === "" ? null : second };
    case "invite":
      return second === "" ? { at: "nowhere" } : { at: "invite", code: second };
    case "table":
      return second === "" ? { at: "nowhere" } : { at: "table", code: second };
    case "tutorial":
      return { at: "tutorial", game: second === "" ? null : second };
    default:
      return { at: "nowhere" };
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

class Router {
  page: Page = $state(read(location.pathname));

  constructor() {
    addEventListener("popstate", () => {
      this.page = read(location.pathname);
    });
  }

  go(path: string): void {
    if (path !== location.pathname) history.pushState(null, "", path);
    this.page = read(path);
    scrollTo(0, 0);
  }

  /** Follows links within this site without reloading the page. */
  follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.target !== "" || link.hasAttribute("download")) return;
    if (link.origin !== location.origin || link.dataset["plain"] !== undefined) return;
    if (link.hash !== "" && link.pathname === location.pathname) return;
    event.preventDefault();
    this.go(link.pathname);
  }
}

export const router = new Router();
