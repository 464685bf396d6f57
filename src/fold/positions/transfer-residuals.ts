import type { TokenTransfer } from '../../model/chain-event.ts';
import { isQuoteMint } from '../../model/quote-mints.ts';
import type { TokenBalanceChange, TransactionFacts } from '../../model/slot-facts.ts';
import type { Swap } from '../../model/swap.ts';
import type { Address } from '../../model/units.ts';
import { shareOut } from './share-out.ts';

/** Tokens that changed hands in a transaction without being traded. */
export interface ResidualTransfer {
  readonly mint: Address;
  /** Null for everybody who is no wallet: pools, lockers, burn addresses, the mint itself. */
  readonly from: Address | null;
  readonly to: Address | null;
  /** 0 from nobody. */
  readonly sentRaw: bigint;
  /** 0 to nobody; less than what was sent by the fee that Token-2022 withheld. */
  readonly receivedRaw: bigint;
}

/** Whether positions are kept for an owner of token accounts. */
export type IsWallet = (owner: Address) => boolean;

/**
 * What a transaction moved between owners that its swaps do not explain: the change of each owner's
 * balance of each mint, less what the swaps say that they did to it. Who sent to whom is told by the
 * transfers; what they do not tell is shared out in proportion. No unit is invented: each owner's
 * parts add up to its change.
 *
 * SOL and the stablecoins are left out, as what others are paid in. `swaps` are those of the
 * transaction that are believed. Accounts of which no record tells the owner are nobody's.
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
      const told = takeReported(event, left, isWallet);
      if (told !== null) transfers.push(told);
    }
    transfers.push(...settleRest(mint, left, isWallet));
  }
  return transfers;
}

/** What a swap did to its trader's holding of the base. */
export function traderBaseChange(swap: Swap): bigint {
  return swap.traderBaseDelta;
}

/** Of the quote; the pool's side of it where the record does not show the trader's. */
export function traderQuoteChange(swap: Swap): bigint {
  return swap.traderQuoteDelta ?? -swap.poolQuoteDelta;
}

/** By owner: above zero what came, below what left. */
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

/** What was bought and is not there at the end was passed on, though no balance of the buyer changed. */
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
 * Takes what a transfer explains of what is left on its two sides, no more than both have; null when
 * that is nothing or no wallet's. Who only passed tokens on has nothing left, and the transfers to and
 * from it explain nothing.
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

/** As much of a transfer as its sender still lost and its receiver still gained, the fee in proportion. */
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

/** Tokens that an owner sent to itself are the same ones, but for the fee. */
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

/** Shares out among the wallets what no transfer told; what then is left came from or went to nobody. */
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
    for (const [place, part] of shareOut(sent, open).entries()) {
      open[place] = (open[place] ?? 0n) - part;
      transfers.push(transferOf(mint, from, receivers[place]?.owner ?? null, part, part));
    }
    transfers.push(transferOf(mint, from, null, raw - sent, 0n));
  }
  for (const [place, { owner: to, raw }] of receivers.entries()) {
    transfers.push(transferOf(mint, null, to, 0n, raw - (taken[place] ?? 0n)));
  }
  return transfers.filter((transfer) => transfer !== null);
}

/** Null for what moved nothing, or nothing of a wallet's. */
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
