import type { PositionView } from './position-view.ts';

/**
 * The hold time of a wallet, weighted by quantity, including open units up to now (METHODS §2.4):
 * H = (closed hold + held · (now − acquired)) / (closed + held), a constant plus a slope times now.
 * Stored as integers, so sums over wallets stay exact when terms are added and removed.
 */
export interface HoldTerm {
  readonly constantNs: bigint;
  /** In units of 10^-15: 1 for a wallet that never sold, 0 for one that sold all. */
  readonly slopeE15: bigint;
}

/** Null for a position that never held units of known cost. */
export function holdTermOf({
  heldRaw,
  acquiredS,
  closedHold,
  closedRaw,
}: PositionView): HoldTerm | null {
  const held = Number(heldRaw);
  const total = closedRaw + held;
  if (!(total > 0)) return null;
  const constantS = (closedHold - held * acquiredS) / total;
  if (!(Math.abs(constantS) < SECONDS_MAX)) return null;
  return {
    constantNs: BigInt(Math.round(constantS * 1e9)),
    slopeE15: BigInt(Math.round((held / total) * 1e15)),
  };
}

/** Sums of the terms of a pool's organic wallets. */
export interface HoldSums {
  readonly holdWallets: number;
  readonly holdConstantNs: bigint;
  readonly holdSlopeE15: bigint;
}

/** Mean over the wallets, `nowMs` after the mint's origin; null without wallets. */
export function meanHoldNs(sums: HoldSums, nowMs: number): number | null {
  if (sums.holdWallets === 0) return null;
  const totalNs = sums.holdConstantNs + (sums.holdSlopeE15 * BigInt(nowMs)) / 1_000_000_000n;
  return Number(totalNs) / sums.holdWallets;
}

/** More than two centuries. A longer time is an error, and its nanoseconds exceed 64 bits. */
const SECONDS_MAX = 9e9;
