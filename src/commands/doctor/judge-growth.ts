import { MARKET_MEMORY_SHARE } from '../../service/market-pages.ts';
import { type Finding, ok, type Verdict, warn } from './finding.ts';
import {
  daysUntilFull,
  diskAfter,
  diskOfDay,
  MAINNET_GROWTH,
  memoryBesideState,
} from './mainnet-growth.ts';

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

const GIB = 2 ** 30;
const MONTH_DAYS = 30;
const YEAR_DAYS = 365;
/** Free space for fewer days gives little time to react. */
const DAYS_WARN = 3;
const [CALM, BUSY] = MAINNET_GROWTH.swapsPerSecond;

/** Compares a machine with what following mainnet takes, calm and busy. */
export function judgeGrowth(facts: GrowthFacts): Finding[] {
  const verdicts = [judgeStateMemory(facts), judgeDiskGrowth(facts)];
  return verdicts.map((verdict) => ({ ...verdict, subject: 'this machine' }));
}

/** While the log is folded again there are two states. Windows of lists have a share in addition. */
const STATES_MAX = 2 + MARKET_MEMORY_SHARE;

/** Compares the memory of a machine with what the state takes there, beside all else. */
export function judgeStateMemory({
  memoryBytes,
  stateMemoryBytes,
}: Pick<GrowthFacts, 'memoryBytes' | 'stateMemoryBytes'>): Verdict {
  const needed = (days: number) => STATES_MAX * stateMemoryBytes + memoryBesideState(days);
  const message =
    `${gibibytes(stateMemoryBytes)} for the state, whose rest is on disk, twice while the log is ` +
    `folded again; with all else ${gibibytes(needed(MONTH_DAYS))} after a month of mainnet, ` +
    `${gibibytes(needed(YEAR_DAYS))} after a year, of ${gibibytes(memoryBytes)}`;
  if (needed(MONTH_DAYS) <= memoryBytes) return ok('state memory', message);
  const advice =
    'Lower --state-memory, which reads pages from disk more often, or take a larger machine; see docs/operations.md.';
  return warn('state memory', message, advice);
}

function judgeDiskGrowth({ freeBytes, logDaysMax }: GrowthFacts) {
  const ofDay = (part: 'log' | 'history' | 'state') =>
    `${part} ${range((rate) => gigabytes(diskOfDay(rate)[part]))}`;
  const day = (rate: number) => {
    const { log, history, state } = diskOfDay(rate);
    return gigabytes(log + history + state);
  };
  const after = (days: number) => range((rate) => terabytes(diskAfter(rate, days, logDaysMax)));
  const limit = logDaysMax === null ? '' : `, for at most ${logDaysMax.toFixed(1)} days`;
  const message =
    `following mainnet takes ${range(day)} a day (${ofDay('log')}${limit}, ${ofDay('history')}, ` +
    `${ofDay('state')}) and ${gigabytes(MAINNET_GROWTH.fixedDiskBytes)} for earlier ` +
    `checkpoints and windows: ${after(MONTH_DAYS)} for a month, ${after(YEAR_DAYS)} for a year`;
  if (freeBytes === null) return ok('growth', message);
  const days = (rate: number) => daysUntilFull(rate, freeBytes, logDaysMax);
  const lasting = `${message}; the free space lasts ${days(BUSY).toFixed(1)} to ${days(CALM).toFixed(1)} days`;
  if (days(BUSY) >= DAYS_WARN) return ok('growth', lasting);
  const advice =
    'Follow mainnet with a larger disk, or drop old slots with --log-retention; see docs/operations.md.';
  return warn('growth', lasting, advice);
}

/** A figure at few and at many swaps a second. */
function range(figure: (swapsPerSecond: number) => string): string {
  return `${figure(CALM)} to ${figure(BUSY)}`;
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
