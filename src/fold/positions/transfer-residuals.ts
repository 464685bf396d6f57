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
  for (const [mint, left] of unexplained(tokenBalances, swaps)) {
    if (!hasWalletLeft(left, isWallet)) continue;
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

/** By owner: positive for incoming units, negative for outgoing units. */
type Residuals = Map<Address, bigint>;

function unexplained(
  tokenBalances: readonly TokenBalanceChange[],
  swaps: readonly Swap[],
): Map<Address, Residuals> {
  const residuals = new Map<Address, Residuals>();
  let ownerless: Set<Address> | null = null;
  for (const { mint, owner, before, after } of tokenBalances) {
    if (before === after || isQuoteMint(mint)) continue;
    if (owner === null) {
      ownerless ??= new Set();
      ownerless.add(mint);
    } else addChange(residuals, mint, owner, after - before);
  }
  for (const swap of swaps) {
    const { trader } = swap;
    if (trader === null) continue;
    explain(residuals, swap.baseMint, trader, traderBaseChange(swap));
    explain(residuals, swap.quoteMint, trader, traderQuoteChange(swap));
  }
  for (const mint of ownerless ?? []) residuals.delete(mint);
  return residuals;
}

function addChange(
  byMint: Map<Address, Residuals>,
  mint: Address,
  owner: Address,
  change: bigint,
): void {
  let residuals = byMint.get(mint);
  if (residuals === undefined) {
    residuals = new Map();
    byMint.set(mint, residuals);
  }
  residuals.set(owner, (residuals.get(owner) ?? 0n) + change);
}

/**
 * Subtracts the change due to a swap. Units that were bought but are missing at the end were passed
 * on, even if no balance of the buyer changed.
 */
function explain(
  byMint: Map<Address, Residuals>,
  mint: Address,
  trader: Address,
  change: bigint,
): void {
  if (change !== 0n && !isQuoteMint(mint)) addChange(byMint, mint, trader, -change);
}

function hasWalletLeft(left: Residuals, isWallet: IsWallet): boolean {
  for (const [owner, residual] of left) if (residual !== 0n && isWallet(owner)) return true;
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
  const mostSent = from === null ? amountGross : -(left.get(from) ?? 0n);
  const mostReceived = to === null ? amountGross : (left.get(to) ?? 0n);
  if (mostSent <= 0n || mostReceived <= 0n) return null;
  const { sentRaw, receivedRaw } = withinBoth(event, mostSent, mostReceived);
  if (from !== null) left.set(from, sentRaw - mostSent);
  if (to !== null) left.set(to, mostReceived - receivedRaw);
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
  if (owner === null || feeWithheld === 0n || -(left.get(owner) ?? 0n) < feeWithheld) return null;
  left.set(owner, (left.get(owner) ?? 0n) + feeWithheld);
  return transferOf(mint, owner, owner, amountGross, amountGross - feeWithheld);
}

/**
 * Distributes among the wallets what no transfer explains. The remainder has no counterparty: its
 * other side is null.
 */
function settleRest(mint: Address, left: Residuals, isWallet: IsWallet): ResidualTransfer[] {
  const owners = [...left.keys()].filter(isWallet).sort();
  const parts = owners.map((owner) => ({ owner, raw: left.get(owner) ?? 0n }));
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
