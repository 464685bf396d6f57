import type { World } from '../market/world.ts';

/** An event to wait for: it calls `resume` exactly once. */
export type Wait = (resume: () => void) => void;

/** Consecutive actions over simulated time. */
export type Script<Result = void> = Generator<Wait, Result, void>;

/** Starts a script; `onEnd` is called when it has finished. */
export function startScript(script: Script<unknown>, onEnd?: () => void): void {
  const step = script.next();
  if (step.done === true) onEnd?.();
  else step.value(() => startScript(script, onEnd));
}

/** Waits for a simulated time. */
export function* pause(world: World, delayMs: number): Script {
  yield (resume) => world.after(Math.max(0, Math.round(delayMs)), resume);
}

/** Runs scripts concurrently until all have finished. */
export function* together(scripts: readonly Script<unknown>[]): Script {
  if (scripts.length === 0) return;
  yield (resume) => {
    let left = scripts.length;
    for (const script of scripts) {
      startScript(script, () => {
        left--;
        if (left === 0) resume();
      });
    }
  };
}

/** Polls a condition. Returns false if it does not hold in time. */
export function* waitUntil(
  world: World,
  isSo: () => boolean,
  { everyMs, atMostMs }: { readonly everyMs: number; readonly atMostMs: number },
): Script<boolean> {
  const endMs = world.nowMs + atMostMs;
  while (!isSo()) {
    if (world.nowMs >= endMs) return false;
    yield* pause(world, everyMs);
  }
  return true;
}
