import type { Side } from '../../src/model/chain-event.ts';
import type { Venue } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';

/**
 * What a venue says it did, from its own arithmetic: the truth that figures of the service are held
 * against. Amounts are raw and those of the pool: what entered and left its vaults.
 */
export type MarketFact =
  | {
      readonly kind: 'trade';
      readonly venue: Venue;
      readonly pool: Address;
      readonly baseMint: Address;
      readonly quoteMint: Address;
      readonly trader: Address;
      readonly side: Side;
      readonly baseRaw: bigint;
      readonly quoteRaw: bigint;
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
