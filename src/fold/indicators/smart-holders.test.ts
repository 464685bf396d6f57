import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { sumsOf } from '../../../tests/support/page-sums.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { asUsdNano, type UsdNano } from '../../model/units.ts';
import { SmartHolderBook, smartMoneyScore } from './smart-holders.ts';

const MINT = address('mint');
const everybody = () => true;

function usd(dollars: number): UsdNano {
  return asUsdNano(BigInt(Math.round(dollars * 1e9)));
}

describe('smart holders', () => {
  test('five with score 70 and a thousand dollars each give 8.39, and a score of 64.97', () => {
    const book = new SmartHolderBook(new AddressIds());
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      book.set(MINT, address(name), { score: 70, costUsd: usd(1_000) });
    }
    const { wallets, rawScore } = book.holders(MINT, everybody);
    expect(wallets).toBe(5);
    expect(rawScore).toBeCloseTo(5 * 0.7 * Math.log(11), 8);
    expect(rawScore.toFixed(2)).toBe('8.39');
    expect(smartMoneyScore(rawScore).toFixed(2)).toBe('64.97');
  });

  test('that do not count are excluded, and included when they count again', () => {
    const book = new SmartHolderBook(new AddressIds());
    book.set(MINT, address('a'), { score: 70, costUsd: usd(1_000) });
    book.set(MINT, address('b'), { score: 50, costUsd: usd(100) });
    const alone = book.holders(MINT, (wallet) => wallet === address('b'));
    expect(alone).toEqual({ wallets: 1, rawScore: expect.closeTo(0.5 * Math.log(2), 8) });
    expect(book.holders(MINT, () => false)).toEqual({ wallets: 0, rawScore: 0 });
    const rawScore = expect.closeTo(0.7 * Math.log(11) + 0.5 * Math.log(2), 8);
    expect(book.holders(MINT, everybody)).toEqual({ wallets: 2, rawScore });
  });

  test('of score 0 or without cost are holders that add nothing to the score', () => {
    const book = new SmartHolderBook(new AddressIds());
    book.set(MINT, address('a'), { score: 0, costUsd: usd(1_000) });
    book.set(MINT, address('b'), { score: 90, costUsd: usd(0) });
    expect(book.holders(MINT, everybody)).toEqual({ wallets: 2, rawScore: 0 });
  });

  test('leave no trace when they are removed', () => {
    const book = new SmartHolderBook(new AddressIds());
    book.set(MINT, address('a'), { score: 77.77, costUsd: usd(123.45) });
    book.set(MINT, address('b'), { score: 55.5, costUsd: usd(0.07) });
    book.set(MINT, address('a'), null);
    book.set(MINT, address('b'), null);
    book.set(address('never held'), address('a'), null);
    expect(book.holders(MINT, everybody)).toEqual({ wallets: 0, rawScore: 0 });
    expect(book.size).toBe(0);
  });

  test('equal, after any changes, a book of the remaining ones, and are restored by undo', () => {
    const change = fc.record({
      mint: fc.constantFrom(MINT, address('other')),
      wallet: fc.constantFrom('a', 'b', 'c'),
      holding: fc.option(
        fc.record({
          score: fc.double({ min: 0, max: 100, noNaN: true }),
          costUsd: fc.bigInt(0n, 10n ** 15n).map(asUsdNano),
        }),
      ),
    });
    fc.assert(
      fc.property(fc.array(change), fc.array(change), (first, second) => {
        const undo = new UndoLog(1);
        const book = new SmartHolderBook(new AddressIds(undo), undo);
        const image = () => [
          sumsOf(undo.pages),
          ...[MINT, address('other')].map((mint) => book.holders(mint, everybody)),
        ];
        for (const { mint, wallet, holding } of first) book.set(mint, address(wallet), holding);
        const before = image();
        undo.open();
        for (const { mint, wallet, holding } of second) book.set(mint, address(wallet), holding);
        undo.close();
        const last = new Map(
          [...first, ...second].map((each) => [`${each.mint} ${each.wallet}`, each]),
        );
        const alone = new SmartHolderBook(new AddressIds());
        for (const { mint, wallet, holding } of last.values())
          alone.set(mint, address(wallet), holding);
        expect(image().slice(-2)).toEqual(
          [MINT, address('other')].map((mint) => alone.holders(mint, everybody)),
        );
        undo.undo();
        expect(image()).toEqual(before);
      }),
    );
  });
});
