import { divide } from '../../lib/decimal.ts';
import type { CaseTrade } from '../../model/mint-case.ts';
import { evenly, type LinkFamily, type LinkGroup, type LinkInput } from './link-family.ts';
import { longestRuns } from './longest-runs.ts';

const APART_MAX_SLOTS = 10;
const STRENGTH = 0.3;
/** Sizes are compared in steps of 0.0001 SOL; multiples of 0.01 SOL are what people type. */
const STEP_LAMPORTS = 100_000n;
const ROUND_STEPS = 100n;

/** B-size: both bought for the same odd amount, at nearly the same time. */
export const equalSize: LinkFamily = { name: 'equal-size', find };

function* find({ mintCase }: LinkInput): Iterable<LinkGroup> {
  const feeBps = mintCase.market?.feeBps ?? 0;
  const buys = mintCase.trades.filter(
    // Users of a terminal choose among its preset sizes.
    ({ side, lamports, isArbitrage, isTerminal }) =>
      side === 'buy' && !isArbitrage && !isTerminal && !isRound(lamports, feeBps),
  );
  const bySize = Map.groupBy(buys, ({ lamports }) => stepsOf(lamports));
  const isNear = (first: CaseTrade, last: CaseTrade) => last.slot - first.slot <= APART_MAX_SLOTS;
  for (const trades of bySize.values()) {
    for (const near of longestRuns(trades, isNear)) {
      yield {
        relationship: 'coordinated_trading',
        via: null,
        strength: STRENGTH,
        members: evenly(near.map(({ wallet }) => wallet)),
      };
    }
  }
}

function stepsOf(lamports: bigint): bigint {
  return divide(lamports, STEP_LAMPORTS, 'half-up');
}

/** As paid, or before the pool's fee was put on top. */
function isRound(lamports: bigint, feeBps: number): boolean {
  const beforeFee = divide(lamports * 10_000n, 10_000n + BigInt(feeBps), 'half-up');
  return stepsOf(lamports) % ROUND_STEPS === 0n || stepsOf(beforeFee) % ROUND_STEPS === 0n;
}
