import type { LogBound } from './bounded-logs.ts';

/** How much is kept at most. */
export interface CaseBounds {
  /** Mints that were traded, and beside them those of which no trade was seen yet. */
  readonly mintsMax: number;
  readonly untradedMax: number;
  /** Wallets whose payments are kept; at least 2. */
  readonly walletsMax: number;
  /** Of one mint. */
  readonly trades: LogBound;
  readonly transfers: LogBound;
  readonly liquidity: LogBound;
  readonly locks: LogBound;
  /** Of one wallet in one direction. */
  readonly payments: LogBound;
  /** Rows of each kind over all mints and wallets; each holds at least one mint with full lists. */
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

/** What bounds and time have cost so far. */
export interface CaseCounts {
  /** Entries that made room for newer ones of their log; of a payment each of its two logs counts. */
  tradesCut: number;
  transfersCut: number;
  liquidityCut: number;
  locksCut: number;
  paymentsCut: number;
  /** Mints and wallets that made room for others, with all that was kept of them. */
  mintsCut: number;
  walletsCut: number;
  /** Mints that were not traded for too long. */
  mintsForgotten: number;
  /** Entries with an amount that 64 bits cannot hold, or a signature that is none. */
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
