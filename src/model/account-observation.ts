import type { MetadataSet } from './chain-event.ts';
import type { EventPosition } from './event-position.ts';
import type { MintExtensionFact } from './mint-extension.ts';
import type { Address, RawAmount, Slot } from './units.ts';

/** What metadata says, without where it stood. */
export type MetadataContent = Omit<MetadataSet, 'kind' | keyof EventPosition>;

/**
 * What an account held right after a slot, as a node told. Whatever the chain did up to that slot is
 * in it, and nothing after it.
 */
interface AccountObserved {
  readonly contextSlot: Slot;
  readonly mint: Address;
}

/** A mint account. */
export interface MintObserved extends AccountObserved {
  readonly kind: 'mintObserved';
  readonly tokenProgram: Address;
  readonly decimals: number;
  readonly supplyRaw: RawAmount;
  readonly mintAuthority: Address | null;
  readonly freezeAuthority: Address | null;
  /** Of Token-2022, one of each kind at most. */
  readonly extensions: readonly MintExtensionFact[];
}

/** A mint's Metaplex account, or the metadata a Token-2022 mint carries itself. */
export interface MetadataObserved extends AccountObserved, MetadataContent {
  readonly kind: 'metadataObserved';
}

export type AccountObservation = MintObserved | MetadataObserved;
