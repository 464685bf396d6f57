import { describe, expect, test } from 'vitest';
import { poolCreated, swapEvent, transactionFacts } from '../../../tests/support/build-facts.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import {
  fold,
  mint,
  pool,
  SOL,
  START_MS,
  second,
  TOKEN,
} from '../../../tests/support/master-fixture.ts';
import type { ChainEvent } from '../../model/chain-event.ts';
import type { SlotChanges } from '../../model/derived.ts';
import type { TransactionFacts } from '../../model/slot-facts.ts';
import { type Address, asRawAmount } from '../../model/units.ts';

const other = address('pool-u');
let traders = 0;

/** A buy of one token for this many SOL, at $200 each. */
function buy(price: bigint, at: Address): ChainEvent {
  const trader = address(`trader ${traders++}`);
  return swapEvent(
    { trader, side: 'buy', baseRaw: TOKEN, quoteRaw: price * SOL },
    { pool: at, outerIx: 6 },
  );
}

const created = (at: Address, sol: bigint) => poolCreated(1_000n * TOKEN, sol * SOL, { pool: at });

function transaction(txIndex: number, ...events: ChainEvent[]): TransactionFacts {
  return transactionFacts({ txIndex, events });
}

/** Open, high, low and close of the mint in dollars at the end of the slot. */
function dollarsOf(changes: SlotChanges | undefined): number[] | null {
  const usd = changes?.candles.find(({ scope }) => scope === mint)?.usd ?? null;
  return usd && [usd.open, usd.high, usd.low, usd.close].map((price) => Number(price / 10n ** 18n));
}

const flagsOf = (changes: SlotChanges | undefined) =>
  changes?.swaps.map(({ swap, setsTokenPrice }) => [swap.pool, setsTokenPrice]);

describe('the price of a token', () => {
  test('comes from its only pool from the first swap on', () => {
    const { changes } = fold([
      second(0, transaction(0, buy(1n, pool)), transaction(1, buy(2n, pool))),
    ]);
    expect(dollarsOf(changes[0])).toEqual([200, 400, 200, 400]);
  });

  test('comes for the whole slot from the pool that becomes primary in it', () => {
    const { changes, engine } = fold([
      second(0, transaction(0, created(pool, 100n), buy(1n, pool))),
      second(
        1,
        transaction(0, buy(2n, pool)),
        transaction(1, created(other, 900n), buy(3n, other)),
      ),
    ]);
    expect(flagsOf(changes[1])).toEqual([
      [pool, false],
      [other, true],
    ]);
    // The price of the first pool in the previous slot is unchanged.
    expect(dollarsOf(changes[1])).toEqual([200, 600, 200, 600]);
    expect(engine.token(mint)).toMatchObject({ primaryPool: other, priceUsd: 600n * 10n ** 18n });
  });

  test('comes from the target pool from the slot of a migration on', () => {
    const moved: ChainEvent = {
      kind: 'migrate',
      outerIx: 7,
      innerIx: -1,
      venue: 'pump',
      mint,
      fromPool: pool,
      toPool: other,
      baseRaw: asRawAmount(TOKEN),
      quoteRaw: asRawAmount(84n * SOL),
    };
    const { changes } = fold([
      second(0, transaction(0, created(pool, 100n), buy(1n, pool))),
      second(
        1,
        transaction(0, buy(2n, pool)),
        transaction(1, created(other, 84n), moved),
        transaction(2, buy(3n, other)),
      ),
    ]);
    expect(flagsOf(changes[1])).toEqual([
      [pool, false],
      [other, true],
    ]);
    expect(dollarsOf(changes[1])).toEqual([200, 600, 200, 600]);
  });

  test('includes the first trades of a slot with more trades than stay unsettled', () => {
    const trades = Array.from({ length: 70 }, (_, index) =>
      transaction(index, buy(index === 0 ? 9n : 10n, pool)),
    );
    const { changes, engine } = fold([second(0, ...trades), second(40)]);
    expect(dollarsOf(changes[0])).toEqual([1_800, 2_000, 1_800, 2_000]);
    expect(
      changes[1]?.candles.map(({ scope, openTimeMs, isFinal }) => [scope, openTimeMs, isFinal]),
    ).toEqual([
      [pool, START_MS, true],
      [mint, START_MS, true],
    ]);
    expect(engine.stateSize.candles).toBe(0);
  });

  test('of a slot is not changed when another pool becomes primary later', () => {
    const { changes } = fold([
      second(0, transaction(0, created(pool, 100n), buy(10n, pool))),
      second(1, transaction(0, buy(10n, pool), buy(20n, pool))),
      second(2, transaction(0, created(other, 900n)), transaction(1, buy(10n, pool))),
    ]);
    // The jump of second 1 is a spike: its swaps are returned again, with the same flags.
    expect(
      changes[2]?.swaps.map(({ slot, exclusion, setsTokenPrice }) => [
        slot,
        exclusion,
        setsTokenPrice,
      ]),
    ).toEqual([
      [1_001, 'spike', true],
      [1_001, 'spike', true],
      [1_002, null, false],
    ]);
  });
});
