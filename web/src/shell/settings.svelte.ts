/** What the visitor has chosen on this device. It never leaves it, but for the language. */

export type Language = "en" | "fr";
export type Theme = "system" | "dark" | "light";
export type Palette = "standard" | "colour-blind";
export type Motion = "system" | "less";

interface Chosen {
  language: Language;
  theme: Theme;
  palette: Palette;
  motion: Motion;
  sound: boolean;
  /** Whether a bot's view of the chances is shown while one plays against it. */
  chances: boolean;
}

const KEY = "referee.settings";

function standard(): Chosen {
  const french = navigator.language.toLowerCase().startsWith("fr");
  return {
    language: french ? "fr" : "en",
    theme: "system",
    palette: "standard",
    motion: "system",
    sound: true,
    chances: false,
  };
}

function oneOf<T extends string>(value: unknown, known: readonly T[], otherwise: T): T {
  return known.find((it) => it === value) ?? otherwise;
}

function load(): Chosen {
  const plain = standard();
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, unknown>;
    return {
      language: oneOf(stored["language"], ["en", "fr"], plain.language),
      theme: oneOf(stored["theme"], ["system", "dark", "light"], plain.theme),
      palette: oneOf(stored["palette"], ["standard", "colour-blind"], plain.palette),
      motion: oneOf(stored["motion"], ["system", "less"], plain.motion),
      sound: stored["sound"] !== false,
      chances: stored["chances"] === true,
    };
  } catch {
    return plain;
  }
}

export const settings: Chosen = $state(load());

/** Keeps the settings and shows them on the page. Called once, from the root. */
export function followSettings(): void {
  $effect(() => {
    const { documentElement: root } = document;
    root.lang = settings.language;
    set(root, "theme", settings.theme === "system" ? null : settings.theme);
    set(root, "palette", settings.palette === "standard" ? null : settings.palette);
    set(root, "motion", settings.motion === "system" ? null : settings.motion);
    try {
      localStorage.setItem(KEY, JSON.stringify(settings));
    } catch {
      // Private windows may refuse to keep anything; the choice then lasts as long as the page.
    }
  });
}

function set(root: HTMLElement, name: string, value: string | null): void {
  if (value === null) delete root.dataset[name];
  else root.dataset[name] = value;
}

/** Whether things should move less than they could. */
export function movesLess(): boolean {
  return settings.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
