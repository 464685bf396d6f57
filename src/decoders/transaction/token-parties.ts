import { type Address, asAddress } from '../../model/units.ts';
import type { TokenMovement } from './token-movements.ts';
import type { TransactionView } from './transaction-view.ts';

/**
 * Owner of a token account: the address that may spend it, SELF_OWNED for a token account that owns
 * itself, null when the record does not show it.
 */
export type Party = Address | null;

/**
 * All token accounts that own themselves, treated as one party. Only a program can sign for such an
 * account, and a pool of that kind has one for each of its mints. The text is no address: it stands
 * for more than 32 bytes.
 */
export const SELF_OWNED = asAddress('z'.repeat(44));

/** A transfer between two known parties. */
export interface PartyTransfer {
  readonly movement: TokenMovement;
  readonly mint: Address;
  readonly from: Address;
  readonly to: Address;
}

/** The party of a token account, by key index. */
export function partyOf(view: TransactionView, accountIndex: number): Party {
  const owner = view.tokenAccount(accountIndex)?.owner ?? null;
  return owner !== null && owner === keyAt(view, accountIndex) ? SELF_OWNED : owner;
}

/** The transfer by parties; null when it is within one party, zero or incompletely known. */
export function partyTransferOf(
  view: TransactionView,
  movement: TokenMovement,
): PartyTransfer | null {
  const { kind, amount, mint, source, destination, authority } = movement;
  if (kind !== 'transfer' || amount === 0n || mint === null) return null;
  if (!isOfOneMint(view, movement)) return null;
  const from = partyOf(view, source) ?? keyAt(view, authority);
  const to = partyOf(view, destination);
  if (from === null || to === null || from === to) return null;
  return { movement, mint, from, to };
}

/** False for an impossible record: tokens of one mint in an account of another. */
export function isOfOneMint(
  view: TransactionView,
  { mint, source, destination }: TokenMovement,
): boolean {
  const isOf = (index: number) => (view.tokenAccount(index)?.mint ?? mint) === mint;
  return mint !== null && isOf(source) && isOf(destination);
}

/**
 * True when the party paid without its own signature and without a delegate: a program signed for
 * it. False for wallets, which sign, and for wallets whose delegate pays.
 */
export function isPaidByProgram(view: TransactionView, { movement, from }: PartyTransfer): boolean {
  const authority = keyAt(view, movement.authority);
  if (authority === null || view.isSigner(movement.authority)) return false;
  return from === SELF_OWNED ? authority === keyAt(view, movement.source) : authority === from;
}

/** The address at a key index; null for an index that the transaction does not have. */
export function keyAt(view: TransactionView, index: number): Address | null {
  const { keys } = view.transaction;
  return index < 0 || index >= keys.length ? null : keys.at(index);
}
