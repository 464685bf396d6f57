import { setImmediate, setTimeout } from 'node:timers/promises';

/** Time as the node passes it; tests bring their own. */
export interface Clock {
  nowMs(): number;
  /** Resolves early when the signal is given. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const wallClock: Clock = {
  nowMs: () => performance.now(),
  sleep: async (ms, signal) => {
    try {
      if (ms <= 0) await setImmediate(undefined, { signal });
      else await setTimeout(ms, undefined, { signal });
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    }
  },
};
