import { isVenueProgram } from '../../decoders/registry.ts';
import { knownTimeMs, type Moment } from '../../fold/market/logical-time.ts';
import {
  type ResidualTransfer,
  transferResiduals,
} from '../../fold/positions/transfer-residuals.ts';
import { SLOT_MS, SNIPE_DELAY_MS } from '../../fold/wallets/features/wallet-thresholds.ts';
import { absolute } from '../../lib/decimal.ts';
import { ADDRESS_REGISTRY, type AddressClass } from '../../model/address-registry.ts';
import type { SolTransfer } from '../../model/chain-event.ts';
import { hasTrader, type PricedSwap, type WalletSwap } from '../../model/derived.ts';
import { type Venue, WRAPPED_SOL } from '../../model/program.ts';
import type { SlotFacts, TransactionFacts } from '../../model/slot-facts.ts';
import type { Swap } from '../../model/swap.ts';
import type { Address, Lamports, UsdNano } from '../../model/units.ts';
import type { Books } from '../books/books.ts';
import { isInsider } from '../books/insiders.ts';
import { launchSlotOf } from '../books/launch-slot.ts';
import { type QuotePrices, quoteToLamports, quoteToUsd } from '../books/quote-prices.ts';
import type { WalletBooks } from '../books/wallet-books.ts';
import { isRoundTrip, quoteTokens, swapsByTrader, type TraderSwaps } from './trader-swaps.ts';
import type { WalletOwners } from './wallet-owners.ts';

/** What folding a slot's wallets needs to know. */
export interface WalletFold {
  readonly books: Books;
  readonly who: WalletBooks;
  readonly owners: WalletOwners;
  readonly at: Moment;
  /** Of the slot. */
  readonly quotes: QuotePrices;
  /** Filled: of eligible smart traders, by swap, their score at the trade over 100. */
  readonly smartWeights: Map<Swap, number>;
}

/** A successful transaction as far as it says who trades, pays and sends. */
export interface FoldedTransaction {
  readonly transaction: TransactionFacts;
  /** All of its swaps, those that are not believed too. */
  readonly swaps: readonly PricedSwap[];
  /** Those who traded and are wallets. */
  readonly traders: readonly Address[];
  /** Payments between people; fees, tips and dust are none. */
  readonly payments: readonly SolTransfer[];
  readonly transfers: readonly ResidualTransfer[];
}

const TERMINAL_FEES: ReadonlySet<AddressClass> = new Set(['terminal_fee']);
const SOL_DECIMALS = 9;

/**
 * Adds a slot's transactions to the books of wallets, in block order: who was funded, who traded,
 * who sent tokens to whom. `swaps` are the slot's priced swaps, in order. Returns what it found in the
 * successful ones.
 */
export function foldWalletTransactions(
  fold: WalletFold,
  facts: SlotFacts,
  swaps: readonly PricedSwap[],
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
  }
  return folded;
}

/** Most transactions have none. */
const NO_SWAPS: readonly PricedSwap[] = [];
const NO_TRADERS: readonly Address[] = [];
const NO_TRANSFERS: readonly ResidualTransfer[] = [];
const NO_PAYMENTS: readonly SolTransfer[] = [];

/** Only wallets that are known to trade have a share of failures. */
function foldFailure({ who, at }: WalletFold, { feePayer, programIds }: TransactionFacts): void {
  const id = who.ids.find(feePayer);
  if (id === -1 || !who.wallets.has(id) || !programIds.some(isVenueProgram)) return;
  who.wallets.applyFailed(id, at);
}

function foldTransaction(
  fold: WalletFold,
  transaction: TransactionFacts,
  swaps: readonly PricedSwap[],
): FoldedTransaction {
  const { who, owners, at } = fold;
  const payments = foldPayments(fold, transaction);
  const found = residualsOf(fold, transaction, swaps);
  let transfers = tradableOf(fold, transaction, found);
  const traders = swapsByTrader(swaps);
  const wallets: Address[] = [];
  for (const trader of traders) {
    if (owners.isWallet(trader.trader, transaction.signers)) {
      wallets.push(trader.trader);
      transfers = foldReceived(fold, trader, transfers);
      foldTrader(fold, transaction, trader);
    } else {
      for (const priced of trader.swaps) addToPool(fold, priced, { isHop: true, isBot: false });
    }
  }
  for (const priced of swaps) {
    if (priced.exclusion !== 'quarantined' && !hasTrader(priced)) {
      who.poolWallets.noteTraded(priced.swap.pool);
    }
  }
  if (traders.length > 0) noteFees(fold, transaction, swaps);
  else if (swaps.length === 0) noteOtherActivity(fold, transaction);
  for (const transfer of transfers) {
    who.positions.transfer({ ...transfer, timeMs: knownTimeMs(at) });
  }
  const traded = wallets.length === 0 ? NO_TRADERS : wallets;
  return { transaction, swaps, traders: traded, payments, transfers: found };
}

/** Returns those that are payments between people. */
function foldPayments(
  { who, at }: WalletFold,
  { events }: TransactionFacts,
): readonly SolTransfer[] {
  let payments: SolTransfer[] | null = null;
  for (const event of events) {
    if (event.kind !== 'solTransfer' || event.transferKind !== 'transfer') continue;
    if (!who.funding.applyPayment(event, at)) continue;
    if (payments === null) payments = [event];
    else payments.push(event);
  }
  return payments ?? NO_PAYMENTS;
}

/** What was sent to a trader that sold it was there before the sale; returns the other transfers. */
function foldReceived(
  { who, at }: WalletFold,
  trader: TraderSwaps,
  transfers: readonly ResidualTransfer[],
): readonly ResidualTransfer[] {
  if (transfers.length === 0) return transfers;
  const others: ResidualTransfer[] = [];
  for (const transfer of transfers) {
    if (transfer.to === trader.trader && isSeller(trader, transfer.mint)) {
      who.positions.transfer({ ...transfer, timeMs: knownTimeMs(at) });
    } else others.push(transfer);
  }
  return others;
}

function foldTrader(fold: WalletFold, transaction: TransactionFacts, swaps: TraderSwaps): void {
  const { who, at } = fold;
  const { trader } = swaps;
  const id = who.ids.idOf(trader);
  const isBot = who.wallets.isBot(id);
  const own = swaps.swaps.filter(({ swap }) => !swap.isIntermediateHop);
  const [main = swaps.swaps[0]] = own;
  const firstBuy = own.find(
    ({ swap }) => swap.side === 'buy' && !who.positions.hasBought(swap.baseMint, trader),
  );
  for (const priced of swaps.swaps) {
    addToPool(fold, priced, { isHop: priced.swap.isIntermediateHop, isBot });
    addToFlow(fold, priced);
  }
  const costs = costsOf(transaction, trader);
  for (const [index, priced] of own.entries()) {
    addToPosition(fold, priced, index === 0 ? costs : NO_COSTS);
  }
  addQuoteTokens(fold, swaps);
  if (firstBuy !== undefined) who.follows.applyFirstBuy(firstBuy.swap.baseMint, trader, at.slot);
  who.wallets.applyTrade(id, {
    slot: at.slot,
    timeMs: at.timeMs,
    mint: main.swap.baseMint,
    side: main.swap.side,
    lamports: sizeOf(fold, own.filter(isOfSame(main)), costs),
    isRoundTrip: isRoundTrip(swaps),
    isFirstBuyOfMint: firstBuy !== undefined,
    isSnipe: firstBuy !== undefined && isSnipe(fold, firstBuy.swap.baseMint),
    terminal: transaction.terminal !== null,
    programIds: transaction.programIds,
  });
  who.funding.noteTrader(trader);
  const funding = who.funding.firstFunding(trader);
  if (funding !== null) who.wallets.setFirstFunder(id, who.ids.idOf(funding.funder));
  who.funding.notePayer(transaction.feePayer, trader, main.swap.baseMint, at);
}

/** What a trader paid beside the swaps of a transaction. */
interface TradeCosts {
  readonly terminalLamports: bigint;
  /** Fee of the network and tips; rent is not among them. */
  readonly networkLamports: bigint;
}

const NO_COSTS: TradeCosts = { terminalLamports: 0n, networkLamports: 0n };

function costsOf({ events, feePayer, feeLamports, tips }: TransactionFacts, trader: Address) {
  let terminalLamports = 0n;
  for (const event of events) {
    if (event.kind !== 'solTransfer' || event.from !== trader) continue;
    if (ADDRESS_REGISTRY.isAnyOf(event.to, TERMINAL_FEES)) terminalLamports += event.lamports;
  }
  if (feePayer !== trader) return { terminalLamports, networkLamports: 0n };
  const tipped = tips.reduce((sum, { lamports }) => sum + lamports, 0n);
  return { terminalLamports, networkLamports: feeLamports + tipped };
}

function addToPool(
  { who, at }: WalletFold,
  { swap, txIndex, valueUsd }: WalletSwap,
  { isHop, isBot }: { readonly isHop: boolean; readonly isBot: boolean },
): void {
  who.poolWallets.applyTrade(swap, swap.trader, {
    slot: at.slot,
    txIndex,
    timeMs: knownTimeMs(at),
    volumeUsd: valueUsd,
    isHop,
    isVolumeAtomic: swap.isAtomicRoundTrip,
    isBot,
  });
}

function addToFlow(fold: WalletFold, { swap, valueUsd }: WalletSwap): void {
  const { who, at } = fold;
  if (swap.isIntermediateHop || valueUsd === null || !at.isTimeKnown) return;
  const weight = who.smart.weightOf(swap.trader, at.timeMs);
  if (weight === null) return;
  const cluster = who.funding.clusterOf(swap.trader);
  const isEligible =
    who.poolWallets.find(swap.pool, swap.trader)?.isOrganic === true &&
    !isInsider(fold, swap.baseMint, swap.trader);
  if (isEligible) fold.smartWeights.set(swap, weight);
  who.smartFlows.add(swap.pool, {
    timeMs: at.timeMs,
    wallet: swap.trader,
    cluster: cluster === swap.trader ? null : cluster,
    score: weight * 100,
    side: swap.side,
    valueUsd,
    isEligible,
  });
}

/** The wallet's side of a swap in its quote: terminal fees are part of what it paid or got. */
function quoteOf({ swap }: PricedSwap, { terminalLamports }: TradeCosts): bigint {
  const quoteRaw = absolute(swap.traderQuoteDelta ?? swap.poolQuoteDelta);
  if (swap.quoteMint !== WRAPPED_SOL) return quoteRaw;
  if (swap.side === 'buy') return quoteRaw + terminalLamports;
  return quoteRaw > terminalLamports ? quoteRaw - terminalLamports : 0n;
}

function usdValueOf(fold: WalletFold, priced: PricedSwap, costs: TradeCosts): UsdNano | null {
  const { quotes } = fold;
  const { quoteMint, quoteDecimals, side } = priced.swap;
  const value = quoteToUsd(quotes, quoteMint, quoteOf(priced, costs), quoteDecimals);
  if (value === null || quoteMint === WRAPPED_SOL || costs.terminalLamports === 0n) return value;
  const fees = quoteToUsd(quotes, WRAPPED_SOL, costs.terminalLamports, SOL_DECIMALS);
  if (fees === null) return null;
  if (side === 'buy') return (value + fees) as UsdNano;
  return (value > fees ? value - fees : 0n) as UsdNano;
}

/** What a trade came to in SOL, over the pools that a router spread it; null when unknown. */
function sizeOf(
  { quotes }: WalletFold,
  parts: readonly PricedSwap[],
  costs: TradeCosts,
): bigint | null {
  if (parts.length === 0) return null;
  let sum = 0n;
  for (const [index, priced] of parts.entries()) {
    const { quoteMint, quoteDecimals } = priced.swap;
    const quoteRaw = quoteOf(priced, index === 0 ? costs : NO_COSTS);
    const lamports = quoteToLamports(quotes, quoteMint, quoteRaw, quoteDecimals);
    if (lamports === null) return null;
    sum += lamports;
  }
  return sum;
}

function isOfSame({ swap: { baseMint, side } }: PricedSwap): (other: PricedSwap) => boolean {
  return ({ swap }) => swap.baseMint === baseMint && swap.side === side;
}

function addToPosition(fold: WalletFold, priced: WalletSwap, costs: TradeCosts): void {
  const { who, books, at } = fold;
  const { swap } = priced;
  const trade = {
    mint: swap.baseMint,
    wallet: swap.trader,
    amountRaw: absolute(swap.traderBaseDelta),
    valueUsd: usdValueOf(fold, priced, costs),
    netCostLamports: costs.networkLamports as Lamports,
    timeMs: knownTimeMs(at),
  };
  if (swap.side === 'sell') {
    who.positions.sell(trade);
    return;
  }
  const isLaunchSlot = launchSlotOf(books, swap.baseMint) === at.slot;
  const isCreator = isInsider(fold, swap.baseMint, swap.trader);
  who.positions.buy({ ...trade, isLaunchSlot, isCreator });
}

/** Tokens that were paid with are sold for what they are worth, those taken for another bought. */
function addQuoteTokens({ who, at, quotes }: WalletFold, { trader, swaps }: TraderSwaps): void {
  for (const [mint, change] of quoteTokens({ trader, swaps })) {
    const amountRaw = absolute(change);
    const decimals = swaps.find(({ swap }) => swap.quoteMint === mint)?.swap.quoteDecimals ?? null;
    const trade = {
      mint,
      wallet: trader,
      amountRaw,
      valueUsd: decimals === null ? null : quoteToUsd(quotes, mint, amountRaw, decimals),
      netCostLamports: 0n as Lamports,
      timeMs: knownTimeMs(at),
    };
    if (change < 0n) who.positions.sell(trade);
    else who.positions.buy({ ...trade, isLaunchSlot: false, isCreator: false });
  }
}

function isSnipe({ books, at }: WalletFold, mint: Address): boolean {
  const launchSlot = launchSlotOf(books, mint);
  return launchSlot !== null && (at.slot - launchSlot) * SLOT_MS <= SNIPE_DELAY_MS;
}

/** Whom the traders of a venue paid in SOL, pools left out: some are accounts for fees. */
function noteFees(
  { who, books, at }: WalletFold,
  { events }: TransactionFacts,
  swaps: readonly PricedSwap[],
): void {
  const paid: Address[] = [];
  for (const event of events) {
    if (event.kind !== 'solTransfer' || event.transferKind !== 'transfer') continue;
    if (books.pools.get(event.to) === undefined) paid.push(event.to);
  }
  for (const venue of venuesOf(swaps)) who.funding.noteFees(venue, paid, at);
}

/** Each once, in order of first swap. */
function venuesOf(swaps: readonly PricedSwap[]): Iterable<Venue> {
  const venues = swaps.map(({ swap }) => swap.venue);
  return venues.length === 1 ? venues : new Set(venues);
}

/** A wallet that is known to trade signed something else. */
function noteOtherActivity({ who }: WalletFold, { signers }: TransactionFacts): void {
  for (const signer of signers) {
    const id = who.ids.find(signer);
    if (id !== -1) who.wallets.applyOtherActivity(id);
  }
}

/**
 * Tokens that moved without a trade, of mints that have a pool and of those that were seen to begin and
 * may yet get one: of others nobody asks.
 */
function residualsOf(
  { books, owners }: WalletFold,
  transaction: TransactionFacts,
  swaps: readonly PricedSwap[],
): readonly ResidualTransfer[] {
  const isKnown = ({ mint }: { readonly mint: Address }) =>
    hasPool(books, mint) || (books.tokens.get(mint)?.creationSlot ?? null) !== null;
  if (!transaction.tokenBalances.some(isKnown)) return NO_TRANSFERS;
  const believed = swaps
    .filter(({ exclusion }) => exclusion !== 'quarantined')
    .map(({ swap }) => swap);
  const isWallet = (owner: Address) => owners.isWallet(owner, transaction.signers);
  return transferResiduals(transaction, believed, isWallet).filter(isKnown);
}

/** Positions are kept of mints that have a pool; where no balance shows one, swaps tell all. */
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
  return pools.ofMint(mint).length > 0;
}

/** Whether the trader's own swaps of a mint sold more of it than they bought. */
function isSeller({ swaps }: TraderSwaps, mint: Address): boolean {
  let bought = 0n;
  for (const { swap } of swaps) {
    if (swap.baseMint === mint && !swap.isIntermediateHop) bought += swap.traderBaseDelta;
  }
  return bought < 0n;
}
