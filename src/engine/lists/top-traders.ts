import type { PositionProfit } from '../../fold/positions/position.ts';
import { ApiError } from '../../model/errors.ts';
import { type PositionFigures, profitOf, realisedOf } from '../../model/position-worth.ts';
import type { TraderCursor, TraderPage, TraderPageQuery } from '../../model/token-wallets.ts';
import { asRawAmount, type UsdNano } from '../../model/units.ts';
import type { Books } from '../books/books.ts';
import type { WalletBooks } from '../books/wallet-books.ts';
import { walletPositionOf } from '../wallets/wallet-record-of.ts';
import { standingsIn } from './wallet-standing.ts';

/** Positions that one page may compare: more would delay the slots that wait meanwhile. */
export const COMPARED_MAX = 100_000;

/** The answer for a mint with more positions. */
export const TOO_MANY_TRADERS = `This token has more than ${COMPARED_MAX} positions: its traders are not ranked.`;

const NO_UNITS = asRawAmount(0n);

/** A page of the traders of a mint by profit: the wallets that ever bought or sold it. */
export function topTradersOf(
  books: Books,
  walletBooks: WalletBooks,
  query: TraderPageQuery,
): TraderPage {
  const { mint, limit } = query;
  const { positions } = walletBooks;
  const found = rankedAfter(books, walletBooks, query);
  const shown = found.slice(0, limit);
  const standingOf = standingsIn(books, walletBooks, mint);
  const traders = shown.map(({ number }) => {
    const position = positions.at(number);
    const { wallet } = position;
    return { wallet, standing: standingOf(wallet), position: walletPositionOf(books, position) };
  });
  return { traders, next: found.length > limit ? (shown.at(-1) ?? null) : null };
}

/** The traders after a cursor, highest profit first. */
function rankedAfter(
  books: Books,
  { positions }: WalletBooks,
  { mint, orderBy, after }: TraderPageQuery,
): TraderCursor[] {
  const token = books.tokens.get(mint);
  const primary = token?.primaryPool == null ? undefined : books.pools.get(token.primaryPool);
  const context = { priceUsd: primary?.priceUsd ?? null, decimals: token?.decimals ?? null };
  const usdOf = (profit: PositionProfit): UsdNano | null =>
    orderBy === 'realised' ? realisedOf(profit) : profitOf(figuresOf(profit, context));
  const ranked: TraderCursor[] = [];
  let compared = 0;
  for (const profit of positions.profitsOfMint(mint)) {
    if (++compared > COMPARED_MAX) throw new ApiError(422, TOO_MANY_TRADERS);
    if (!profit.hasTraded) continue;
    const place = { usd: usdOf(profit), number: profit.row };
    if (after === null || comparePlaces(after, place) < 0) ranked.push(place);
  }
  return ranked.sort(comparePlaces);
}

/** Highest first, unknown last; the older position first among equals. */
function comparePlaces(one: TraderCursor, other: TraderCursor): number {
  if (one.usd === other.usd) return one.number - other.number;
  if (one.usd === null) return 1;
  if (other.usd === null) return -1;
  return one.usd > other.usd ? -1 : 1;
}

function figuresOf(
  { heldRaw, costUsd, realisedUsd, hasKnownCost }: PositionProfit,
  context: Pick<PositionFigures, 'priceUsd' | 'decimals'>,
): PositionFigures {
  return { heldRaw, unknownBasisRaw: NO_UNITS, costUsd, realisedUsd, hasKnownCost, ...context };
}
