import { tradeKey } from '../../../api/trade-key.ts';
import type { Trade } from '../token-types.ts';

/** A trade of the tape, and whether a fork took it back. */
export interface TapeTrade extends Trade {
  readonly undoneAtMs: number | null;
}

export const TAPE_MAX = 1_000;
/** A trade that was taken back stays in sight for this time. */
export const UNDONE_MS = 15_000;

/** Trades by identity: what is applied twice, or taken back unknown, does no harm. */
export type TradeBook = ReadonlyMap<string, TapeTrade>;

export const EMPTY_BOOK: TradeBook = new Map();

/** Adds an answer of the list: it covers all from its oldest trade on, so others of that time go. */
export function withAnswer(book: TradeBook, trades: readonly Trade[], slot: number): TradeBook {
  const oldest = trades.at(-1);
  const next = new Map<string, TapeTrade>();
  for (const [id, trade] of book) {
    const isCovered = oldest !== undefined && trade.slot > oldest.slot && trade.slot <= slot;
    if (!isCovered || trade.undoneAtMs !== null) next.set(id, trade);
  }
  for (const trade of trades) next.set(tradeKey(trade), { ...trade, undoneAtMs: null });
  return next;
}

export function withTrade(book: TradeBook, trade: Trade): TradeBook {
  return new Map(book).set(tradeKey(trade), { ...trade, undoneAtMs: null });
}

/** Without `trade`, everything of the slot is taken back. */
export function withUndone(
  book: TradeBook,
  trade: Trade | null,
  slot: number,
  nowMs: number,
): TradeBook {
  const next = new Map(book);
  for (const [id, held] of book) {
    const isMeant = trade === null ? held.slot === slot : id === tradeKey(trade);
    if (isMeant) next.set(id, { ...held, undoneAtMs: nowMs });
  }
  return next;
}

/** Newest first, without what was taken back some time ago. */
export function tapeOf(book: TradeBook, nowMs: number): readonly TapeTrade[] {
  return [...book.values()]
    .filter(({ undoneAtMs }) => undoneAtMs === null || nowMs - undoneAtMs < UNDONE_MS)
    .sort((one, other) => comparePlaces(other.trade_id, one.trade_id))
    .slice(0, TAPE_MAX);
}

/** Order of two places in the chain: slot, transaction, instruction, inner instruction. */
export function comparePlaces(one: string, other: string): number {
  const left = placeOf(one);
  const right = placeOf(other);
  for (const [index, part] of left.entries()) {
    const difference = part - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The parts of `400001234-13-2--1`, of which the last may be −1. */
function placeOf(id: string): readonly number[] {
  const match = /^(\d+)-(\d+)-(-?\d+)-(-?\d+)/.exec(id);
  return match === null ? [0] : match.slice(1).map(Number);
}
