import { setImmediate, setTimeout } from 'node:timers/promises';

/** Time as a process passes it; tests bring their own. */
export interface Clock {
  /** Milliseconds since some moment. Never goes back, and knows nothing of the time of day. */
  nowMs(): number;
  /** Resolves early, and never rejects, when the signal is given. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const monotonicClock: Clock = {
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
