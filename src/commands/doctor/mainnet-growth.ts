const DAY_SECONDS = 86_400;
const GIB = 2 ** 30;

/**
 * What mainnet takes, rounded up: the only place of these figures.
 *
 * Measured (commands in docs/operations.md):
 * - Log and history (all other tables) a swap: 300,000 swaps of the simulated market in 4 minutes of
 *   chain time, nearly all wallets and mints new: 357 and 260. The recorded blocks in tests have 849
 *   bytes of log a swap, because of transactions without one.
 * - State a swap: 402 bytes in use after 10 million swaps, and files are read again where less than
 *   half of them is (docs/decisions/0127).
 * - Earlier checkpoints: 2.9 KB a swap of the last two hours at most, all that was written.
 * - The process with its store, and hardly any state: 1,549 MiB with mainnet's mix (docs/quality/live.md).
 * - Windows of 24 hours: 68 to 77 bytes a swap of 21 minutes of the simulated market, in which
 *   every second trade is of a wallet that is new to the token. Where wallets trade again it is less.
 *   They are in pages, each of which has 1,288 bytes of a file for 1,024: 18 GB at 2,000 swaps a second.
 * - Lists: 582 bytes a token with its pool (docs/decisions/0120).
 *
 * Assumed: swaps a second, from 65 to 173 million a day, and launches a day.
 */
export const MAINNET_GROWTH = {
  swapsPerSecond: [750, 2_000],
  launchesPerDay: 21_000,
  logBytesPerSwap: 900,
  historyBytesPerSwap: 300,
  stateBytesPerSwap: 800,
  /** Earlier checkpoints, and windows. */
  fixedDiskBytes: 60e9,
  processBytes: 1.5 * GIB,
  listBytesPerLaunch: 600,
} as const;

/** Bytes of disk that a day adds. */
export interface DiskOfDay {
  readonly log: number;
  readonly history: number;
  readonly state: number;
}

export function diskOfDay(swapsPerSecond: number): DiskOfDay {
  const swaps = swapsPerSecond * DAY_SECONDS;
  return {
    log: swaps * MAINNET_GROWTH.logBytesPerSwap,
    history: swaps * MAINNET_GROWTH.historyBytesPerSwap,
    state: swaps * MAINNET_GROWTH.stateBytesPerSwap,
  };
}

/** Bytes of disk after some days, with the log of at most `logDaysMax`; null for all of it. */
export function diskAfter(
  swapsPerSecond: number,
  days: number,
  logDaysMax: number | null = null,
): number {
  const { log, history, state } = diskOfDay(swapsPerSecond);
  const logDays = Math.min(days, logDaysMax ?? days);
  return MAINNET_GROWTH.fixedDiskBytes + days * (history + state) + logDays * log;
}

/** Days until so much disk is full; infinite only without growth. */
export function daysUntilFull(
  swapsPerSecond: number,
  freeBytes: number,
  logDaysMax: number | null = null,
): number {
  const { log, history, state } = diskOfDay(swapsPerSecond);
  const fixedBytes = MAINNET_GROWTH.fixedDiskBytes;
  const growingBytes = diskAfter(swapsPerSecond, logDaysMax ?? Number.POSITIVE_INFINITY);
  if (freeBytes <= growingBytes) {
    return Math.max(0, freeBytes - fixedBytes) / (log + history + state);
  }
  return (logDaysMax ?? 0) + (freeBytes - growingBytes) / (history + state);
}

/** Bytes of memory after some days, beside what follows from `--state-memory`. */
export function memoryBesideState(days: number): number {
  const { processBytes, launchesPerDay, listBytesPerLaunch } = MAINNET_GROWTH;
  return processBytes + days * launchesPerDay * listBytesPerLaunch;
}
