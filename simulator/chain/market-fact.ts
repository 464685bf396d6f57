import type { Venue } from '../../src/model/program.ts';
import type { Side } from '../../src/model/swap.ts';
import type { Address } from '../../src/model/units.ts';

/**
 * What a venue says it did, from its own arithmetic: the truth that figures of the service are held
 * against. Amounts are raw and those of the pool: what entered and left its vaults, without fees that
 * only wait there.
 */
export type MarketFact =
  | {
      readonly kind: 'trade';
      readonly venue: Venue;
      readonly pool: Address;
      readonly baseMint: Address;
      readonly quoteMint: Address;
      /** Null for what a protocol buys itself. */
      readonly trader: Address | null;
      readonly side: Side;
      readonly baseRaw: bigint;
      readonly quoteRaw: bigint;
      /** Fees of it that stay in the quote vault beside `quoteRaw`, until they are swept. */
      readonly keptQuoteRaw: bigint;
    }
  | {
      /** Kept fees were paid out. */
      readonly kind: 'feeSweep';
      readonly venue: Venue;
      readonly pool: Address;
      /** What they are in. */
      readonly mint: Address;
      readonly bucket: 'protocol' | 'creator';
      readonly amountRaw: bigint;
      /** Signed change of the pool's reserves: 0 where they never counted the fees. */
      readonly poolDeltaRaw: bigint;
    }
  | {
      /** Quote was set aside to buy the token back later; the pool prices as if it held it. */
      readonly kind: 'poolBoost';
      readonly venue: Venue;
      readonly pool: Address;
      readonly mint: Address;
      /** Signed change of what the vault holds. */
      readonly poolDeltaRaw: bigint;
    }
  | {
      readonly kind: 'liquidity';
      readonly pool: Address;
      readonly provider: Address;
      /** Signed: positive when it was added. */
      readonly baseRaw: bigint;
      readonly quoteRaw: bigint;
    }
  | {
      readonly kind: 'launch';
      readonly venue: Venue;
      readonly mint: Address;
      readonly pool: Address;
      /** The wallet that launched it, whoever is paid its fees. */
      readonly creator: Address;
    }
  | {
      readonly kind: 'poolCreated';
      readonly venue: Venue;
      readonly pool: Address;
      readonly baseMint: Address;
      readonly quoteMint: Address;
      readonly creator: Address;
      readonly baseRaw: bigint;
      readonly quoteRaw: bigint;
    }
  | { readonly kind: 'curveComplete'; readonly mint: Address; readonly pool: Address }
  | {
      readonly kind: 'migrate';
      readonly mint: Address;
      readonly fromPool: Address;
      readonly toPool: Address;
    };
