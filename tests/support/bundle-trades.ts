import { findBundles } from '../../src/fold/market/bundles.ts';
import type { TransactionFacts } from '../../src/model/slot-facts.ts';
import type { Side, Swap } from '../../src/model/swap.ts';
import type { Address } from '../../src/model/units.ts';
import { jitoTip, slotFacts, swapEvent, transactionFacts } from './build-facts.ts';
import { address } from './build-transaction.ts';

/** All swaps of these tests are against SOL. */
export const lamportsOf = (swap: Swap) => swap.traderQuoteDelta;

export interface TradeDraft {
  readonly txIndex: number;
  readonly who: string;
  readonly side?: Side;
  readonly hasTip?: boolean;
  readonly lamports?: bigint;
  readonly rest?: Partial<TransactionFacts>;
  readonly mint?: Address;
}

/** A transaction in which its signer trades `token-t`. */
export function trade({
  txIndex,
  who,
  side,
  hasTip,
  lamports,
  rest,
  mint,
}: TradeDraft): TransactionFacts {
  const trader = address(who);
  const draft = { trader, side: side ?? 'buy', baseRaw: 7n, quoteRaw: lamports ?? 500_000_000n };
  return transactionFacts({
    txIndex,
    signers: [trader],
    tips: hasTip ? jitoTip() : [],
    events: [swapEvent(draft, mint === undefined ? {} : { baseMint: mint })],
    ...rest,
  });
}

/** The bundles of one slot, reduced to the compared fields. */
export function bundlesIn(transactions: readonly TransactionFacts[]) {
  return findBundles(slotFacts(100, 1_000, transactions), lamportsOf).map(
    ({ txIndex, owner, level, certainty }) => ({ txIndex, owner, level, certainty }),
  );
}
