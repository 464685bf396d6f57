import { describe, expect, test } from 'vitest';
import { swapEvent, transactionFacts } from '../../../tests/support/build-facts.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { fold, mint, pool, second, TOKEN } from '../../../tests/support/master-fixture.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { TransactionFacts } from '../../model/slot-facts.ts';
import type { Swap } from '../../model/swap.ts';
import type { Address } from '../../model/units.ts';
import { countInferred, INFERRED_PROGRAMS_MAX } from './inferred-programs.ts';

const outcomes = {
  inferred: { event: 1, ignored: 0, unknown: 0, malformed: 0, quarantined: 0 },
};
const other = address('pool nobody knows');
const SOL = 1_000_000_000n;

function inferred(program: Address, rest: Partial<Swap> = {}): Swap {
  const draft = { trader: address('t'), side: 'buy', baseRaw: TOKEN, quoteRaw: SOL } as const;
  return swapEvent(draft, { venue: 'inferred', program, pool: other, legsOnly: true, ...rest });
}

function transaction(...events: Swap[]): TransactionFacts {
  return transactionFacts({ txIndex: 0, events });
}

describe('inferred swaps by program', () => {
  test('are counted, and undone with their slot', () => {
    const undo = new UndoLog(2);
    const programs = new Map([[address('a'), 1]]);
    const transactions = [transaction(inferred(address('a')), inferred(address('b')))];
    undo.open();
    countInferred(programs, { outcomes, transactions }, undo);
    undo.close();
    expect([...programs]).toEqual([
      [address('a'), 2],
      [address('b'), 1],
    ]);
    undo.undo();
    expect([...programs]).toEqual([[address('a'), 1]]);
  });

  test('are counted by name up to a limit of programs', () => {
    const programs = new Map<Address, number>();
    const names = Array.from({ length: INFERRED_PROGRAMS_MAX + 50 }, (_, at) => address(`p ${at}`));
    const transactions = [transaction(...[...names, ...names].map((name) => inferred(name)))];
    countInferred(programs, { outcomes, transactions }, new UndoLog());
    expect(programs.size).toBe(INFERRED_PROGRAMS_MAX);
    expect(new Set(programs.values())).toEqual(new Set([2]));
  });
});

describe('an inferred pool', () => {
  const buy = (rest: Partial<Swap> = {}) =>
    swapEvent({ trader: address('t'), side: 'buy', baseRaw: TOKEN, quoteRaw: SOL }, rest);

  test('prices a token without another pool, until a known pool appears', () => {
    const { changes, engine } = fold([
      second(0, transaction(inferred(address('a')))),
      second(
        1,
        transaction(buy(), inferred(address('a'), { poolQuoteDelta: (5n * SOL) as never })),
      ),
    ]);
    expect(changes[0]?.swaps.map(({ setsTokenPrice }) => setsTokenPrice)).toEqual([true]);
    expect(
      changes[1]?.swaps.map(({ swap, setsTokenPrice }) => [swap.pool, setsTokenPrice]),
    ).toEqual([
      [pool, true],
      [other, false],
    ]);
    expect(engine.token(mint)?.primaryPool).toBe(pool);
  });

  test('counts volume, but no swap of another pair', () => {
    const strange = inferred(address('a'), { quoteMint: address('another quote') });
    const { changes, engine } = fold([
      second(0, transaction(inferred(address('a')), strange, inferred(address('a')))),
    ]);
    expect(changes[0]?.swaps.map(({ exclusion }) => exclusion)).toEqual([
      null,
      'quarantined',
      null,
    ]);
    expect(engine.pool(other)).toMatchObject({ swapCount: 2, quoteVolumeRaw: 2n * SOL });
  });
});
