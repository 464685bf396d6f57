import type { Mutable } from '../../lib/mutable.ts';
import type { MintExtensionFact } from '../../model/mint-extension.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import type { Address } from '../../model/units.ts';
import { knownTimeMs, type Moment } from './logical-time.ts';
import { type OlderToken, olderToken } from './older-token.ts';
import { type MetadataState, NO_METADATA } from './token-metadata.ts';

/** Fields of the public record that other books provide. */
type PresentedField = 'burnedRaw' | 'name' | 'symbol' | 'metadata' | 'priceUsd' | 'priceChain';

/** The state of a token from events of its mint. Prices and burns are kept in other books. */
export interface TokenState extends Mutable<Omit<TokenRecord, PresentedField>> {
  metadata: MetadataState;
  /** Token-2022 extensions, one of each kind, in order of first sight. */
  readonly extensions: MintExtensionFact[];
  /** The token has a pool that was created before the stored history. */
  hasOlderPool: boolean;
  /** Data to merge with account reads; null if the creation of the token was seen. */
  older: OlderToken | null;
}

/** Creates the state of a newly seen mint. */
export function newToken(mint: Address, decimals: number | null, at: Moment): TokenState {
  return {
    mint,
    tokenProgram: null,
    creator: null,
    feeRecipient: null,
    supplyRaw: null,
    decimals,
    mintAuthority: null,
    freezeAuthority: null,
    creationSlot: null,
    metadata: NO_METADATA,
    extensions: [],
    liquidityEvent: null,
    hasOlderPool: false,
    primaryPool: null,
    createdAtMs: knownTimeMs(at),
    updatedAtMs: knownTimeMs(at),
    slot: at.slot,
    older: olderToken(at.slot),
  };
}
