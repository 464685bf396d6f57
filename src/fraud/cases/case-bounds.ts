import type { LogBound } from './bounded-logs.ts';

/** Lengths of the lists of cases. */
export interface CaseBounds {
  /** Per mint. */
  readonly trades: LogBound;
  readonly transfers: LogBound;
  readonly liquidity: LogBound;
  readonly locks: LogBound;
  /** Per wallet and direction. */
  readonly payments: LogBound;
}

export const CASE_BOUNDS: CaseBounds = {
  trades: { first: 512, newest: 1_536 },
  transfers: { first: 256, newest: 768 },
  liquidity: { first: 64, newest: 192 },
  locks: { first: 64, newest: 192 },
  payments: { first: 4, newest: 12 },
};

/** Counts of data dropped by bounds and by age. */
export interface CaseCounts {
  /** Entries evicted from their log by newer ones; a payment counts in each of its two logs. */
  tradesCut: number;
  transfersCut: number;
  liquidityCut: number;
  locksCut: number;
  paymentsCut: number;
  /** Mints that were not traded for too long. */
  mintsForgotten: number;
  /** Entries with an amount of more than 64 bits or an invalid signature. */
  refused: number;
}

export function noCounts(): CaseCounts {
  return {
    tradesCut: 0,
    transfersCut: 0,
    liquidityCut: 0,
    locksCut: 0,
    paymentsCut: 0,
    mintsForgotten: 0,
    refused: 0,
  };
}
