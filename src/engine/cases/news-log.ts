import type { CaseTrade } from '../../model/mint-case.ts';
import type { Address, RawAmount } from '../../model/units.ts';
import type { CaseNews } from './case-news.ts';

/** What one mint has of news so far. */
interface OpenNews {
  /** Null for nobody: most mints have no buyers of a kind in a slot. */
  buyers: Set<Address> | null;
  groupedBuyers: Set<Address> | null;
  trades: number;
  isLiquidityOut: boolean;
  soldRaw: bigint;
}

/** Collects what one slot adds to cases. */
export class NewsLog {
  private readonly open = new Map<Address, OpenNews>();

  of(mint: Address): OpenNews {
    const known = this.open.get(mint);
    if (known !== undefined) return known;
    const news: OpenNews = {
      buyers: null,
      groupedBuyers: null,
      trades: 0,
      isLiquidityOut: false,
      soldRaw: 0n,
    };
    this.open.set(mint, news);
    return news;
  }

  noteTrade(mint: Address, { side, wallet, baseRaw, group }: CaseTrade): void {
    const news = this.of(mint);
    news.trades++;
    if (side === 'sell') news.soldRaw += baseRaw;
    else {
      news.buyers = (news.buyers ?? new Set()).add(wallet);
      if (group !== null) news.groupedBuyers = (news.groupedBuyers ?? new Set()).add(wallet);
    }
  }

  /** In order of first touch. */
  all(): CaseNews[] {
    return Array.from(this.open, ([mint, news]) => ({
      mint,
      trades: news.trades,
      buyers: news.buyers?.size ?? 0,
      soldRaw: news.soldRaw as RawAmount,
      groupedBuyers: news.groupedBuyers?.size ?? 0,
      isLiquidityOut: news.isLiquidityOut,
    }));
  }
}
