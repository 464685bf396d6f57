import type { Address } from '../../src/model/units.ts';
import type { Outcome } from './sending.ts';

/** What transactions traded of a mint, as the venues counted it. */
export interface TradedAmounts {
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
}

/** Sums up the trades of some wallets on one side; failed and dropped ones count nothing. */
export function tradedBy(
  outcomes: readonly Outcome[],
  wallets: ReadonlySet<Address>,
  side: 'buy' | 'sell',
): TradedAmounts {
  let [baseRaw, quoteRaw] = [0n, 0n];
  for (const outcome of outcomes) {
    for (const fact of outcome?.facts ?? []) {
      if (fact.kind !== 'trade' || fact.side !== side) continue;
      if (fact.trader === null || !wallets.has(fact.trader)) continue;
      baseRaw += fact.baseRaw;
      quoteRaw += fact.quoteRaw;
    }
  }
  return { baseRaw, quoteRaw };
}
