import {
  FIRST_BUYERS_MAX,
  type FirstBuyerQuery,
  type FirstBuyPage,
} from '../model/first-buyers.ts';
import type { TradedSwap } from '../model/trade.ts';
import type { Address } from '../model/units.ts';
import { firstOfEach, type StoredFirstBuys } from '../store/reads/first-buys.ts';
import type { UnwrittenRows } from './unwritten-rows.ts';

/** First purchases of wallets up to the newest slot: stored ones, then unwritten ones. */
export class CurrentFirstBuys {
  private readonly stored: Pick<StoredFirstBuys, 'of'>;
  private readonly unwritten: UnwrittenRows;

  constructor(stored: Pick<StoredFirstBuys, 'of'>, unwritten: UnwrittenRows) {
    this.stored = stored;
    this.unwritten = unwritten;
  }

  async page({ mint, afterRank, limit }: FirstBuyerQuery): Promise<FirstBuyPage> {
    const end = Math.min(afterRank + limit, FIRST_BUYERS_MAX);
    // One more than shown shows whether there is a next page.
    const stored = await this.stored.of(mint, end + 1);
    const all = firstOfEach([...stored, ...this.unwrittenBuys(mint)]);
    const buys = all.slice(afterRank, end).flatMap((swap, at) => {
      const { trader: wallet } = swap.swap;
      return wallet === null ? [] : [{ rank: afterRank + at + 1, wallet, swap }];
    });
    const isLast = all.length <= end || end === FIRST_BUYERS_MAX;
    return { buys, next: isLast ? null : end };
  }

  /** Oldest first. */
  private unwrittenBuys(mint: Address): TradedSwap[] {
    return [...this.unwritten.trades(mint)]
      .filter(
        ({ swap, exclusion }) =>
          swap.baseMint === mint &&
          swap.side === 'buy' &&
          !swap.isIntermediateHop &&
          exclusion !== 'quarantined',
      )
      .reverse();
  }
}
