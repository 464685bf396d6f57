import { isVenueProgram } from '../../decoders/registry.ts';
import { knownTimeMs } from '../../fold/market/logical-time.ts';
import {
  type ResidualTransfer,
  transferResiduals,
} from '../../fold/positions/transfer-residuals.ts';
import type { SolTransfer } from '../../model/chain-event.ts';
import { hasTrader, type PricedSwap } from '../../model/derived.ts';
import type { Venue } from '../../model/program.ts';
import type { SlotFacts, TransactionFacts } from '../../model/slot-facts.ts';
import type { Swap } from '../../model/swap.ts';
import type { Address } from '../../model/units.ts';
import type { Books } from '../books/books.ts';
import { foldTrader } from './fold-trader.ts';
import { swapsByTrader, type TraderSwaps } from './trader-swaps.ts';
import type { WalletFold } from './wallet-fold.ts';

/** The trades, payments and transfers of a successful transaction. */
export interface FoldedTransaction {
  readonly transaction: TransactionFacts;
  /** All of its swaps, quarantined ones included. */
  readonly swaps: readonly PricedSwap[];
  /** Traders that are wallets. */
  readonly traders: readonly Address[];
  /** Payments between wallets, without fees, tips and dust. */
  readonly payments: readonly SolTransfer[];
  readonly transfers: readonly ResidualTransfer[];
}

/**
 * Applies a slot's transactions to the wallet books, in block order: funding, trades and token
 * transfers. `swaps` are the slot's priced swaps, in order. `onPause` is called after each
 * transaction. Returns the successful transactions.
 */
export function foldWalletTransactions(
  fold: WalletFold,
  facts: SlotFacts,
  swaps: readonly PricedSwap[],
  onPause: () => void,
): readonly FoldedTransaction[] {
  const folded: FoldedTransaction[] = [];
  let next = 0;
  for (const transaction of facts.transactions) {
    if (transaction.error !== null) {
      foldFailure(fold, transaction);
      continue;
    }
    const start = next;
    while (swaps[next]?.txIndex === transaction.txIndex) next++;
    const own = start === next ? NO_SWAPS : swaps.slice(start, next);
    folded.push(foldTransaction(fold, transaction, own));
    onPause();
  }
  return folded;
}

/** Shared: most transactions have none. */
const NO_SWAPS: readonly PricedSwap[] = [];
const NO_ADDRESSES: readonly Address[] = [];
const NO_TRANSFERS: readonly ResidualTransfer[] = [];
const NO_PAYMENTS: readonly SolTransfer[] = [];

/** Failures are counted only for wallets that are known to trade. */
function foldFailure(
  { walletBooks, at }: WalletFold,
  { feePayer, programIds }: TransactionFacts,
): void {
  const id = walletBooks.ids.find(feePayer);
  if (id === -1 || !walletBooks.wallets.has(id) || !programIds.some(isVenueProgram)) return;
  walletBooks.wallets.applyFailed(id, at);
}

function foldTransaction(
  fold: WalletFold,
  transaction: TransactionFacts,
  swaps: readonly PricedSwap[],
): FoldedTransaction {
  const { walletBooks, owners, at } = fold;
  const payments = foldPayments(fold, transaction);
  const found = residualsOf(fold, transaction, swaps);
  let transfers = tradableOf(fold, transaction, found);
  const traders = swapsByTrader(swaps);
  let wallets: Address[] | null = null;
  for (const trader of traders) {
    if (owners.isWallet(trader.trader, transaction.signers)) {
      wallets = withAddress(wallets, trader.trader);
      transfers = foldReceived(fold, trader, transfers);
      foldTrader(fold, transaction, trader);
    } else {
      for (const { swap } of trader.swaps) {
        walletBooks.poolWallets.applyProgramTrade(swap, trader.trader, swap.isIntermediateHop);
      }
    }
  }
  for (const priced of swaps) {
    if (priced.exclusion !== 'quarantined' && !hasTrader(priced)) {
      walletBooks.poolWallets.markTraded(priced.swap.pool);
    }
  }
  if (traders.length > 0) noteFees(fold, transaction, swaps);
  else if (swaps.length === 0) noteOtherActivity(fold, transaction);
  for (const transfer of transfers) {
    walletBooks.positions.transfer({ ...transfer, timeMs: knownTimeMs(at) });
  }
  return { transaction, swaps, traders: wallets ?? NO_ADDRESSES, payments, transfers: found };
}

/** A list is created for one address: an empty one grows to seventeen with its first. */
function withAddress(addresses: Address[] | null, address: Address): Address[] {
  if (addresses === null) return [address];
  addresses.push(address);
  return addresses;
}

/** Returns the transfers that are payments between wallets. */
function foldPayments(
  { walletBooks, at }: WalletFold,
  { events }: TransactionFacts,
): readonly SolTransfer[] {
  let payments: SolTransfer[] | null = null;
  for (const event of events) {
    if (event.kind !== 'solTransfer' || event.transferKind !== 'transfer') continue;
    if (!walletBooks.funding.applyPayment(event, at)) continue;
    if (payments === null) payments = [event];
    else payments.push(event);
  }
  return payments ?? NO_PAYMENTS;
}

/** Applies transfers to a seller before its sale; returns the other transfers. */
function foldReceived(
  { walletBooks, at }: WalletFold,
  trader: TraderSwaps,
  transfers: readonly ResidualTransfer[],
): readonly ResidualTransfer[] {
  if (transfers.length === 0) return transfers;
  const others: ResidualTransfer[] = [];
  for (const transfer of transfers) {
    if (transfer.to === trader.trader && isSeller(trader, transfer.mint)) {
      walletBooks.positions.transfer({ ...transfer, timeMs: knownTimeMs(at) });
    } else others.push(transfer);
  }
  return others;
}

/** Notes recipients of SOL other than pools in trades of a venue: some are its fee accounts. */
function noteFees(
  { walletBooks, books, at }: WalletFold,
  { events }: TransactionFacts,
  swaps: readonly PricedSwap[],
): void {
  let paid: Address[] | null = null;
  for (const event of events) {
    if (event.kind !== 'solTransfer' || event.transferKind !== 'transfer') continue;
    if (books.pools.has(event.to)) continue;
    paid = withAddress(paid, event.to);
  }
  for (const venue of venuesOf(swaps)) {
    walletBooks.funding.noteFees(venue, paid ?? NO_ADDRESSES, at);
  }
}

/** The venues of the swaps, each once, in order of first swap. */
function venuesOf(swaps: readonly PricedSwap[]): readonly Venue[] {
  const venues: Venue[] = [];
  for (const { swap } of swaps) if (!venues.includes(swap.venue)) venues.push(swap.venue);
  return venues;
}

/** Counts a transaction without trades for its signers that are known to trade. */
function noteOtherActivity({ walletBooks }: WalletFold, { signers }: TransactionFacts): void {
  for (const signer of signers) {
    const id = walletBooks.ids.find(signer);
    if (id !== -1) walletBooks.wallets.applyOtherActivity(id);
  }
}

/**
 * Token transfers without a trade, of mints that have a pool or may still get one because their
 * creation is in the indexed history. Transfers of other mints are never read.
 */
function residualsOf(
  { books, owners }: WalletFold,
  transaction: TransactionFacts,
  swaps: readonly PricedSwap[],
): readonly ResidualTransfer[] {
  const isKnown = ({ mint }: { readonly mint: Address }) =>
    hasPool(books, mint) || (books.tokens.get(mint)?.creationSlot ?? null) !== null;
  if (!transaction.tokenBalances.some(isKnown)) return NO_TRANSFERS;
  const believed: Swap[] = [];
  for (const { swap, exclusion } of swaps) if (exclusion !== 'quarantined') believed.push(swap);
  const isWallet = (owner: Address) => owners.isWallet(owner, transaction.signers);
  const found = transferResiduals(transaction, believed, isWallet);
  return found.length === 0 ? NO_TRANSFERS : found.filter(isKnown);
}

/** The transfers of mints that have a pool: positions are kept only for those. */
function tradableOf(
  { books }: WalletFold,
  { tokenBalances }: TransactionFacts,
  transfers: readonly ResidualTransfer[],
): readonly ResidualTransfer[] {
  if (transfers.length === 0) return transfers;
  if (!tokenBalances.some(({ mint }) => hasPool(books, mint))) return NO_TRANSFERS;
  return transfers.filter(({ mint }) => hasPool(books, mint));
}

function hasPool({ pools }: Books, mint: Address): boolean {
  return pools.hasPool(mint);
}

/** Whether the trader's own swaps of a mint sold more of it than they bought. */
function isSeller({ swaps }: TraderSwaps, mint: Address): boolean {
  let bought = 0n;
  for (const { swap } of swaps) {
    if (swap.baseMint === mint && !swap.isIntermediateHop) bought += swap.traderBaseDelta;
  }
  return bought < 0n;
}
