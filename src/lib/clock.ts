import { setImmediate, setTimeout } from 'node:timers/promises';

/** The clock of a process; tests supply their own. */
export interface Clock {
  /** Milliseconds since an arbitrary moment. Monotonic and unrelated to the time of day. */
  nowMs(): number;
  /** Resolves early, and never rejects, when the signal is aborted. */
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
