/** The visitor's settings. Only the language leaves this device. */

export type Language = "en" | "fr";
export type Theme = "system" | "dark" | "light";
export type Palette = "standard" | "color-blind";
export type Motion = "system" | "less";

interface Chosen {
  language: Language;
  theme: Theme;
  palette: Palette;
  motion: Motion;
  sound: boolean;
  /** True if a bot's evaluation is shown during matches against bots. */
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
      // Earlier versions of the page stored `colour-blind`.
      palette: oneOf(
        stored["palette"] === "colour-blind" ? "color-blind" : stored["palette"],
        ["standard", "color-blind"],
        plain.palette,
      ),
      motion: oneOf(stored["motion"], ["system", "less"], plain.motion),
      sound: stored["sound"] !== false,
      chances: stored["chances"] === true,
    };
  } catch {
    return plain;
  }
}

export const settings: Chosen = $state(load());

/** Saves the settings and applies them to the page. Called once, from the root. */
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
      // Private windows may refuse storage; the choice then lasts until the page is closed.
    }
  });
}

function set(root: HTMLElement, name: string, value: string | null): void {
  if (value === null) root.removeAttribute(`data-${name}`);
  else root.dataset[name] = value;
}

/** True if animations should be reduced. */
export function movesLess(): boolean {
  return settings.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
