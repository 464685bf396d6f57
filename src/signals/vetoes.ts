import { RATIO_MAX, ratio, usd } from './features/features.ts';
import type { MinuteFacts } from './features/signal-model.ts';

/** Reasons to suppress all signals of a pool, whatever a model finds (METHODS §6.1). */
export const VETOES = [
  'fraud',
  'freeze_authority',
  'transfer_fee',
  'unlocked_liquidity',
  'thin_liquidity',
  'unsettled_price',
  'concentrated_supply',
] as const;

export type Veto = (typeof VETOES)[number];

const FRAUD_CONFIDENCE = 0.7;
const TRANSFER_FEE_BPS_MAX = 100;
const LOCKED_SHARE_MIN = 0.5;
const LIQUIDITY_USD_MIN = 10_000;
const CLUSTER_SHARE_MAX = 0.25;

/**
 * Returns the first veto that applies, null for none. Unknown facts count against the pool, because
 * users may risk money on a signal.
 */
export function vetoOf(facts: MinuteFacts): Veto | null {
  return cheapVetoOf(facts) ?? clusterVetoOf(facts);
}

/** All vetoes but the last, which is expensive to evaluate. */
export function cheapVetoOf(facts: MinuteFacts): Veto | null {
  if (facts.fraudConfidence >= FRAUD_CONFIDENCE) return 'fraud';
  if (facts.isFreezable ?? true) return 'freeze_authority';
  if ((facts.transferFeeBps ?? Number.POSITIVE_INFINITY) > TRANSFER_FEE_BPS_MAX) {
    return 'transfer_fee';
  }
  if (!isLocked(facts)) return 'unlocked_liquidity';
  if ((usd(facts.pool.liquidityUsd) ?? 0) < LIQUIDITY_USD_MIN) return 'thin_liquidity';
  return facts.isPriceFinal ? null : 'unsettled_price';
}

export function clusterVetoOf({ topClusterShare }: MinuteFacts): Veto | null {
  return (topClusterShare() ?? RATIO_MAX) > CLUSTER_SHARE_MAX ? 'concentrated_supply' : null;
}

function isLocked({ isCurve, isLaunchpadLocked, pool }: MinuteFacts): boolean {
  if (isCurve || isLaunchpadLocked) return true;
  const { lockedLiquidity } = pool;
  if (lockedLiquidity === null) return false;
  const { lockedRaw, issuedRaw } = lockedLiquidity;
  return (ratio(Number(lockedRaw), Number(issuedRaw)) ?? 0) >= LOCKED_SHARE_MIN;
}
