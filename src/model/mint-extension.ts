import type { EventPosition } from './event-position.ts';
import type { Address, RawAmount } from './units.ts';

/** A Token-2022 extension of a mint was set up or changed. Amounts elsewhere are raw all the same. */
export interface MintExtension extends EventPosition {
  readonly kind: 'mintExtension';
  readonly mint: Address;
  readonly extension: MintExtensionFact;
}

/** What the extension is set to; at most one of each kind is on a mint. */
export type MintExtensionFact =
  | { readonly kind: 'transferFee'; readonly feeBps: number; readonly maxFeeRaw: RawAmount }
  /** Replaces the transfer fee two epochs after it was set. */
  | { readonly kind: 'nextTransferFee'; readonly feeBps: number; readonly maxFeeRaw: RawAmount }
  /** Yearly, continuously compounded; wallets show amounts with it, balances do not change. */
  | { readonly kind: 'interestBearing'; readonly rateBps: number }
  /** What wallets multiply amounts by; from the time on when there is one. */
  | {
      readonly kind: 'scaledUiAmount';
      readonly multiplier: number;
      readonly effectiveTimeMs: number | null;
    }
  /** Account that holds the mint's metadata. */
  | { readonly kind: 'metadataPointer'; readonly metadataAddress: Address | null }
  /** May move and burn anybody's tokens; null once given up. */
  | { readonly kind: 'permanentDelegate'; readonly delegate: Address | null }
  /** Program called at each transfer, which may refuse it. */
  | { readonly kind: 'transferHook'; readonly hookProgram: Address | null }
  /** New accounts are frozen until the freeze authority thaws them. */
  | { readonly kind: 'defaultAccountState'; readonly isFrozen: boolean }
  | { readonly kind: 'nonTransferable' }
  | { readonly kind: 'pausable'; readonly isPaused: boolean }
  | { readonly kind: 'mintCloseAuthority'; readonly closeAuthority: Address | null }
  /** Accounts may hide amounts from the record. */
  | { readonly kind: 'confidentialTransfer' };

/** Which extension it is. */
export type MintExtensionKind = MintExtensionFact['kind'];
