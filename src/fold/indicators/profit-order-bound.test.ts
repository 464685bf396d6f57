import fc from 'fast-check';
import { expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { asPriceE18, asRawAmount, asSlot, asUsdNano } from '../../model/units.ts';
import { PoolWalletBook } from './pool-wallet-book.ts';
import type { ProfitOrderBounds } from './profit-order.ts';

const POOLS = ['one', 'two', 'three'].map(address);
const WALLETS = Array.from({ length: 8 }, (_, index) => address(`w${index}`));
const UNDOABLE = 12;

/** A book and the slots of it that can be undone. */
interface Side {
  readonly book: PoolWalletBook;
  readonly undo: UndoLog;
}

function newSide(bounds: ProfitOrderBounds): Side {
  const undo = new UndoLog(UNDOABLE);
  return { book: new PoolWalletBook(new AddressIds(undo), undo, bounds), undo };
}

type Step = (side: Side, slot: number) => unknown;

const pool = fc.constantFrom(...POOLS);
const wallet = fc.constantFrom(...WALLETS);
const milliDollars = fc.nat(3_000).map((value) => BigInt(value) * 10n ** 6n);

const trade: fc.Arbitrary<Step> = fc
  .tuple(pool, wallet, milliDollars)
  .map(([traded, trader, usd]) => ({ book }: Side, slot: number) => {
    const flags = { isHop: false, isVolumeAtomic: false, isBot: false };
    const at = { slot: asSlot(slot), txIndex: 0, timeMs: slot * 1_000 };
    const volumeUsd = asUsdNano(usd);
    book.applyTrade({ pool: traded, baseDecimals: 6 }, trader, { ...flags, ...at, volumeUsd });
  });

const move: fc.Arbitrary<Step> = fc.tuple(pool, wallet, milliDollars, milliDollars).map(
  ([traded, trader, cost, realised]) =>
    ({ book }: Side) =>
      book.positionChanged(traded, trader, {
        hasKnownBuy: true,
        isOpen: true,
        heldRaw: asRawAmount(10n ** 6n),
        costUsd: asUsdNano(cost),
        realisedUsd: asUsdNano(realised / 2n),
        grossCostUsd: asUsdNano(cost),
        acquiredS: 0,
        closedHold: 0,
        closedRaw: 0,
      }),
);

const flip: fc.Arbitrary<Step> = fc.tuple(wallet, fc.boolean()).map(
  ([trader, isBot]) =>
    ({ book }: Side) =>
      book.setWalletClass(trader, isBot),
);

const read: fc.Arbitrary<Step> = fc.tuple(pool, fc.option(milliDollars, { freq: 9 })).map(
  ([traded, usd]) =>
    ({ book }: Side) =>
      book.profits(traded, usd === null ? null : asPriceE18(usd * 10n ** 9n)),
);

/** A step of a slot, the end of the slot, or an undo of some slots. */
const plan = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.oneof(trade, move, move, flip, read, read) },
    { weight: 2, arbitrary: fc.constant('next slot' as const) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 4 }) },
  ),
  { maxLength: 150 },
);

function run(side: Side, steps: readonly (Step | string | number)[]): unknown[] {
  const { undo } = side;
  return steps.map((step, slot) => {
    if (typeof step === 'function') return step(side, slot);
    undo.close();
    if (typeof step === 'number') {
      for (let count = Math.min(step, undo.size); count > 0; count--) undo.undo();
    }
    if (undo.size === UNDOABLE) undo.forget(1);
    undo.open();
    return null;
  });
}

test('profits are those of trees, with lists and as orders are dropped for others and slots undone', () => {
  fc.assert(
    fc.property(plan, (steps) => {
      const expected = run(newSide({ listedMax: 0 }), steps);
      for (const listedMax of [2, 1_000]) {
        for (const ordersMax of [1, 2, 1_000]) {
          expect(run(newSide({ listedMax, ordersMax }), steps)).toEqual(expected);
        }
      }
    }),
    { numRuns: 300 },
  );
});
