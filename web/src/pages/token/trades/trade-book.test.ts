import { expect, test } from 'vitest';
import type { Trade } from '../token-types.ts';
import {
  comparePlaces,
  EMPTY_BOOK,
  tapeOf,
  UNDONE_MS,
  withAnswer,
  withTrade,
  withUndone,
} from './trade-book.ts';

const trade = (slot: number, index = 0): Trade => ({
  trade_id: `${slot}-${index}-0--1`,
  slot,
  timestamp: '2026-11-26T21:00:00.000Z',
  commitment: 'confirmed',
  signature: 's',
  pair_address: 'p',
  token_address: 't',
  venue: 'pump',
  router: null,
  terminal: null,
  wallet_address: 'w',
  side: 'buy',
  token_amount: '1',
  quote_mint: 'q',
  quote_amount: '1',
  price_usd: '1',
  value_usd: '1',
  wallet_class: 'organic',
  flags: [],
});
const idsOf = (book: typeof EMPTY_BOOK, nowMs = 0) =>
  tapeOf(book, nowMs).map(({ trade_id }) => trade_id);

test('the tape is in the order of the chain, newest first', () => {
  let book = withTrade(EMPTY_BOOK, trade(7, 2));
  book = withTrade(book, trade(7, 10));
  book = withTrade(book, trade(6, 99));
  book = withTrade(book, trade(7, 10));
  expect(idsOf(book)).toEqual(['7-10-0--1', '7-2-0--1', '6-99-0--1']);
});

test('a trade taken back is marked, and leaves after a while', () => {
  const book = withUndone(withTrade(EMPTY_BOOK, trade(7)), trade(7), 7, 1_000);
  expect(tapeOf(book, 1_000)).toMatchObject([{ undoneAtMs: 1_000 }]);
  expect(idsOf(book, 1_000 + UNDONE_MS)).toEqual([]);
});

test('a slot taken back without its data takes all its trades', () => {
  let book = withTrade(withTrade(EMPTY_BOOK, trade(7)), trade(8));
  book = withUndone(book, null, 8, 0);
  expect(tapeOf(book, 0).map(({ undoneAtMs }) => undoneAtMs)).toEqual([0, null]);
});

test('taking back what is not known is harmless, and a trade may come again', () => {
  let book = withUndone(EMPTY_BOOK, trade(7), 7, 0);
  expect(idsOf(book)).toEqual([]);
  book = withUndone(withTrade(book, trade(7)), trade(7), 7, 0);
  expect(tapeOf(withTrade(book, trade(7)), 0)).toMatchObject([{ undoneAtMs: null }]);
});

test('an answer replaces what it covers, and keeps older and later trades', () => {
  let book = EMPTY_BOOK;
  for (const slot of [1, 5, 6, 9]) book = withTrade(book, trade(slot));
  // As of slot 8: it begins in slot 4 and does not have the trade of slot 5.
  book = withAnswer(book, [trade(8), trade(6), trade(4)], 8);
  expect(idsOf(book)).toEqual(['9-0-0--1', '8-0-0--1', '6-0-0--1', '4-0-0--1', '1-0-0--1']);
});

test('places are compared as numbers', () => {
  expect(comparePlaces('10-0-0--1', '9-0-0--1')).toBeGreaterThan(0);
  expect(comparePlaces('9-2-0--1', '9-10-0--1')).toBeLessThan(0);
  expect(comparePlaces('9-2-0--1', '9-2-0-0')).toBeLessThan(0);
  expect(comparePlaces('9-2-0-0', '9-2-0-0')).toBe(0);
});
