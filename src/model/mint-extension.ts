import type { EventPosition } from './event-position.ts';
import type { Address, RawAmount } from './units.ts';

/**
 * A Token-2022 extension of a mint was initialised or changed. Amounts in other events stay raw.
 */
export interface MintExtension extends EventPosition {
  readonly kind: 'mintExtension';
  readonly mint: Address;
  readonly extension: MintExtensionFact;
}

/** State of an extension; a mint has at most one extension of each kind. */
export type MintExtensionFact =
  | { readonly kind: 'transferFee'; readonly feeBps: number; readonly maxFeeRaw: RawAmount }
  /** Replaces the transfer fee two epochs after it is set. */
  | { readonly kind: 'nextTransferFee'; readonly feeBps: number; readonly maxFeeRaw: RawAmount }
  /**
   * Yearly rate, continuously compounded. Wallets display amounts with it; balances do not change.
   */
  | { readonly kind: 'interestBearing'; readonly rateBps: number }
  /**
   * Factor that wallets multiply displayed amounts by, from the effective time on if there is one.
   */
  | {
      readonly kind: 'scaledUiAmount';
      readonly multiplier: number;
      readonly effectiveTimeMs: number | null;
    }
  /** Account that holds the mint's metadata. */
  | { readonly kind: 'metadataPointer'; readonly metadataAddress: Address | null }
  /** May move and burn the tokens of any holder; null once removed. */
  | { readonly kind: 'permanentDelegate'; readonly delegate: Address | null }
  /** Program called on each transfer, which may reject it. */
  | { readonly kind: 'transferHook'; readonly hookProgram: Address | null }
  /** New accounts are frozen until the freeze authority thaws them. */
  | { readonly kind: 'defaultAccountState'; readonly isFrozen: boolean }
  | { readonly kind: 'nonTransferable' }
  | { readonly kind: 'pausable'; readonly isPaused: boolean }
  | { readonly kind: 'mintCloseAuthority'; readonly closeAuthority: Address | null }
  /** Accounts may hide amounts, so that the record does not show them. */
  | { readonly kind: 'confidentialTransfer' };

/** The kind of an extension. */
export type MintExtensionKind = MintExtensionFact['kind'];
