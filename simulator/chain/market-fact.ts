import type { Venue } from '../../src/model/program.ts';
import type { Side } from '../../src/model/swap.ts';
import type { Address } from '../../src/model/units.ts';

/**
 * What a venue did, by its own arithmetic: the ground truth against which the service's figures are
 * checked. Amounts are raw and those of the pool: what entered and left its vaults, without fees
 * that are only kept there.
 */
export type MarketFact =
  | {
      readonly kind: 'trade';
      readonly venue: Venue;
      readonly pool: Address;
      readonly baseMint: Address;
      readonly quoteMint: Address;
      /** Null for purchases by a protocol itself. */
      readonly trader: Address | null;
      readonly side: Side;
      readonly baseRaw: bigint;
      readonly quoteRaw: bigint;
      /**
       * Fees of the swap that stay in the quote vault in addition to `quoteRaw`, until they are
       * swept.
       */
      readonly keptQuoteRaw: bigint;
    }
  | {
      /** Kept fees were paid out. */
      readonly kind: 'feeSweep';
      readonly venue: Venue;
      readonly pool: Address;
      /** The mint of the fees. */
      readonly mint: Address;
      readonly bucket: 'protocol' | 'creator';
      readonly amountRaw: bigint;
      /** Signed change of the pool's reserves: 0 if they never included the fees. */
      readonly poolDeltaRaw: bigint;
    }
  | {
      /** Quote was set aside for a later buyback; the pool includes it in its price. */
      readonly kind: 'poolBoost';
      readonly venue: Venue;
      readonly pool: Address;
      readonly mint: Address;
      /** Signed change of the vault's balance. */
      readonly poolDeltaRaw: bigint;
    }
  | {
      readonly kind: 'liquidity';
      readonly pool: Address;
      readonly provider: Address;
      /** Signed: positive when liquidity was added. */
      readonly baseRaw: bigint;
      readonly quoteRaw: bigint;
    }
  | {
      readonly kind: 'launch';
      readonly venue: Venue;
      readonly mint: Address;
      readonly pool: Address;
      /** The wallet that launched the token, regardless of who receives its fees. */
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
