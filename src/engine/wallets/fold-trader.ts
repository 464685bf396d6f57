import { knownTimeMs } from '../../fold/market/logical-time.ts';
import { entryCellOf, UNKNOWN_ENTRY } from '../../fold/smart/entry-cell.ts';
import { HOUR_S, SLOT_MS, SNIPE_DELAY_MS } from '../../fold/wallets/features/wallet-thresholds.ts';
import { secondsOf } from '../../fold/wallets/wallet-row-changes.ts';
import { absolute } from '../../lib/decimal.ts';
import type { WalletSwap } from '../../model/derived.ts';
import type { TransactionFacts } from '../../model/slot-facts.ts';
import { type Address, asLamports, asUsdNano, type UsdNano } from '../../model/units.ts';
import { isInsider } from '../books/insiders.ts';
import { launchSlotOf } from '../books/launch-slot.ts';
import { quoteToUsd } from '../books/quote-prices.ts';
import { markSniper, markSwarm } from './token-bot-marks.ts';
import { costsOf, NO_COSTS, sizeOf, type TradeCosts, usdValueOf } from './trade-costs.ts';
import { isRoundTrip, quoteTokens, type TraderSwaps } from './trader-swaps.ts';
import type { WalletFold } from './wallet-fold.ts';

/**
 * Applies the trades of one wallet in a transaction to the books: pools, flows, positions, follows,
 * profile and funding.
 */
export function foldTrader(
  fold: WalletFold,
  transaction: TransactionFacts,
  swaps: TraderSwaps,
): void {
  const { walletBooks, at } = fold;
  const { trader } = swaps;
  const id = walletBooks.ids.idOf(trader);
  const isBot = walletBooks.wallets.isBot(id);
  const own = ownSwaps(swaps);
  const [main = swaps.swaps[0]] = own;
  const firstBuy = firstBuyOf(fold, own);
  if (firstBuy !== undefined) markSnipes(fold, own);
  for (const priced of swaps.swaps) {
    addToPool(fold, priced, isBot);
    addToFlow(fold, priced);
  }
  const costs = costsOf(transaction, trader);
  for (const priced of own) addToPosition(fold, priced, priced === main ? costs : NO_COSTS);
  addQuoteTokens(fold, swaps);
  if (firstBuy !== undefined)
    walletBooks.follows.applyFirstBuy(firstBuy.swap.baseMint, trader, at.slot);
  const lastTradeS = walletBooks.wallets.lastTradeS(id);
  walletBooks.wallets.applyTrade(id, {
    slot: at.slot,
    timeMs: at.timeMs,
    mint: main.swap.baseMint,
    side: main.swap.side,
    lamports: sizeOf(fold.quotes, likeMain(own, main), costs),
    isRoundTrip: isRoundTrip(swaps),
    isFirstBuyOfMint: firstBuy !== undefined,
    isSnipe: firstBuy !== undefined && snipeDelayOf(fold, firstBuy.swap.baseMint) !== null,
    terminal: transaction.terminal !== null,
    programIds: transaction.programIds,
  });
  joinSwarm(fold, transaction, { mint: main.swap.baseMint, wallet: trader, lastTradeS });
  walletBooks.funding.noteTrader(trader);
  const funding = walletBooks.funding.firstFunding(trader);
  if (funding !== null)
    walletBooks.wallets.setFirstFunder(id, walletBooks.ids.idOf(funding.funder));
  walletBooks.funding.notePayer(transaction.feePayer, trader, main.swap.baseMint, at);
}

interface Joining {
  readonly mint: Address;
  readonly wallet: Address;
  /** Before this transaction; null for the wallet's first trade. */
  readonly lastTradeS: number | null;
}

/** To be called after the wallet's profile counted the trade. */
function joinSwarm(
  fold: WalletFold,
  { skeleton, terminal }: TransactionFacts,
  { mint, wallet, lastTradeS }: Joining,
): void {
  const { ids, wallets, swarms } = fold.walletBooks;
  const timeS = secondsOf(fold.at.timeMs);
  const id = ids.idOf(wallet);
  const isFirstOfHour =
    lastTradeS === null || Math.floor(lastTradeS / HOUR_S) !== Math.floor(timeS / HOUR_S);
  const trade = {
    mint: ids.idOf(mint),
    wallet: id,
    skeleton,
    timeS,
    isFirstOfHour,
    walletTrades: wallets.tradesOf(id),
    isByTerminal: terminal !== null,
  };
  const swarm = swarms.applyTrade(trade, (member) => wallets.tradesOf(member));
  if (swarm !== null) markSwarm(fold, mint, swarm, fold.at.slot);
}

/** The swaps of a trader that are no intermediate hops. */
function ownSwaps({ swaps }: TraderSwaps): readonly WalletSwap[] {
  if (swaps.length === 1 && !swaps[0].swap.isIntermediateHop) return swaps;
  return swaps.filter(({ swap }) => !swap.isIntermediateHop);
}

/** The first of these swaps that buys a mint which its trader never bought before. */
function firstBuyOf(
  { walletBooks }: WalletFold,
  own: readonly WalletSwap[],
): WalletSwap | undefined {
  return own.find(
    ({ swap }) =>
      swap.side === 'buy' && !walletBooks.positions.hasBought(swap.baseMint, swap.trader),
  );
}

/** The swaps of the mint and direction of the main one. */
function likeMain(own: readonly WalletSwap[], { swap: main }: WalletSwap): readonly WalletSwap[] {
  if (own.length < 2) return own;
  return own.filter(({ swap }) => swap.baseMint === main.baseMint && swap.side === main.side);
}

function addToPool(
  { walletBooks, at }: WalletFold,
  { swap, txIndex, valueUsd }: WalletSwap,
  isBot: boolean,
): void {
  const isFirst = walletBooks.poolWallets.applyTrade(swap, swap.trader, {
    slot: at.slot,
    txIndex,
    timeMs: knownTimeMs(at),
    volumeUsd: valueUsd,
    isHop: swap.isIntermediateHop,
    isVolumeAtomic: swap.isAtomicRoundTrip,
    isBot,
  });
  if (!isFirst) return;
  const { ids, tokenBots, poolWallets } = walletBooks;
  if (tokenBots.has(ids.idOf(swap.baseMint), ids.idOf(swap.trader))) {
    poolWallets.setTokenBot(swap.pool, swap.trader, true);
  }
}

/**
 * Purchases within two slots of a launch make a bot in that mint, whatever terminal sent them: the
 * creator alone knew of it before.
 */
function markSnipes(fold: WalletFold, own: readonly WalletSwap[]): void {
  const { walletBooks, books, at } = fold;
  for (const { swap } of own) {
    const { baseMint: mint, trader: wallet } = swap;
    if (swap.side !== 'buy' || walletBooks.positions.hasBought(mint, wallet)) continue;
    const delaySlots = snipeDelayOf(fold, mint);
    if (delaySlots === null || books.tokens.get(mint)?.creator === wallet) continue;
    markSniper(fold, { mint, wallet }, { sinceSlot: at.slot, delaySlots });
  }
}

function addToFlow(fold: WalletFold, { swap, valueUsd }: WalletSwap): void {
  const { walletBooks, at } = fold;
  if (swap.isIntermediateHop || valueUsd === null || !at.isTimeKnown) return;
  const weight = walletBooks.smart.weightOf(swap.trader, at.timeMs);
  if (weight === null) return;
  const cluster = walletBooks.funding.clusterOf(swap.trader);
  const isEligible =
    walletBooks.poolWallets.find(swap.pool, swap.trader)?.isOrganic === true &&
    !isInsider(fold, swap.baseMint, swap.trader);
  if (isEligible) fold.smartWeights.set(swap, weight);
  walletBooks.smartFlows.add(swap.pool, {
    timeMs: at.timeMs,
    wallet: swap.trader,
    cluster: cluster === swap.trader ? null : cluster,
    score: weight * 100,
    side: swap.side,
    valueUsd,
    isEligible,
  });
}

function addToPosition(fold: WalletFold, priced: WalletSwap, costs: TradeCosts): void {
  const { walletBooks, books, at, quotes } = fold;
  const { swap } = priced;
  const trade = {
    mint: swap.baseMint,
    wallet: swap.trader,
    amountRaw: absolute(swap.traderBaseDelta),
    valueUsd: usdValueOf(quotes, priced, costs),
    netCostLamports: asLamports(costs.networkLamports),
    timeMs: knownTimeMs(at),
  };
  if (swap.side === 'sell') {
    walletBooks.positions.sell(trade);
    return;
  }
  const launchSlot = launchSlotOf(books, swap.baseMint);
  walletBooks.positions.buy({
    ...trade,
    isLaunchSlot: launchSlot === at.slot,
    isCreator: isInsider(fold, swap.baseMint, swap.trader),
    entryCell: () =>
      entryCellOf({
        ageMs: launchSlot === null ? null : (at.slot - launchSlot) * SLOT_MS,
        marketCapUsd: marketCapAt(fold, trade),
      }),
  });
}

const OF_QUOTE_TOKEN = { isLaunchSlot: false, isCreator: false, entryCell: () => UNKNOWN_ENTRY };

/**
 * Quote tokens count as well: those paid with are sold at their value, those received are bought.
 */
function addQuoteTokens(
  { walletBooks, at, quotes }: WalletFold,
  { trader, swaps }: TraderSwaps,
): void {
  for (const [mint, change] of quoteTokens({ trader, swaps })) {
    const amountRaw = absolute(change);
    const decimals = swaps.find(({ swap }) => swap.quoteMint === mint)?.swap.quoteDecimals ?? null;
    const trade = {
      mint,
      wallet: trader,
      amountRaw,
      valueUsd: decimals === null ? null : quoteToUsd(quotes, mint, amountRaw, decimals),
      netCostLamports: asLamports(0n),
      timeMs: knownTimeMs(at),
    };
    if (change < 0n) walletBooks.positions.sell(trade);
    else walletBooks.positions.buy({ ...trade, ...OF_QUOTE_TOKEN });
  }
}

/** The supply at the price of a purchase; null while one of them is unknown. */
function marketCapAt(
  { books }: WalletFold,
  { mint, amountRaw, valueUsd }: { mint: Address; amountRaw: bigint; valueUsd: UsdNano | null },
): UsdNano | null {
  const supplyRaw = books.tokens.get(mint)?.supplyRaw ?? null;
  if (supplyRaw === null || valueUsd === null || amountRaw <= 0n) return null;
  return asUsdNano((supplyRaw * valueUsd) / amountRaw);
}

/** Slots since the launch of a mint; null when it is too long ago to be one of its snipers. */
function snipeDelayOf({ books, at }: WalletFold, mint: Address): number | null {
  const launchSlot = launchSlotOf(books, mint);
  if (launchSlot === null) return null;
  const delaySlots = at.slot - launchSlot;
  return delaySlots * SLOT_MS <= SNIPE_DELAY_MS ? delaySlots : null;
}
