import type { PoolFees } from './pump-amm-math.ts';

/** Fees of pools that anyone may open. */
export const FLAT_FEES: PoolFees = { lpBps: 25n, protocolBps: 5n, creatorBps: 0n };

const LAMPORTS_PER_SOL = 1_000_000_000n;

/**
 * Creator fees by market capitalisation in SOL for pools to which curves migrated, in addition to
 * 20 basis points for liquidity and 5 for the protocol (solana.pump.fun/docs/fees). Rows of the
 * published table with fractions of a basis point are omitted.
 */
const CREATOR_TIERS: readonly (readonly [marketCapSol: bigint, creatorBps: bigint])[] = [
  [98_240n, 5n],
  [88_400n, 10n],
  [78_590n, 15n],
  [68_770n, 20n],
  [58_940n, 25n],
  [49_120n, 30n],
  [44_210n, 35n],
  [39_300n, 40n],
  [34_380n, 45n],
  [29_470n, 50n],
  [24_560n, 55n],
  [19_650n, 60n],
  [14_740n, 65n],
  [9_820n, 70n],
  [4_420n, 75n],
  [3_440n, 80n],
  [2_460n, 85n],
  [1_470n, 90n],
  [420n, 95n],
];

/** Below the first threshold most of the fee goes to the protocol. */
const FIRST_FEES: PoolFees = { lpBps: 2n, protocolBps: 93n, creatorBps: 30n };

/** Fees of a pool to which a curve migrated, by the value of all tokens at the pool's price. */
export function canonicalFees(marketCapLamports: bigint): PoolFees {
  for (const [marketCapSol, creatorBps] of CREATOR_TIERS) {
    if (marketCapLamports >= marketCapSol * LAMPORTS_PER_SOL) {
      return { lpBps: 20n, protocolBps: 5n, creatorBps };
    }
  }
  return FIRST_FEES;
}

/** Fees of such a pool whose coin has its own rate (recorded: 20, 5 and 200 of v2d2Jm2H…). */
export function ownFees(creatorBps: bigint): PoolFees {
  return { lpBps: 20n, protocolBps: 5n, creatorBps };
}
