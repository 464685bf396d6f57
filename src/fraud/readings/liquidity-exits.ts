import { mulDiv } from '../../lib/decimal.ts';
import type { CaseLiquidity, TransactionRef } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';

/** Tokens deposited one-sided into a pool and withdrawn as the quote that buyers paid for them. */
export interface LiquidityExit extends TransactionRef {
  readonly provider: Address;
  readonly baseRaw: bigint;
  /** Lamports of the withdrawal. */
  readonly lamports: bigint;
}

/** One-sided liquidity of one provider in one pool, and what it sold through it. */
export interface OneSidedPosition {
  readonly firstSlot: number;
  readonly soldRaw: bigint;
  readonly exits: readonly LiquidityExit[];
}

/** Maximum of quote deposited by such a provider, in percent of the quote withdrawn. */
const OWN_QUOTE_PERCENT_MAX = 10n;

/**
 * One-sided positions of these providers with withdrawals of quote. The tokens that were not
 * returned are distributed over the withdrawals in proportion to their quote.
 */
export function findOneSidedPositions(
  liquidity: readonly CaseLiquidity[],
  isProvider: (wallet: Address) => boolean,
): readonly OneSidedPosition[] {
  const own = liquidity.filter(({ provider }) => isProvider(provider));
  const byPosition = Map.groupBy(own, ({ provider, pool }) => `${provider} ${pool}`);
  return [...byPosition.values()].flatMap((changes) => toPosition(changes) ?? []);
}

function toPosition(changes: readonly CaseLiquidity[]): OneSidedPosition | null {
  const deposits = changes.filter(({ baseRaw, lamports }) => baseRaw > 0n && lamports === 0n);
  const withdrawals = changes.filter(({ lamports }) => lamports < 0n);
  const [first] = deposits;
  const quoteIn = sumOf(changes, ({ lamports }) => (lamports > 0n ? lamports : 0n));
  const quoteOut = sumOf(withdrawals, ({ lamports }) => 0n - lamports);
  const soldRaw = sumOf(changes, ({ baseRaw }) => baseRaw);
  if (first === undefined || quoteOut === 0n || soldRaw <= 0n) return null;
  if (quoteIn * 100n > quoteOut * OWN_QUOTE_PERCENT_MAX) return null;
  const exits = withdrawals.map(({ slot, timeMs, txIndex, signature, provider, lamports }) => ({
    slot,
    timeMs,
    txIndex,
    signature,
    provider,
    baseRaw: mulDiv(soldRaw, 0n - lamports, quoteOut, 'down'),
    lamports: 0n - lamports,
  }));
  return { firstSlot: first.slot, soldRaw, exits };
}

function sumOf(
  changes: readonly CaseLiquidity[],
  amountOf: (change: CaseLiquidity) => bigint,
): bigint {
  return changes.reduce((sum, change) => sum + amountOf(change), 0n);
}
