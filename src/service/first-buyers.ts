import type { AsOf } from '../model/as-of.ts';
import type { FirstBuyerPage, FirstBuyerQuery, FirstBuyPage } from '../model/first-buyers.ts';
import type { TokenRecord } from '../model/token-record.ts';
import type { WalletStanding } from '../model/token-wallets.ts';
import type { Address } from '../model/units.ts';

export interface FirstBuyerSources {
  readonly page: (query: FirstBuyerQuery) => Promise<AsOf<FirstBuyPage>>;
  /** A token and the standing of wallets in it, as of the newest slot; null for an unknown token. */
  readonly standings: (mint: Address, wallets: readonly Address[]) => AsOf<TokenStandings | null>;
}

export interface TokenStandings {
  readonly token: TokenRecord;
  /** In the order of the wallets. */
  readonly standings: readonly WalletStanding[];
}

/** After so many attempts the page is returned with standings of a later slot, and that slot. */
const ATTEMPTS_MAX = 4;

/** A page of first buyers with what is known about them; null for an unknown token. */
export async function firstBuyers(
  { page, standings }: FirstBuyerSources,
  query: FirstBuyerQuery,
): Promise<AsOf<FirstBuyerPage | null>> {
  for (let attempt = 1; ; attempt++) {
    const read = await page(query);
    const { buys, next } = read.data;
    const known = standings(
      query.mint,
      buys.map(({ wallet }) => wallet),
    );
    // A full page is the same as of any later slot.
    const isSame = read.slot === known.slot || next !== null;
    if (!isSame && attempt < ATTEMPTS_MAX) continue;
    if (known.data === null) return { ...known, data: null };
    const { token } = known.data;
    const buyers = known.data.standings.flatMap((standing, at) => {
      const buy = buys[at];
      return buy === undefined ? [] : [{ ...buy, standing }];
    });
    return { ...known, data: { token, buyers, next } };
  }
}
