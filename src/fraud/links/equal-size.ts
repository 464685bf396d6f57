import { divide } from '../../lib/decimal.ts';
import type { CaseTrade, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { coordinatedGroups, type LinkFamily } from './link-family.ts';
import { longestRuns } from './longest-runs.ts';

const APART_MAX_SLOTS = 10;
const STRENGTH = 0.3;
/** Sizes are compared in steps of 0.0001 SOL; people enter multiples of 0.01 SOL. */
const STEP_LAMPORTS = 100_000n;
const ROUND_STEPS = 100n;
const [STEP, ROUND] = [Number(STEP_LAMPORTS), Number(ROUND_STEPS)];
const BPS = 10_000;

/** B-size: both wallets bought for the same non-round amount at nearly the same time. */
export const equalSize: LinkFamily = {
  name: 'equal-size',
  kind: 'market',
  find: ({ mintCase }) => coordinatedGroups(buyersOfOneSize(mintCase), STRENGTH),
};

function* buyersOfOneSize(mintCase: MintCase): Iterable<ReadonlySet<Address>> {
  const feeBps = mintCase.market?.feeBps ?? 0;
  const buys = mintCase.trades.filter(
    // Users of a terminal choose among its preset sizes.
    ({ side, lamports, isArbitrage, isTerminal }) =>
      side === 'buy' && !isArbitrage && !isTerminal && !isRound(lamports, feeBps),
  );
  const bySize = Map.groupBy(buys, ({ lamports }) => stepsOf(lamports));
  const isNear = (first: CaseTrade, last: CaseTrade) => last.slot - first.slot <= APART_MAX_SLOTS;
  for (const trades of bySize.values()) {
    if (!isOfSeveral(trades)) continue;
    for (const near of longestRuns(trades, isNear)) {
      if (isOfSeveral(near)) yield new Set(near.map(({ wallet }) => wallet));
    }
  }
}

/** Whether the trades are of several wallets: one wallet forms no link. */
function isOfSeveral(trades: readonly CaseTrade[]): boolean {
  const [first] = trades;
  return trades.some(({ wallet }) => wallet !== first?.wallet);
}

/**
 * Below this amount, all calculations here (up to 10,000 times the amount) are exact as doubles.
 */
const EXACT_LAMPORTS = 2n ** 39n;

function stepsOf(lamports: bigint): number | bigint {
  if (lamports >= 0n && lamports < EXACT_LAMPORTS) return halfUp(Number(lamports), STEP);
  const steps = divide(lamports, STEP_LAMPORTS, 'half-up');
  return steps <= Number.MAX_SAFE_INTEGER ? Number(steps) : steps;
}

/** Whether an amount is round as paid, or before the pool's fee was added. */
function isRound(lamports: bigint, feeBps: number): boolean {
  if (lamports >= 0n && lamports < EXACT_LAMPORTS && Number.isInteger(feeBps) && feeBps >= 0) {
    const paid = Number(lamports);
    const beforeFee = halfUp(paid * BPS, BPS + feeBps);
    return isRoundStep(halfUp(paid, STEP)) || isRoundStep(halfUp(beforeFee, STEP));
  }
  const beforeFee = divide(lamports * 10_000n, 10_000n + BigInt(feeBps), 'half-up');
  return isRoundStep(stepsOf(lamports)) || isRoundStep(stepsOf(beforeFee));
}

function isRoundStep(steps: number | bigint): boolean {
  return typeof steps === 'bigint' ? steps % ROUND_STEPS === 0n : steps % ROUND === 0;
}

/** Division rounded half up. Exact for non-negative integers that are exact as doubles. */
function halfUp(amount: number, by: number): number {
  const rest = amount % by;
  return (amount - rest) / by + (2 * rest >= by ? 1 : 0);
}
