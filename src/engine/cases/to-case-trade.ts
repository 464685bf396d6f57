import type { PlacedTogether } from '../../fold/market/placed-groups.ts';
import { absolute } from '../../lib/decimal.ts';
import { hasTrader, type WalletSwap } from '../../model/derived.ts';
import type { CaseTrade, TransactionRef } from '../../model/mint-case.ts';
import { isQuoteMint } from '../../model/quote-mints.ts';
import { effectiveReserves, withdrawableQuote } from '../../model/reserves.ts';
import type { TransactionFacts } from '../../model/slot-facts.ts';
import type { Swap } from '../../model/swap.ts';
import { type Address, asLamports, asRawAmount, asUsdNano } from '../../model/units.ts';
import { isRangeVenue } from '../../model/venue-kinds.ts';
import { type QuotePrices, quoteToLamports, quoteToUsd } from '../books/quote-prices.ts';
import { KNOWN_PROGRAMS, type WalletBooks } from '../books/wallet-books.ts';
import type { FoldedTransaction } from '../wallets/fold-wallets.ts';

const LAMPORTS_PER_SOL = 1e9;
/** Raw units per token by decimals: computing the power would dominate the cost of this file. */
const UNITS_OF: readonly number[] = Array.from({ length: 20 }, (_, decimals) => 10 ** decimals);
/** Shared: most trades have a single signer. */
const NO_COSIGNERS: readonly Address[] = [];

/** Swaps of one wallet on one pool in one direction. */
export type TradePart = readonly [WalletSwap, ...WalletSwap[]];

/** Groups swaps into trades of a case, in order of first swap, without swaps of quote mints. */
export function tradeParts({ swaps, traders }: FoldedTransaction): readonly TradePart[] {
  const parts: [WalletSwap, ...WalletSwap[]][] = [];
  for (const priced of swaps) {
    const { swap } = priced;
    if (priced.exclusion === 'quarantined' || isQuoteMint(swap.baseMint)) continue;
    if (!hasTrader(priced) || !traders.includes(priced.swap.trader)) continue;
    if (swaps.length === 1) return [[priced]];
    const known = parts.find(([{ swap: first }]) => isAlike(first, swap));
    if (known === undefined) parts.push([priced]);
    else known.push(priced);
  }
  return parts;
}

function isAlike(one: Swap, other: Swap): boolean {
  return one.trader === other.trader && one.pool === other.pool && one.side === other.side;
}

/** The context in which a trade is made. */
interface TradeSurroundings {
  /** Quote prices of the slot. */
  readonly quotes: QuotePrices;
  readonly walletBooks: WalletBooks;
  readonly folded: FoldedTransaction;
}

export function toCaseTrade(
  { quotes, walletBooks, folded }: TradeSurroundings,
  part: TradePart,
  ref: TransactionRef,
  group: PlacedTogether | null,
): CaseTrade {
  const { transaction } = folded;
  const { signers } = transaction;
  const [{ swap }] = part;
  const last = part[part.length - 1]?.swap ?? swap;
  const isRoundTrip = part.some((each) => each.swap.isAtomicRoundTrip);
  const isArbitrage = part.some((each) => each.swap.isPureArbitrage || each.swap.isIntermediateHop);
  const { baseRaw, lamports, usd } = sumsOf(quotes, part);
  const isAlone = signers.length === 1 && signers[0] === swap.trader;
  return {
    slot: ref.slot,
    timeMs: ref.timeMs,
    txIndex: ref.txIndex,
    signature: ref.signature,
    wallet: swap.trader,
    feePayer: transaction.feePayer,
    cosigners: isAlone ? NO_COSIGNERS : signers.filter((signer) => signer !== swap.trader),
    pool: swap.pool,
    side: swap.side,
    baseRaw,
    lamports,
    usd,
    priceSol: isRoundTrip || isArbitrage ? null : priceAfter(quotes, last),
    poolLamports:
      last.reserves === null
        ? null
        : quoteToLamports(
            quotes,
            last.quoteMint,
            withdrawableQuote(last.reserves),
            last.quoteDecimals,
          ),
    group,
    isRoundTrip,
    isArbitrage,
    isTerminal: transaction.terminal !== null,
    privateProgram: privateProgramOf(walletBooks, transaction),
  };
}

/** Amounts of the wallet's side; lamports are 0 for a quote of unknown price. */
function sumsOf(
  quotes: QuotePrices,
  part: TradePart,
): Pick<CaseTrade, 'baseRaw' | 'lamports' | 'usd'> {
  if (part.length === 1) return amountsOf(quotes, part[0]);
  let baseRaw = 0n;
  let lamports = 0n;
  let usd: bigint | null = 0n;
  for (const priced of part) {
    const amounts = amountsOf(quotes, priced);
    baseRaw += amounts.baseRaw;
    lamports += amounts.lamports;
    usd = usd === null || amounts.usd === null ? null : usd + amounts.usd;
  }
  return {
    baseRaw: asRawAmount(baseRaw),
    lamports: asLamports(lamports),
    usd: usd === null ? null : asUsdNano(usd),
  };
}

function amountsOf(
  quotes: QuotePrices,
  { swap }: WalletSwap,
): Pick<CaseTrade, 'baseRaw' | 'lamports' | 'usd'> {
  const { quoteMint, quoteDecimals } = swap;
  const quoteRaw = absolute(swap.traderQuoteDelta ?? swap.poolQuoteDelta);
  return {
    baseRaw: asRawAmount(absolute(swap.traderBaseDelta)),
    lamports: quoteToLamports(quotes, quoteMint, quoteRaw, quoteDecimals) ?? asLamports(0n),
    usd: quoteToUsd(quotes, quoteMint, quoteRaw, quoteDecimals),
  };
}

/**
 * The price from the pool's effective reserves, or the execution price where reserves give none.
 */
function priceAfter(quotes: QuotePrices, swap: Swap): number | null {
  const { reserves, venue, quoteMint, quoteDecimals } = swap;
  const sides = reserves === null || isRangeVenue(venue) ? null : effectiveReserves(reserves);
  const baseRaw = sides?.base ?? absolute(swap.poolBaseDelta);
  const quoteRaw = sides?.quote ?? absolute(swap.poolQuoteDelta);
  if (baseRaw <= 0n) return null;
  const lamports = quoteToLamports(quotes, quoteMint, quoteRaw, quoteDecimals);
  if (lamports === null) return null;
  const perToken = UNITS_OF[swap.baseDecimals] ?? 10 ** swap.baseDecimals;
  return Number(lamports) / LAMPORTS_PER_SOL / (Number(baseRaw) / perToken);
}

/** The first program of the transaction that is used by few wallets. */
function privateProgramOf(
  walletBooks: WalletBooks,
  { programIds }: TransactionFacts,
): Address | null {
  const isPrivate = (program: Address) =>
    !KNOWN_PROGRAMS.has(program) && walletBooks.wallets.isPrivateProgram(program);
  return programIds.find(isPrivate) ?? null;
}
