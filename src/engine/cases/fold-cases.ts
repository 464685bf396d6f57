import type { Moment } from '../../fold/market/logical-time.ts';
import { groupOf, type PlacedGroups } from '../../fold/market/placed-groups.ts';
import type { ChainEvent, Liquidity, TokenLock } from '../../model/chain-event.ts';
import type { CaseTrade, TransactionRef } from '../../model/mint-case.ts';
import { isQuoteMint } from '../../model/quote-mints.ts';
import type { Swap } from '../../model/swap.ts';
import { type Address, asLamports } from '../../model/units.ts';
import type { Books } from '../books/books.ts';
import { type QuotePrices, quoteToLamports } from '../books/quote-prices.ts';
import type { WalletBooks } from '../books/wallet-books.ts';
import type { FoldedTransaction } from '../wallets/fold-wallets.ts';
import type { CaseBooks } from './case-books.ts';
import type { CaseUpdate } from './case-update.ts';
import { CaseUpdateLog } from './case-update-log.ts';
import { toCaseTrade, tradeParts } from './to-case-trade.ts';

/** Inputs of foldCases. */
export interface CaseFold {
  readonly books: Books;
  readonly walletBooks: WalletBooks;
  readonly cases: CaseBooks;
  readonly at: Moment;
  /** Quote prices of the slot. */
  readonly quotes: QuotePrices;
  /** Called after each transaction. */
  readonly onPause: () => void;
}

/** One successful transaction of the slot. */
interface CaseStep extends Omit<CaseFold, 'onPause'> {
  readonly folded: FoldedTransaction;
  readonly ref: TransactionRef;
  readonly groups: PlacedGroups;
  readonly updates: CaseUpdateLog;
}

/**
 * Applies a slot to the case books, in block order: payments, launches, trades and transfers. Call
 * after the wallets of the slot are folded. Returns an update for each mint touched, in order of
 * first touch. Quote mints have no case.
 */
export function foldCases(
  fold: CaseFold,
  folded: readonly FoldedTransaction[],
  groups: PlacedGroups,
): readonly CaseUpdate[] {
  const { books, walletBooks, cases, at, quotes, onPause } = fold;
  const updates = new CaseUpdateLog();
  for (const one of folded) {
    const { txIndex, signature } = one.transaction;
    const ref = { slot: at.slot, timeMs: at.timeMs, txIndex, signature };
    const step = { books, walletBooks, cases, at, quotes, folded: one, ref, groups, updates };
    addPayments(step);
    for (const event of one.transaction.events) addEvent(step, event);
    if (one.traders.length > 0) addTrades(step);
    addTransfers(step);
    onPause();
  }
  cases.lists.forgetIdle(at.timeMs);
  return updates.all();
}

/** Skips payments to and from pools, which are part of trades. */
function addPayments({ books, cases, folded, ref }: CaseStep): void {
  const { paymentLogs } = cases.lists;
  const { feePayer } = folded.transaction;
  for (const { from, to, lamports } of folded.payments) {
    if (books.pools.has(from) || books.pools.has(to)) continue;
    const isNew = !paymentLogs.has(to);
    cases.lists.applyPayment({ ...ref, from, to, lamports });
    // A wallet that traded, or paid a fee, before its first known payment had money before it.
    if (isNew && (to === feePayer || cases.trails.has(to))) paymentLogs.markOlder(to);
  }
  for (const wallet of actorsOf(folded)) paymentLogs.noteTransaction(wallet);
}

/**
 * Signers and payers, each once; who is only paid does nothing. They are few: searching an array is
 * faster than a Set.
 */
function actorsOf({ transaction }: FoldedTransaction): readonly Address[] {
  const { signers, events } = transaction;
  let all: Address[] | null = null;
  for (const event of events) {
    if (event.kind !== 'solTransfer' || event.transferKind !== 'transfer') continue;
    all ??= [...new Set(signers)];
    if (!all.includes(event.from)) all.push(event.from);
  }
  return all ?? signers;
}

function addEvent(step: CaseStep, event: ChainEvent): void {
  const { cases, ref, folded } = step;
  const { launches } = cases;
  switch (event.kind) {
    case 'mintCreated':
      launches.applyCreated(event.mint, folded.transaction.feePayer, ref);
      return;
    case 'launch':
      launches.applyOpened(event.mint, { creator: event.creator, isLaunch: true }, ref);
      return;
    case 'poolCreated': {
      const { baseMint, creator } = event;
      if (!isQuoteMint(baseMint)) launches.applyOpened(baseMint, { creator, isLaunch: false }, ref);
      return;
    }
    case 'liquidity':
      if (!isQuoteMint(event.baseMint)) addLiquidity(step, event);
      return;
    case 'tokenLock':
      addLock(step, event);
      return;
    default:
  }
}

function addLiquidity({ books, cases, quotes, ref, updates }: CaseStep, event: Liquidity): void {
  const { pool, provider, baseMint, quoteMint, poolBaseDelta: baseRaw, poolQuoteDelta } = event;
  const decimals = books.pools.get(pool)?.quoteDecimals ?? null;
  const lamports =
    decimals === null ? null : quoteToLamports(quotes, quoteMint, poolQuoteDelta, decimals);
  const change = { ...ref, pool, provider, baseRaw, lamports: lamports ?? asLamports(0n) };
  cases.lists.applyLiquidity(baseMint, change);
  const entry = updates.of(baseMint);
  if (baseRaw < 0n || poolQuoteDelta < 0n) entry.isLiquidityOut = true;
}

/** Lists a lock once, with its owner; its current amount and terms are read from the lock book. */
function addLock({ books, cases, ref, updates }: CaseStep, event: TokenLock): void {
  const { mint, escrow, owner, terms } = event;
  const kept = books.locks.lockOf(escrow);
  if (owner === null || terms === null || kept === undefined) return;
  // LP tokens are not traded and have no case.
  if (books.locks.poolOf(mint) !== null || isQuoteMint(mint)) return;
  if (cases.lists.locks(mint).some((known) => known.escrow === escrow)) return;
  const amountRaw = kept.amountRaw as CaseTrade['baseRaw'];
  const firstUnlockMs = terms.firstUnlockTimeMs;
  cases.lists.applyLock(mint, { ...ref, owner, escrow, amountRaw, firstUnlockMs });
  updates.of(mint);
}

function addTrades(step: CaseStep): void {
  const { cases, folded, ref, groups, updates } = step;
  const placed = groups.get(ref.signature);
  for (const part of tradeParts(folded)) {
    const [{ swap }] = part;
    const trade = toCaseTrade(step, part, ref, groupOf(placed, swap.baseMint, swap.trader));
    cases.lists.applyTrade(swap.baseMint, trade);
    for (const { swap: each } of part) cases.fees.note(each);
    updates.noteTrade(swap.baseMint, trade);
    noteTrader(step, swap, trade);
  }
}

/** Records what the trade shows about its wallet, independent of the mint's case. */
function noteTrader({ cases, ref }: CaseStep, swap: Swap, trade: CaseTrade): void {
  const { launches, trails, snipes } = cases;
  const { baseMint: mint, side } = swap;
  const { slot, timeMs } = ref;
  // Only a young mint can be sniped or have a bundled launch, and most trades are of older ones.
  const isYoung = launches.isYoung(mint, slot);
  if (isYoung && trade.group !== null) launches.noteGrouped(mint, slot);
  const launch = isYoung && side === 'buy' ? launches.launchSnipedIn(slot, mint) : null;
  if (launch !== null) snipes.note(trade.wallet, launch, trade.group !== null);
  // Unrelated wallets meet at every launch and exit by the same rules: that links no two wallets.
  if (trade.isRoundTrip || swap.isPureArbitrage) return;
  if (isYoung) trails.see(trade.wallet);
  else trails.note(trade.wallet, { mint, slot, timeMs, side });
}

function addTransfers({ cases, folded, ref, updates }: CaseStep): void {
  for (const { mint, from, to, receivedRaw } of folded.transfers) {
    if (from === null || to === null || from === to) continue;
    const amountRaw = receivedRaw as CaseTrade['baseRaw'];
    cases.lists.applyTransfer(mint, { ...ref, from, to, amountRaw });
    updates.of(mint);
  }
}
