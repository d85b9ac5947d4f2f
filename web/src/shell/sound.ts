/** A few quiet sounds, synthesized in the browser; nothing is downloaded. */

import { settings } from "./settings.svelte";

export type Sound = "place" | "confirm" | "hit" | "block" | "heal" | "tick" | "win" | "lose" | "begin";

/** Frequencies in hertz, played in order, with the wave shape and seconds per note. */
const NOTES: Record<Sound, { notes: number[]; shape: OscillatorType; each: number }> = {
  place: { notes: [330], shape: "triangle", each: 0.07 },
  confirm: { notes: [392, 523], shape: "triangle", each: 0.09 },
  hit: { notes: [160, 90], shape: "sawtooth", each: 0.09 },
  block: { notes: [240, 240], shape: "square", each: 0.05 },
  heal: { notes: [523, 659], shape: "sine", each: 0.1 },
  tick: { notes: [880], shape: "sine", each: 0.04 },
  begin: { notes: [262, 392, 523], shape: "triangle", each: 0.09 },
  win: { notes: [392, 494, 587, 784], shape: "triangle", each: 0.13 },
  lose: { notes: [392, 349, 294], shape: "triangle", each: 0.17 },
};
const LOUDNESS = 0.05;

let context: AudioContext | null = null;

// Browsers allow sound only after a user gesture.
for (const gesture of ["pointerdown", "keydown"] as const) {
  addEventListener(
    gesture,
    () => {
      if (settings.sound) context ??= new AudioContext();
    },
    { passive: true },
  );
}

export function play(sound: Sound): void {
  if (!settings.sound || context === null || context.state !== "running") return;
  const { notes, shape, each } = NOTES[sound];
  notes.forEach((frequency, idx) => {
    if (context === null) return;
    const start = context.currentTime + idx * each;
    const tone = new OscillatorNode(context, { type: shape, frequency });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(LOUDNESS, start);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + each * 1.6);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + each * 1.7);
  });
}
