import { AccountLane, type AccountLaneLimits } from './account-lane.ts';

/**
 * What an account may ask at a time, by what answers it. All of it together stays below the calls
 * that the thread of engine and store takes, so that none of them is refused for what others ask.
 */
const LANES = {
  /** Current rows: from memory, or a look-up on the engine's thread. */
  current: { runningMax: 96, openPerAccountMax: 32, waitingPerAccountMax: 128, waitMs: 10_000 },
  /** History and lists: SQL, or work on the engine's thread that grows with the answer. */
  query: { runningMax: 16, openPerAccountMax: 3, waitingPerAccountMax: 32, waitMs: 10_000 },
  /** Statistics over one table in memory, which answers one after another. */
  statistics: { runningMax: 1, openPerAccountMax: 1, waitingPerAccountMax: 8, waitMs: 10_000 },
  /** Posts and clones: SQL on the API's own thread. */
  export: {
    runningMax: 1,
    openPerAccountMax: 4,
    waitingPerAccountMax: 32,
    waitMs: 10_000,
    isBlocking: true,
  },
  /** Triggers, webhooks and reviews: small transactions on the engine's thread. */
  account: { runningMax: 16, openPerAccountMax: 4, waitingPerAccountMax: 128, waitMs: 10_000 },
  /** What operators ask. */
  operations: { runningMax: 4, openPerAccountMax: 2, waitingPerAccountMax: 16, waitMs: 10_000 },
} as const satisfies Readonly<Record<string, AccountLaneLimits>>;

export type LaneName = keyof typeof LANES;
export type AccountLanes = Readonly<Record<LaneName, AccountLane>>;

export const LANE_NAMES = Object.keys(LANES) as readonly LaneName[];

export function createAccountLanes(): AccountLanes {
  const lanes = LANE_NAMES.map((name) => [name, new AccountLane(LANES[name])] as const);
  return Object.fromEntries(lanes) as AccountLanes;
}
