import type { LiquidityEvent } from '../../model/derived.ts';
import type { MintExtensionFact } from '../../model/mint-extension.ts';
import type { Address, RawAmount, Slot } from '../../model/units.ts';
import { knownTimeMs, type Moment } from './logical-time.ts';
import { type OlderToken, olderToken } from './older-token.ts';
import { type MetadataState, NO_METADATA } from './token-metadata.ts';

/** What the fold knows of a mint from its own events. Prices and burns are other books' matter. */
export interface TokenState {
  readonly mint: Address;
  tokenProgram: Address | null;
  creator: Address | null;
  feeRecipient: Address | null;
  supplyRaw: RawAmount | null;
  decimals: number | null;
  mintAuthority: Address | null;
  freezeAuthority: Address | null;
  creationSlot: Slot | null;
  metadata: MetadataState;
  /** Of Token-2022, one of each kind, in order of first sight. */
  readonly extensions: MintExtensionFact[];
  liquidityEvent: LiquidityEvent | null;
  /** A pool was met whose beginning is older than the held history. */
  hasOlderPool: boolean;
  primaryPool: Address | null;
  readonly createdAtMs: number | null;
  updatedAtMs: number | null;
  slot: Slot;
  /** What accounts that are read have to be put together with; null when its beginning was seen. */
  older: OlderToken | null;
}

/** A mint that was just met, of which nothing else is known. */
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
