import type { Address } from '../../src/model/units.ts';
import type { Outcome } from './sending.ts';

/** The traded amounts of a mint, as reported by the venues. */
export interface TradedAmounts {
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
}

/** Sums up one side of the trades of some wallets; failed and dropped ones do not count. */
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
