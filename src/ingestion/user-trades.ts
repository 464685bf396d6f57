import { absolute, divide } from '../lib/decimal.ts';
import type { Side } from '../model/swap.ts';
import {
  newestFirst,
  positionOf,
  TRADE_FLAGS,
  type Trade,
  type TradedSwap,
  type TradeFlag,
} from '../model/trade.ts';
import {
  asPriceE18,
  asRawAmount,
  asUsdNano,
  PRICE_MAX,
  PRICE_SCALE,
  type PriceE18,
  powerOfTen,
  type RawAmount,
  USD_NANO_SCALE,
  type UsdNano,
} from '../model/units.ts';
import type { TradeLabels } from './trade-labels.ts';

/** What a trade is made of, beside its swaps. */
export interface TradeContext {
  readonly labels: TradeLabels;
  /** The newest slot that cannot be reverted. */
  readonly finalSlot: number;
}

/** A swap as a trade. */
export function toTrade(traded: TradedSwap, { labels, finalSlot }: TradeContext): Trade {
  const { swap } = traded;
  return {
    ...positionOf(traded),
    signature: traded.signature,
    isFinal: traded.slot <= finalSlot,
    mint: swap.baseMint,
    venue: swap.venue,
    router: swap.router,
    terminal: traded.terminal,
    wallet: swap.trader,
    side: swap.side,
    baseRaw: asRawAmount(absolute(swap.poolBaseDelta)),
    baseDecimals: swap.baseDecimals,
    quoteMint: swap.quoteMint,
    quoteRaw: asRawAmount(absolute(swap.poolQuoteDelta)),
    quoteDecimals: swap.quoteDecimals,
    priceUsd: traded.priceUsd,
    valueUsd: traded.valueUsd,
    walletClass: traded.walletClass,
    isOrganic: traded.isOrganic,
    flags: flagsOf(traded, labels),
  };
}

function flagsOf(traded: TradedSwap, labels: TradeLabels): TradeFlag[] {
  const { swap, exclusion } = traded;
  const flags: TradeFlag[] = [];
  if (swap.isIntermediateHop) flags.push('hop');
  if (swap.isPureArbitrage) flags.push('arbitrage');
  if (swap.isAtomicRoundTrip) flags.push('round_trip');
  if (labels.isBundled(traded)) flags.push('bundled');
  if (labels.isWash(traded)) flags.push('wash');
  if (exclusion === 'quarantined') flags.push('quarantined');
  return flags;
}

/**
 * Swaps as trades of users: those of one wallet, transaction and token are one trade, with what it
 * bought less what it sold. `swaps` are all swaps of their transactions without intermediate hops,
 * newest first. Swaps that cancel each other out are no trade.
 *
 * - Position, and so the id, pool, venue and router are those of its first swap.
 * - Quote amount and value are those paid for the purchases less those received for the sales. They
 *   are null when unknown for a swap, and when money and tokens moved in the same direction.
 * - The price is value by amount.
 * - It is organic when all its swaps are, and has the flags of each.
 */
export function toUserTrades(swaps: readonly TradedSwap[], context: TradeContext): Trade[] {
  const groups = Map.groupBy(
    swaps,
    ({ slot, txIndex, swap }) => `${slot} ${txIndex} ${swap.trader} ${swap.baseMint}`,
  );
  return [...groups.values()].flatMap((legs) => toUserTrade(legs, context) ?? []).sort(newestFirst);
}

/** `legs`: newest first. */
function toUserTrade(legs: readonly TradedSwap[], context: TradeContext): Trade | null {
  const trades = legs.map((leg) => toTrade(leg, context)).reverse();
  const [first] = trades;
  if (first === undefined || trades.length === 1) return first ?? null;
  const bought = netOf(trades, ({ baseRaw }) => baseRaw);
  if (bought === null || bought === 0n) return null;
  const side = bought > 0n ? 'buy' : 'sell';
  const baseRaw = asRawAmount(absolute(bought));
  const paidUsd = amountOf(
    side,
    netOf(trades, ({ valueUsd }) => valueUsd),
  );
  const valueUsd = paidUsd === null ? null : asUsdNano(paidUsd);
  return {
    ...first,
    side,
    baseRaw,
    ...quoteOf(side, trades),
    valueUsd,
    priceUsd: valueUsd === null ? null : priceOf(valueUsd, baseRaw, first.baseDecimals),
    isOrganic: trades.every(({ isOrganic }) => isOrganic),
    flags: TRADE_FLAGS.filter((flag) => trades.some(({ flags }) => flags.includes(flag))),
  };
}

/** The sum over purchases less that over sales; null when an amount is unknown. */
function netOf(
  trades: readonly Trade[],
  amountRaw: (trade: Trade) => bigint | null,
): bigint | null {
  let net = 0n;
  for (const trade of trades) {
    const amount = amountRaw(trade);
    if (amount === null) return null;
    net += trade.side === 'buy' ? amount : -amount;
  }
  return net;
}

/** What a buyer paid or a seller received, from the net amount paid; null if it was neither. */
function amountOf(side: Side, net: bigint | null): bigint | null {
  if (net === null) return null;
  const amount = side === 'buy' ? net : -net;
  return amount < 0n ? null : amount;
}

function quoteOf(
  side: Side,
  trades: readonly Trade[],
): Pick<Trade, 'quoteMint' | 'quoteRaw' | 'quoteDecimals'> {
  const { quoteMint = null, quoteDecimals = null } = trades[0] ?? {};
  if (trades.some((trade) => trade.quoteMint !== quoteMint)) {
    return { quoteMint: null, quoteRaw: null, quoteDecimals: null };
  }
  const amount = amountOf(
    side,
    netOf(trades, ({ quoteRaw }) => quoteRaw),
  );
  return { quoteMint, quoteRaw: amount === null ? null : asRawAmount(amount), quoteDecimals };
}

/** Rounded half up; null above PRICE_MAX. */
function priceOf(valueUsd: UsdNano, baseRaw: RawAmount, decimals: number): PriceE18 | null {
  const scale = powerOfTen(PRICE_SCALE - USD_NANO_SCALE + decimals);
  const price = divide(valueUsd * scale, baseRaw, 'half-up');
  return price > PRICE_MAX ? null : asPriceE18(price);
}
