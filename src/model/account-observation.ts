import type { MetadataSet } from './chain-event.ts';
import type { EventPosition } from './event-position.ts';
import type { MintExtensionFact } from './mint-extension.ts';
import type { Address, RawAmount, Slot } from './units.ts';

/** The content of metadata, without its position in the chain. */
export type MetadataContent = Omit<MetadataSet, 'kind' | keyof EventPosition>;

/**
 * State of an account right after a slot, as a node reported it. It includes everything the chain
 * did up to that slot and nothing later.
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
  /** Extensions of a Token-2022 mint, at most one of each kind. */
  readonly extensions: readonly MintExtensionFact[];
}

/** A mint's Metaplex account, or the metadata a Token-2022 mint carries itself. */
export interface MetadataObserved extends AccountObserved, MetadataContent {
  readonly kind: 'metadataObserved';
}

export type AccountObservation = MintObserved | MetadataObserved;
