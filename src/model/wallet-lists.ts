import type { CaseClass } from './mint-case.ts';
import type { TokenRecord } from './token-record.ts';
import type { Address, Lamports, RawAmount, Signature, Slot } from './units.ts';
import type { WalletPosition } from './wallet-record.ts';

export interface PositionPageQuery {
  readonly wallet: Address;
  /** Only positions with tokens. */
  readonly isOpen: boolean;
  /** Number of the last position of the previous page; null for the newest. */
  readonly before: number | null;
  readonly limit: number;
}

/** Newest positions first. */
export interface PositionPage {
  readonly positions: readonly WalletPosition[];
  /** Number of the last position; null on the last page. */
  readonly next: number | null;
}

/** A position in the order of created tokens: newest first, unknown slots last, ties by mint. */
export interface CreatedTokenCursor {
  readonly slot: Slot | null;
  readonly mint: Address;
}

export interface CreatedTokenQuery {
  readonly creator: Address;
  readonly after: CreatedTokenCursor | null;
  readonly limit: number;
}

export interface CreatedTokenPage {
  readonly tokens: readonly TokenRecord[];
  /** Null on the last page. */
  readonly next: CreatedTokenCursor | null;
}

/** How another wallet is linked to a wallet, by the names the wire uses. */
export const LINK_KINDS = [
  'funded_by',
  'funded',
  'sent_tokens',
  'received_tokens',
  'follows',
  'same_finding',
] as const;

export type LinkKind = (typeof LINK_KINDS)[number];

/** A transaction behind a link. */
export interface LinkTransaction {
  /** Null where evidence names the signature alone. */
  readonly slot: Slot | null;
  readonly signature: Signature;
  /** Of a payment; null for tokens. */
  readonly lamports: Lamports | null;
  /** Of a transfer, a purchase, or the finding; null for payments. */
  readonly mint: Address | null;
  readonly amountRaw: RawAmount | null;
  readonly decimals: number | null;
}

/** A wallet linked to another. */
export interface WalletLink {
  readonly wallet: Address;
  readonly kind: LinkKind;
  /** Null for an ordinary wallet. */
  readonly class: CaseClass | null;
  /**
   * 0 to 1: for payments and transfers the share of all recorded ones in that direction; for
   * `follows` n / (n + 3) for n mints, 3 being the number from which following counts; for
   * `same_finding` the highest confidence.
   */
  readonly strength: number;
  /** In block order; those of findings in the order of the evidence. */
  readonly transactions: readonly LinkTransaction[];
  /** Findings that involve both wallets. */
  readonly findings: readonly string[];
}

/** A position in the order of links: strongest first, then by kind and wallet. */
export interface LinkCursor extends Pick<WalletLink, 'kind' | 'wallet'> {
  /** Strength in ten-thousandths. */
  readonly strengthE4: number;
}

export interface LinkPageQuery {
  readonly wallet: Address;
  readonly kinds: readonly LinkKind[];
  readonly after: LinkCursor | null;
  readonly limit: number;
}

export interface LinkPage {
  readonly links: readonly WalletLink[];
  /** Null on the last page. */
  readonly next: LinkCursor | null;
}

export function linkCursorOf({ strength, kind, wallet }: WalletLink): LinkCursor {
  return { strengthE4: Math.round(strength * 10_000), kind, wallet };
}

export function compareLinks(one: LinkCursor, other: LinkCursor): number {
  return (
    other.strengthE4 - one.strengthE4 ||
    LINK_KINDS.indexOf(one.kind) - LINK_KINDS.indexOf(other.kind) ||
    (one.wallet < other.wallet ? -1 : Number(one.wallet > other.wallet))
  );
}
