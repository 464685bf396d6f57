import type { Address } from '../../model/units.ts';
import { ROUTER_PROGRAMS } from './router-programs.ts';
import type { TokenMovement } from './token-movements.ts';
import type { TransactionView } from './transaction-view.ts';
import { changeOfWallet, type WalletChange } from './wallet-change.ts';

/** The accounts of a swap that show its trader, as key indices; -1 for none. */
export interface TraderAccounts {
  readonly vaults: readonly [number, number];
  /** The authority that the instruction names for the payment. */
  readonly user: number;
}

/**
 * Programs that trade on behalf of users who deposited tokens or placed an order. The record of the
 * trade shows the program's own account and the keeper, never the signature of the order's owner.
 */
const CUSTODIANS: ReadonlySet<string> = new Set([
  ROUTER_PROGRAMS.jupiter_dca,
  ROUTER_PROGRAMS.jupiter_limit_v1,
  ROUTER_PROGRAMS.jupiter_limit_v2,
  ROUTER_PROGRAMS.jupiter_value_average,
  // Drift: one authority owns the vaults of all its users.
  'dRiftyHA39MWEi3m9aunc5MzRF1JYuBsbn6VPcn33UH',
]);

/**
 * The wallet that traded according to the ledger: its tokens changed, and it signed for them. The
 * first rule that applies decides.
 *
 * 1. The owner of the account that paid the pool, if it or its delegate signed. If other wallets
 *    signed too and its own tokens are unchanged, it only forwarded tokens from or to another
 *    signer, and that signer traded.
 * 2. The owner of the account that the pool paid, if it signed.
 * 3. The only signer that exchanged tokens with the owner of the paying account (a router) and
 *    whose tokens changed.
 * 4. A wallet that a program signs for (a multisig, a bot's vault): the owner of the paying account
 *    if it lost one token and gained another; or the wallet that was the first to pay a router and
 *    the last to be paid by it.
 * 5. The only signer whose tokens changed at all.
 * 6. The owner of the paying account if it was given no tokens and gained some: arbitrage by a
 *    vault.
 *
 * Null when no rule applies, and when a program traded for the owners of orders or deposits, who
 * signed elsewhere. A fee payer is never the trader merely because it paid the fee.
 *
 * `movements` are those of the swap.
 */
export function traderOf(
  view: TransactionView,
  accounts: TraderAccounts,
  movements: readonly TokenMovement[],
): Address | null {
  const payment = paymentOf(accounts.vaults, movements);
  const owner = payerOf(view, accounts, payment);
  if (owner === null) return signerAmong(view, payment?.authority ?? -1, accounts.user);
  const isSigned = hasSigned(view, owner) || view.isSigner(payment?.authority ?? accounts.user);
  if (isSigned) return view.transaction.signerCount === 1 ? owner : principalOf(view, owner);
  return receiverOf(view, accounts.vaults, movements) ?? behindProgram(view, owner);
}

/**
 * The trader of each hop of a route made by one instruction: the user it names (a key index), or
 * the wallet that user acted for. Hops pay each other, so their own payments do not show the
 * trader.
 */
export function routeTraderOf(view: TransactionView, user: number): Address | null {
  return traderOf(view, { vaults: NO_VAULTS, user }, NO_MOVEMENTS);
}

const NO_VAULTS = [-1, -1] as const;
const NO_MOVEMENTS: readonly TokenMovement[] = [];

/** The first token transfer into one of the vaults from elsewhere. */
function paymentOf(
  vaults: readonly [number, number],
  movements: readonly TokenMovement[],
): TokenMovement | null {
  const [one, other] = vaults;
  for (const movement of movements) {
    const { kind, source, destination, amount } = movement;
    if (kind !== 'transfer' || amount === 0n || source === one || source === other) continue;
    if (destination === one || destination === other) return movement;
  }
  return null;
}

/** Lamports are paid by the user itself, tokens by the owner of the token account. */
function payerOf(
  view: TransactionView,
  { user }: TraderAccounts,
  payment: TokenMovement | null,
): Address | null {
  if (payment !== null) return view.tokenAccount(payment.source)?.owner ?? null;
  return user < 0 ? null : view.transaction.keys.at(user);
}

/** For records older than owners in balances: the authority, if it signed. */
function signerAmong(view: TransactionView, authority: number, user: number): Address | null {
  for (const index of [authority, user]) {
    if (view.isSigner(index)) return view.transaction.keys.at(index);
  }
  return null;
}

/** The owner that signed, or the signer it acted for. */
function principalOf(view: TransactionView, owner: Address): Address | null {
  if (hasChanged(changeOfWallet(view, owner))) return owner;
  const others = partnersOf(view, owner).filter((partner) => isChangedSigner(view, partner));
  return others.length > 1 ? null : (others[0] ?? owner);
}

/** The owner of the account a vault paid, if it signed. */
function receiverOf(
  view: TransactionView,
  vaults: readonly [number, number],
  movements: readonly TokenMovement[],
): Address | null {
  for (const { kind, source, destination } of movements) {
    if (kind !== 'transfer' || !vaults.includes(source) || vaults.includes(destination)) continue;
    const owner = view.tokenAccount(destination)?.owner ?? null;
    if (owner !== null && hasSigned(view, owner)) return owner;
  }
  return null;
}

/** The trader behind a paying account that a program signed for. */
function behindProgram(view: TransactionView, payer: Address): Address | null {
  const partners = partnersOf(view, payer).filter((partner) => isChangedSigner(view, partner));
  const [partner] = partners;
  if (partner !== undefined && partners.length === 1) return partner;
  if (partners.length > 1 || isCustodial(view)) return null;
  const { hasGained, hasLost } = changeOfWallet(view, payer);
  if (hasGained && hasLost) return payer;
  return (
    customerOf(view, payer) ??
    onlyChangedSigner(view) ??
    (hasGained && !isFunded(view, payer) ? payer : null)
  );
}

function isCustodial({ transaction }: TransactionView): boolean {
  return transaction.instructions.some(({ programId }) => CUSTODIANS.has(programId));
}

/** Owners that exchanged tokens with this owner directly, not through pools. */
function partnersOf(view: TransactionView, owner: Address): readonly Address[] {
  const partners = new Set<Address>();
  for (const movement of view.ledger.movements) {
    const [from, to] = endsOf(view, movement);
    if (from === null || to === null || from === to) continue;
    if (from === owner) partners.add(to);
    if (to === owner) partners.add(from);
  }
  return [...partners];
}

/** Owners of both ends of a transfer, null for other movements. */
function endsOf(
  view: TransactionView,
  { kind, source, destination }: TokenMovement,
): readonly [Address | null, Address | null] {
  if (kind !== 'transfer') return [null, null];
  return [view.tokenAccount(source)?.owner ?? null, view.tokenAccount(destination)?.owner ?? null];
}

function hasChanged({ hasGained, hasLost }: WalletChange): boolean {
  return hasGained || hasLost;
}

function isChangedSigner(view: TransactionView, owner: Address): boolean {
  return hasSigned(view, owner) && hasChanged(changeOfWallet(view, owner));
}

function hasSigned({ transaction }: TransactionView, owner: Address): boolean {
  for (let index = 0; index < transaction.signerCount; index++) {
    if (transaction.keys.at(index) === owner) return true;
  }
  return false;
}

function onlyChangedSigner(view: TransactionView): Address | null {
  const { keys, signerCount } = view.transaction;
  let found: Address | null = null;
  for (let index = 0; index < signerCount; index++) {
    const signer = keys.at(index);
    if (!hasChanged(changeOfWallet(view, signer))) continue;
    if (found !== null) return null;
    found = signer;
  }
  return found;
}

/** The owner that paid a router first, was paid by it last, and whose tokens changed. */
function customerOf(view: TransactionView, router: Address): Address | null {
  let first: Address | null = null;
  let last: Address | null = null;
  for (const movement of view.ledger.movements) {
    const [from, to] = endsOf(view, movement);
    if (from === null || to === null || from === to) continue;
    if ((from !== router && to !== router) || isPoolLeg(view, movement)) continue;
    if (to === router) first ??= from;
    else last = to;
  }
  if (first === null || first !== last) return null;
  return hasChanged(changeOfWallet(view, first)) ? first : null;
}

/** True when an account other than a pool's gave it tokens. */
function isFunded(view: TransactionView, owner: Address): boolean {
  return view.ledger.movements.some((movement) => {
    const [from, to] = endsOf(view, movement);
    return to === owner && from !== owner && !isPoolLeg(view, movement);
  });
}

/**
 * True below a venue, or below an instruction of an unknown program that calls no venue and in
 * which the same two owners exchanged two mints: a program that calls pools for a user does so
 * there.
 */
function isPoolLeg(view: TransactionView, movement: TokenMovement): boolean {
  if (view.isVenueLeg(movement.instruction)) return true;
  const caller = view.ownerOfLeaf(movement.instruction);
  if (caller === null) return false;
  const within = view.tokenMovementsWithin(caller);
  if (within.some(({ instruction }) => view.isVenueLeg(instruction))) return false;
  const [from, to] = endsOf(view, movement);
  return within.some((other) => {
    const [payer, payee] = endsOf(view, other);
    return payer === to && payee === from && other.mint !== movement.mint;
  });
}
