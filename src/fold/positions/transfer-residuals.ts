import type { TokenTransfer } from '../../model/chain-event.ts';
import { isQuoteMint } from '../../model/quote-mints.ts';
import type { TokenBalanceChange, TransactionFacts } from '../../model/slot-facts.ts';
import type { Swap } from '../../model/swap.ts';
import type { Address } from '../../model/units.ts';
import { shareOut } from './share-out.ts';

/** Tokens that changed owner in a transaction without a trade. */
export interface ResidualTransfer {
  readonly mint: Address;
  /** Null for an owner that is not a wallet: pools, lockers, burn addresses, the mint itself. */
  readonly from: Address | null;
  readonly to: Address | null;
  /** 0 if `from` is null. */
  readonly sentRaw: bigint;
  /** 0 if `to` is null; otherwise `sentRaw` less the fee that Token-2022 withheld. */
  readonly receivedRaw: bigint;
}

/** Whether positions are kept for an owner of token accounts. */
export type IsWallet = (owner: Address) => boolean;

/**
 * The movements between owners in a transaction that its swaps do not explain: each owner's balance
 * change of each mint, less the change due to swaps. Transfers determine senders and receivers;
 * changes that no transfer explains are distributed in proportion. No unit is invented: each
 * owner's parts add up to its change.
 *
 * The quote mints (SOL and the stablecoins) are excluded. `swaps` are the verified swaps of the
 * transaction. A mint with a changed account of unknown owner is skipped.
 */
export function transferResiduals(
  { tokenBalances, events }: Pick<TransactionFacts, 'tokenBalances' | 'events'>,
  swaps: readonly Swap[],
  isWallet: IsWallet,
): ResidualTransfer[] {
  const transfers: ResidualTransfer[] = [];
  for (const { mint, left, hasUnknownOwner } of unexplained(tokenBalances, swaps)) {
    if (hasUnknownOwner || !hasWalletLeft(left, isWallet)) continue;
    for (const event of events) {
      if (event.kind !== 'tokenTransfer' || event.mint !== mint) continue;
      const transfer = takeReported(event, left, isWallet);
      if (transfer !== null) transfers.push(transfer);
    }
    transfers.push(...settleRest(mint, left, isWallet));
  }
  return transfers;
}

/** The change of the trader's base balance by a swap. */
export function traderBaseChange(swap: Swap): bigint {
  return swap.traderBaseDelta;
}

/** The change of the trader's quote balance; derived from the pool's side if it is unknown. */
export function traderQuoteChange(swap: Swap): bigint {
  return swap.traderQuoteDelta ?? -swap.poolQuoteDelta;
}

/** What an owner has left: positive for incoming units, negative for outgoing units. */
interface Residual {
  readonly owner: Address;
  raw: bigint;
}

/** Each owner once. A list: a transaction has few accounts, and most have two of a mint. */
type Residuals = Residual[];

interface MintResiduals {
  readonly mint: Address;
  readonly left: Residuals;
  hasUnknownOwner: boolean;
}

/** Each mint once, in order of first change. */
function unexplained(
  tokenBalances: readonly TokenBalanceChange[],
  swaps: readonly Swap[],
): readonly MintResiduals[] {
  const mints: MintResiduals[] = [];
  for (const { mint, owner, before, after } of tokenBalances) {
    if (before === after || isQuoteMint(mint)) continue;
    const residuals = residualsOf(mints, mint);
    if (owner === null) residuals.hasUnknownOwner = true;
    else addChange(residuals.left, owner, after - before);
  }
  for (const swap of swaps) {
    const { trader } = swap;
    if (trader === null) continue;
    explain(mints, swap.baseMint, trader, traderBaseChange(swap));
    explain(mints, swap.quoteMint, trader, traderQuoteChange(swap));
  }
  return mints;
}

function residualsOf(mints: MintResiduals[], mint: Address): MintResiduals {
  for (const known of mints) if (known.mint === mint) return known;
  const added = { mint, left: [], hasUnknownOwner: false };
  mints.push(added);
  return added;
}

function addChange(left: Residuals, owner: Address, change: bigint): void {
  const known = residualOf(left, owner);
  if (known === null) left.push({ owner, raw: change });
  else known.raw += change;
}

function residualOf(left: Residuals, owner: Address): Residual | null {
  for (const residual of left) if (residual.owner === owner) return residual;
  return null;
}

/**
 * Subtracts the change due to a swap. Units that were bought but are missing at the end were passed
 * on, even if no balance of the buyer changed.
 */
function explain(mints: MintResiduals[], mint: Address, trader: Address, change: bigint): void {
  if (change === 0n || isQuoteMint(mint)) return;
  addChange(residualsOf(mints, mint).left, trader, -change);
}

function hasWalletLeft(left: Residuals, isWallet: IsWallet): boolean {
  for (const { owner, raw } of left) if (raw !== 0n && isWallet(owner)) return true;
  return false;
}

/**
 * Subtracts what a transfer explains from the residuals of both sides, at most what both have left.
 * Returns null when that is nothing or involves no wallet. An owner that only passed tokens on has
 * no residual, so transfers to and from it explain nothing.
 */
function takeReported(
  event: TokenTransfer,
  left: Residuals,
  isWallet: IsWallet,
): ResidualTransfer | null {
  const { mint, fromOwner: from, toOwner: to, amountGross, feeWithheld } = event;
  if (amountGross <= 0n || feeWithheld > amountGross) return null;
  if (from !== null && from === to) return takeOwnFee(event, left, isWallet);
  const sender = from === null ? null : residualOf(left, from);
  const receiver = to === null ? null : residualOf(left, to);
  const mostSent = from === null ? amountGross : -(sender?.raw ?? 0n);
  const mostReceived = to === null ? amountGross : (receiver?.raw ?? 0n);
  if (mostSent <= 0n || mostReceived <= 0n) return null;
  const { sentRaw, receivedRaw } = withinBoth(event, mostSent, mostReceived);
  if (sender !== null) sender.raw += sentRaw;
  if (receiver !== null) receiver.raw -= receivedRaw;
  return transferOf(mint, walletOr(from, isWallet), walletOr(to, isWallet), sentRaw, receivedRaw);
}

/** Limits a transfer to the residuals of sender and receiver, with a proportional fee. */
function withinBoth(
  { amountGross, feeWithheld }: TokenTransfer,
  mostSent: bigint,
  mostReceived: bigint,
): Pick<ResidualTransfer, 'sentRaw' | 'receivedRaw'> {
  const netRaw = amountGross - feeWithheld;
  if (netRaw === 0n) return { sentRaw: smaller(amountGross, mostSent), receivedRaw: 0n };
  const needed = (smaller(netRaw, mostReceived) * amountGross + netRaw - 1n) / netRaw;
  const sentRaw = smaller(smaller(needed, amountGross), mostSent);
  return { sentRaw, receivedRaw: smaller((sentRaw * netRaw) / amountGross, mostReceived) };
}

/** A transfer from an owner to itself moves nothing except the fee. */
function takeOwnFee(
  { mint, fromOwner, amountGross, feeWithheld }: TokenTransfer,
  left: Residuals,
  isWallet: IsWallet,
): ResidualTransfer | null {
  const owner = walletOr(fromOwner, isWallet);
  const residual = owner === null ? null : residualOf(left, owner);
  if (residual === null || feeWithheld === 0n || -residual.raw < feeWithheld) return null;
  residual.raw += feeWithheld;
  return transferOf(mint, owner, owner, amountGross, amountGross - feeWithheld);
}

/**
 * Distributes among the wallets what no transfer explains. The remainder has no counterparty: its
 * other side is null.
 */
function settleRest(mint: Address, left: Residuals, isWallet: IsWallet): ResidualTransfer[] {
  const parts = left.filter(({ owner }) => isWallet(owner)).sort(byOwner);
  const senders = parts
    .filter(({ raw }) => raw < 0n)
    .map(({ owner, raw }) => ({ owner, raw: -raw }));
  const receivers = parts.filter(({ raw }) => raw > 0n);
  const moved = smaller(sumOf(senders), sumOf(receivers));
  const given = shareOut(
    moved,
    senders.map(({ raw }) => raw),
  );
  const taken = shareOut(
    moved,
    receivers.map(({ raw }) => raw),
  );
  const open = [...taken];
  const transfers: (ResidualTransfer | null)[] = [];
  for (const [index, { owner: from, raw }] of senders.entries()) {
    const sent = given[index] ?? 0n;
    for (const [receiver, part] of shareOut(sent, open).entries()) {
      open[receiver] = (open[receiver] ?? 0n) - part;
      transfers.push(transferOf(mint, from, receivers[receiver]?.owner ?? null, part, part));
    }
    transfers.push(transferOf(mint, from, null, raw - sent, 0n));
  }
  for (const [index, { owner: to, raw }] of receivers.entries()) {
    transfers.push(transferOf(mint, null, to, 0n, raw - (taken[index] ?? 0n)));
  }
  return transfers.filter((transfer) => transfer !== null);
}

/** Owners differ. */
function byOwner(one: Residual, other: Residual): number {
  return one.owner < other.owner ? -1 : 1;
}

/** Null for a movement that is empty or involves no wallet. */
function transferOf(
  mint: Address,
  from: Address | null,
  to: Address | null,
  sent: bigint,
  received: bigint,
): ResidualTransfer | null {
  const sentRaw = from === null ? 0n : sent;
  const receivedRaw = to === null ? 0n : received;
  return sentRaw === 0n && receivedRaw === 0n ? null : { mint, from, to, sentRaw, receivedRaw };
}

function walletOr(owner: Address | null, isWallet: IsWallet): Address | null {
  return owner !== null && isWallet(owner) ? owner : null;
}

function sumOf(parts: readonly { readonly raw: bigint }[]): bigint {
  return parts.reduce((sum, { raw }) => sum + raw, 0n);
}

function smaller(one: bigint, other: bigint): bigint {
  if (one < other) return one;
  return other;
}
