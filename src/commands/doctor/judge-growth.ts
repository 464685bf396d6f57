import { type Finding, ok, warn } from './finding.ts';

/**
 * What mainnet takes, rounded up: the only place of these figures.
 *
 * - Swaps: 1,250 a second (bench/state/market-options.ts), the middle of 65 to 170 million a day.
 * - Bytes a swap: 300,000 swaps of that market in 4 minutes of chain time, in which nearly all
 *   wallets and mints are new: log 357, history (all other tables) 260, state 335, and 340 in the
 *   second half. The recorded blocks in tests have 849 bytes of log a swap, because of transactions
 *   without one.
 * - Earlier checkpoints: 9 GB for two hours (docs/decisions/0045), and files until they are emptied.
 */
export const MAINNET_GROWTH = {
  swapsPerDay: 110_000_000,
  logBytesPerSwap: 900,
  historyBytesPerSwap: 300,
  stateBytesPerSwap: 350,
  earlierCheckpointBytes: 20e9,
} as const;

/** What a machine has for the data of a followed chain. */
export interface GrowthFacts {
  /** Null if unknown. */
  readonly freeBytes: number | null;
  readonly memoryBytes: number;
  /** Bound of the state in memory. */
  readonly stateMemoryBytes: number;
  /** Days of slots that the log has at most; null without a retention. */
  readonly logDaysMax: number | null;
}

/**
 * The state in memory should have what two hours touch, at most what they add. With a third of the
 * machine for the state, that is three times as much.
 */
const MEMORY_HOURS = 2;
const MACHINE_OVER_STATE = 3;
const GIB = 2 ** 30;
/** Free space for fewer days gives little time to react. */
const DAYS_WARN = 3;
/** The store needs what is left. */
const STATE_SHARE_MAX = 0.6;

/** Compares a machine with what following mainnet takes. */
export function judgeGrowth(facts: GrowthFacts): Finding[] {
  const verdicts = [judgeStateMemory(facts), judgeDiskGrowth(facts)];
  return verdicts.map((verdict) => ({ ...verdict, subject: 'this machine' }));
}

function judgeStateMemory({ memoryBytes, stateMemoryBytes }: GrowthFacts) {
  const { swapsPerDay, stateBytesPerSwap } = MAINNET_GROWTH;
  const neededBytes = (swapsPerDay / 24) * MEMORY_HOURS * stateBytesPerSwap;
  const machineGib = Math.ceil((neededBytes * MACHINE_OVER_STATE) / GIB);
  const message =
    `${gibibytes(stateMemoryBytes)} for the state, whose rest is on disk; mainnet needs ` +
    `${gibibytes(neededBytes)}, a machine of ${machineGib} GiB, for a month or a year alike`;
  if (stateMemoryBytes > memoryBytes * STATE_SHARE_MAX) {
    const advice = 'Lower --state-memory: the store needs memory as well.';
    return warn('state memory', message, advice);
  }
  if (stateMemoryBytes >= neededBytes) return ok('state memory', message);
  return warn('state memory', message, 'With less, pages are read from disk more often.');
}

function judgeDiskGrowth({ freeBytes, logDaysMax }: GrowthFacts) {
  const { swapsPerDay, earlierCheckpointBytes: fixedBytes, ...perSwap } = MAINNET_GROWTH;
  const log = swapsPerDay * perSwap.logBytesPerSwap;
  const history = swapsPerDay * perSwap.historyBytesPerSwap;
  const state = swapsPerDay * perSwap.stateBytesPerSwap;
  const day = log + history + state;
  const bytesAfter = (days: number) => {
    return fixedBytes + days * (history + state) + Math.min(days, logDaysMax ?? days) * log;
  };
  const limit = logDaysMax === null ? '' : `, for at most ${logDaysMax.toFixed(1)} days`;
  const message =
    `following mainnet takes up to ${gigabytes(day)} a day (log ${gigabytes(log)}${limit}, history ` +
    `${gigabytes(history)}, state ${gigabytes(state)}) and ${gigabytes(fixedBytes)} for earlier ` +
    `checkpoints: ${terabytes(bytesAfter(30))} for a month, ${terabytes(bytesAfter(365))} for a year`;
  if (freeBytes === null) return ok('growth', message);
  const fullBytes = bytesAfter(logDaysMax ?? Number.POSITIVE_INFINITY);
  const days =
    freeBytes <= fullBytes
      ? Math.max(0, freeBytes - fixedBytes) / day
      : (logDaysMax ?? 0) + (freeBytes - fullBytes) / (history + state);
  const lasting = `${message}; the free space lasts ${days.toFixed(1)} days`;
  if (days >= DAYS_WARN) return ok('growth', lasting);
  const advice =
    'Follow mainnet with a larger disk, or drop old slots with --log-retention; see docs/operations.md.';
  return warn('growth', lasting, advice);
}

function gibibytes(bytes: number): string {
  return `${(bytes / GIB).toFixed(1)} GiB`;
}

function gigabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e9)} GB`;
}

function terabytes(bytes: number): string {
  return `${(bytes / 1e12).toFixed(1)} TB`;
}
