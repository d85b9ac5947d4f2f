/** Announcements for screen readers. */

class Spoken {
  text = $state("");
}

export const spoken = new Spoken();

let last = "";

export function announce(text: string): void {
  // A repeated text must differ to be read out again.
  last = last === text ? `${text}\u00a0` : text;
  spoken.text = last;
}
