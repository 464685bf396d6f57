import type { LogBound } from './bounded-logs.ts';

/** Limits of the stored cases. */
export interface CaseBounds {
  /** Mints that were traded, and in addition mints without a trade so far. */
  readonly mintsMax: number;
  readonly untradedMax: number;
  /** Wallets whose payments are kept; at least 2. */
  readonly walletsMax: number;
  /** Per mint. */
  readonly trades: LogBound;
  readonly transfers: LogBound;
  readonly liquidity: LogBound;
  readonly locks: LogBound;
  /** Per wallet and direction. */
  readonly payments: LogBound;
  /** Rows of each kind over all mints and wallets; each fits at least one mint with full lists. */
  readonly tradeRowsMax: number;
  readonly cosignerRowsMax: number;
  readonly transferRowsMax: number;
  readonly liquidityRowsMax: number;
  readonly lockRowsMax: number;
  readonly paymentRowsMax: number;
}

export const CASE_BOUNDS: CaseBounds = {
  mintsMax: 20_000,
  untradedMax: 2_000,
  walletsMax: 500_000,
  trades: { first: 512, newest: 1_536 },
  transfers: { first: 256, newest: 768 },
  liquidity: { first: 64, newest: 192 },
  locks: { first: 64, newest: 192 },
  payments: { first: 4, newest: 12 },
  tradeRowsMax: 1_500_000,
  cosignerRowsMax: 1_000_000,
  transferRowsMax: 400_000,
  liquidityRowsMax: 200_000,
  lockRowsMax: 50_000,
  paymentRowsMax: 3_000_000,
};

/** Counts of data dropped by bounds and by age. */
export interface CaseCounts {
  /** Entries evicted from their log by newer ones; a payment counts in each of its two logs. */
  tradesCut: number;
  transfersCut: number;
  liquidityCut: number;
  locksCut: number;
  paymentsCut: number;
  /** Mints and wallets evicted by others, with all their entries. */
  mintsCut: number;
  walletsCut: number;
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
    mintsCut: 0,
    walletsCut: 0,
    mintsForgotten: 0,
    refused: 0,
  };
}
