import { describe, expect, test } from 'vitest';
import { swapEvent } from '../../../tests/support/build-facts.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { signatureNamed } from '../../../tests/support/made-up-units.ts';
import { firstDifference, stateImage } from '../../../tests/support/state-image.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { USDC, WRAPPED_SOL } from '../../model/program.ts';
import type { Swap } from '../../model/swap.ts';
import { asPriceE18, asRawAmount, asSlot } from '../../model/units.ts';
import { RobustPriceBook } from './robust-price.ts';
import { SolPriceBook } from './sol-price.ts';
import { priceSwap } from './usd.ts';

const SLOT_MS = 400;

function trade(pool: string, rest: Partial<Swap> = {}): Swap {
  const draft = { trader: address('A'), side: 'buy', baseRaw: 10n ** 9n, quoteRaw: 10n ** 9n };
  return swapEvent(draft as Parameters<typeof swapEvent>[0], { pool: address(pool), ...rest });
}

/** Runs `change` in its own undo record and undoes it. Returns the first difference, or null. */
function differenceAfterUndo(book: object, undo: UndoLog, change: () => void): string | null {
  const before = stateImage(book);
  undo.open();
  change();
  undo.close();
  expect(firstDifference(before, stateImage(book))).not.toBeNull();
  undo.undo();
  return firstDifference(before, stateImage(book));
}

describe('robust prices', () => {
  const usdPerSol = asPriceE18(200n * 10n ** 18n);
  const runSlot = (book: RobustPriceBook, slot: number, pools: readonly string[]) => {
    for (const [txIndex, pool] of pools.entries()) {
      const moment = {
        slot: asSlot(slot),
        timeMs: slot * SLOT_MS,
        isTimeKnown: true,
        terminal: null,
      };
      const signature = signatureNamed(`${slot} ${txIndex}`);
      book.applySwap(priceSwap(trade(pool), { ...moment, txIndex, signature }, usdPerSol));
    }
    return book.closeSlot(asSlot(slot), slot * SLOT_MS);
  };

  test('are restored with the trades of many pools that were settled at once', () => {
    const undo = new UndoLog(1);
    const book = new RobustPriceBook(undo);
    const pools = Array.from({ length: 1_500 }, (_, index) => `pool ${index}`);
    runSlot(book, 1, pools);
    expect(differenceAfterUndo(book, undo, () => runSlot(book, 500, ['pool 1']))).toBeNull();
  });
});

test('the price of SOL is restored with a pool that was replaced by a deeper one', () => {
  const undo = new UndoLog(1);
  const book = new SolPriceBook({ fallbackUsd: null }, undo);
  const solTrade = (pool: string, depth: bigint) =>
    trade(pool, {
      baseMint: WRAPPED_SOL,
      quoteMint: USDC,
      baseDecimals: 9,
      quoteDecimals: 6,
      poolBaseDelta: asRawAmount(10n ** 9n),
      poolQuoteDelta: asRawAmount(-200n * 10n ** 6n),
      reserves: {
        base: asRawAmount(1n),
        quote: asRawAmount(depth),
        virtualBase: null,
        virtualQuote: null,
      },
    });
  const at = { slot: asSlot(1), timeMs: 60_000, isTimeKnown: true };
  const full = Array.from({ length: 256 }, (_, index) =>
    solTrade(`pool ${index}`, BigInt(1_000 + index)),
  );
  book.applySlot(at, full);
  const deeper = () => book.applySlot({ ...at, slot: asSlot(2) }, [solTrade('new', 9_999n)]);
  expect(differenceAfterUndo(book, undo, deeper)).toBeNull();
});
