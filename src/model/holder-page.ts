import type { AddressClass } from './address-registry.ts';
import type { HolderBalance } from './derived.ts';
import type { WalletStanding } from './token-wallets.ts';
import type { Address, RawAmount } from './units.ts';

/** A position in the order of holders: largest balance first, then by address. */
export interface HolderCursor {
  readonly balanceRaw: RawAmount;
  readonly owner: Address;
}

export interface HolderPageQuery {
  readonly mint: Address;
  /** Null: from the largest on. */
  readonly after: HolderCursor | null;
  readonly limit: number;
}

export interface ListedHolder extends HolderBalance {
  /** Known class of the owner; `wallet` when nothing else is known. */
  readonly holderKind: AddressClass | 'hub' | 'wallet';
  /** Null for an owner that is no ordinary wallet. */
  readonly standing: WalletStanding | null;
}

export interface HolderPage {
  /** Largest first. */
  readonly holders: readonly ListedHolder[];
  /** Number of all holders of the mint, excluding pools, lockers and burn addresses. */
  readonly count: number;
  /** Null on the last page. */
  readonly next: HolderCursor | null;
}
