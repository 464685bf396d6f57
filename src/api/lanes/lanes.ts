import { AccountLane, type AccountLaneLimits } from './account-lane.ts';

/**
 * Concurrency limits per account, by kind of request. The sum of all limits is below the number of
 * calls that the engine and store thread accepts, so requests of one account are never refused
 * because of others.
 */
const LANES = {
  /** Current rows: read from memory or looked up on the engine thread. */
  current: { runningMax: 96, openPerAccountMax: 32, waitingPerAccountMax: 128, waitMs: 10_000 },
  /**
   * History and lists: SQL, or work on the engine thread that grows with the size of the response.
   */
  query: { runningMax: 16, openPerAccountMax: 3, waitingPerAccountMax: 32, waitMs: 10_000 },
  /** States as of an earlier slot, which may have to be computed: a request waits for seconds. */
  past: { runningMax: 48, openPerAccountMax: 6, waitingPerAccountMax: 32, waitMs: 10_000 },
  /** Statistics over one in-memory table, computed one at a time. */
  statistics: { runningMax: 1, openPerAccountMax: 1, waitingPerAccountMax: 8, waitMs: 10_000 },
  /** Posts and clones: SQL on the API thread. */
  export: {
    runningMax: 1,
    openPerAccountMax: 4,
    waitingPerAccountMax: 32,
    waitMs: 10_000,
    isBlocking: true,
  },
  /**
   * Whole tables: only the beginning is produced here, but the request counts as open until the
   * client has received the end. Each open one reads one portion of the store at a time.
   */
  download: { runningMax: 4, openPerAccountMax: 2, waitingPerAccountMax: 4, waitMs: 10_000 },
  /** Triggers, webhooks and reviews: small transactions on the engine thread. */
  account: { runningMax: 16, openPerAccountMax: 4, waitingPerAccountMax: 128, waitMs: 10_000 },
  /** Requests of operators. */
  operations: { runningMax: 4, openPerAccountMax: 2, waitingPerAccountMax: 16, waitMs: 10_000 },
} as const satisfies Readonly<Record<string, AccountLaneLimits>>;

export type LaneName = keyof typeof LANES;
export type AccountLanes = Readonly<Record<LaneName, AccountLane>>;

export const LANE_NAMES = Object.keys(LANES) as readonly LaneName[];

export function createAccountLanes(): AccountLanes {
  const lanes = LANE_NAMES.map((name) => [name, new AccountLane(LANES[name])] as const);
  return Object.fromEntries(lanes) as AccountLanes;
}
