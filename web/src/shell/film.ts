/** Restores the full frames of a lean replay: a field that a view omits keeps its value from the frame before. */

import type { ReplayFrame } from "../generated/http";

export function unfold(frames: readonly ReplayFrame[]): ReplayFrame[] {
  let before: unknown[] = [];
  return frames.map((frame) => {
    before = frame.views.map((view, idx) => ({ ...(before[idx] as object | undefined), ...(view as object) }));
    return { ...frame, views: before };
  });
}
