import type { World } from '../market/world.ts';

/** Something to wait for: told how to go on, it does so once. */
export type Wait = (resume: () => void) => void;

/** What somebody does one after the other, over simulated time. */
export type Script<Result = void> = Generator<Wait, Result, void>;

/** Starts a script; `onEnd` is called when it is through. */
export function startScript(script: Script<unknown>, onEnd?: () => void): void {
  const step = script.next();
  if (step.done === true) onEnd?.();
  else step.value(() => startScript(script, onEnd));
}

/** Lets time pass. */
export function* pause(world: World, delayMs: number): Script {
  yield (resume) => world.after(Math.max(0, Math.round(delayMs)), resume);
}

/** Runs scripts beside each other until the last is through. */
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

/** Looks again and again whether something is so. False when it is not in time. */
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
