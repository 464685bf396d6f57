import { type Codec, list, plain, record, unionByKind, type WithKind } from './codec.ts';
import { METADATA_CONTENT } from './metadata-content.ts';
import { MINT_EXTENSION_FACT } from './mint-extension.ts';
import type { Slot } from './units.ts';
import { address, amount, maybeAddress } from './value-codecs.ts';

const MINT_OBSERVED = record({
  contextSlot: plain<Slot>(),
  mint: address,
  tokenProgram: address,
  decimals: plain<number>(),
  supplyRaw: amount,
  mintAuthority: maybeAddress,
  freezeAuthority: maybeAddress,
  /** Extensions of a Token-2022 mint, at most one of each kind. */
  extensions: list(MINT_EXTENSION_FACT),
});

/** A mint account. */
export interface MintObserved extends WithKind<'mintObserved', typeof MINT_OBSERVED> {}

const METADATA_OBSERVED = record({ contextSlot: plain<Slot>(), ...METADATA_CONTENT });

/** A mint's Metaplex account, or the metadata a Token-2022 mint carries itself. */
export interface MetadataObserved extends WithKind<'metadataObserved', typeof METADATA_OBSERVED> {}

/**
 * State of an account right after a slot, as a node reported it. It includes everything the chain
 * did up to that slot and nothing later.
 */
export type AccountObservation = MintObserved | MetadataObserved;

export const ACCOUNT_OBSERVATION: Codec<AccountObservation> = unionByKind({
  mintObserved: MINT_OBSERVED,
  metadataObserved: METADATA_OBSERVED,
});
