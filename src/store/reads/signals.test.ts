import { beforeAll, describe, expect, test } from 'vitest';
import { buildChanges } from '../../../tests/support/build-records.ts';
import { buildOutcome, buildReturns, buildSignal } from '../../../tests/support/build-signal.ts';
import { transports, useDataPlane } from '../../../tests/support/data-planes.ts';
import type { Outcome, Signal } from '../../model/signal.ts';
import {
  type FiguresQuery,
  isShown,
  type SignalPageQuery,
  toListing,
} from '../../model/signal-listing.ts';
import { asSlot, asUsdNano } from '../../model/units.ts';
import { openDataPlane } from '../data-plane.ts';
import { Epochs } from '../epochs.ts';
import { deleteRows, dropTable } from '../sql/deployment.ts';
import { SlotWriter } from '../writes/slot-writer.ts';
import { StoredSignals } from './signals.ts';

const signalAt = (rowId: number, given: Partial<Signal> = {}) =>
  buildSignal({ rowId, slot: asSlot(rowId * 10), createdAtMs: rowId * 10_000, ...given });
const outcomeAt = (rowId: number, slot: number, roi = 0n) =>
  buildOutcome({ rowId, slot: asSlot(slot), roiE9: roi * 1_000_000_000n });
const listed = (signal: Signal, outcome: Outcome) => {
  if (!isShown(signal)) throw new Error('a random minute is not listed');
  return toListing(signal, outcome);
};

const SIGNALS = [
  signalAt(1),
  signalAt(2, { model: 'random_minute' }),
  signalAt(3, { name: null, symbol: null, ageMs: null, model: 'smart_money_surge' }),
  signalAt(4, { name: `it's "a" \\ name\n`, marketCapUsd: asUsdNano(2n ** 100n) }),
] as const;

describe.each(transports)('stored signals %s', (_, open) => {
  const opened = useDataPlane(open);
  const readsOf = (epoch: number, slot: number | null = 50) =>
    new StoredSignals(opened.plane.fast, { epoch, slot: slot === null ? null : asSlot(slot) });
  const write = (
    slot: number,
    signals: readonly Signal[],
    outcomes: readonly Outcome[],
    epoch = 1,
  ) =>
    opened.writer.writeBatch({
      slots: [],
      changes: [buildChanges(slot, { signals, outcomes })],
      epoch,
    });
  const page = (given: Partial<SignalPageQuery> = {}, epoch = 1) =>
    readsOf(epoch).page({
      ...{ fromMs: 0, toMs: 100_000, model: null, limit: 100, beforeRowId: null },
      ...given,
    });
  const figures = async (given: Partial<FiguresQuery> = {}) => {
    const found = await readsOf(1).figures({ epoch: 1, afterSlot: null, afterRowId: 0, ...given });
    const lists = { signals: JSON.parse(found.signals), outcomes: JSON.parse(found.outcomes) };
    return { ...found, ...(lists as Record<keyof typeof lists, (string | null)[][]>) };
  };

  beforeAll(async () => {
    for (const signal of SIGNALS) {
      await write(signal.slot, [signal], [outcomeAt(signal.rowId, signal.slot)]);
    }
    // Written twice, as after a crash.
    for (const _attempt of [1, 2]) await write(50, [], [outcomeAt(1, 50, 70n)]);
  });

  test('are listed newest first, with the newest outcome, without random minutes', async () => {
    expect(await page()).toEqual([
      listed(SIGNALS[3], outcomeAt(4, 40)),
      listed(SIGNALS[2], outcomeAt(3, 30)),
      listed(SIGNALS[0], outcomeAt(1, 50, 70n)),
    ]);
  });

  test.each([
    [{ fromMs: 30_000 }, [4, 3]],
    [{ fromMs: 30_001 }, [4]],
    [{ toMs: 30_000 }, [3, 1]],
    [{ toMs: 29_999 }, [1]],
    [{ model: 'smart_money_surge' }, [3]],
    [{ model: 'smart_money_bounce' }, []],
    [{ limit: 2 }, [4, 3]],
    [{ limit: 2, beforeRowId: 4 }, [3, 1]],
    [{ beforeRowId: 1 }, []],
  ] as const)('of a span, a model or a page are asked: %j', async (given, rowIds) => {
    expect((await page(given)).map(({ rowId }) => rowId)).toEqual(rowIds);
  });

  test('of rules are listed by their authors alone, with their hashes', async () => {
    const ofRules = [
      signalAt(1, { model: 'rule:one/dip', version: 2, parametersHash: 'ab' }),
      signalAt(2, { model: 'rule:one.more/dip' }),
      signalAt(3, { model: 'rule:operator/rise', parametersHash: 'cd' }),
      signalAt(4),
    ];
    await write(
      40,
      ofRules,
      ofRules.map(({ rowId }) => outcomeAt(rowId, 40)),
      7,
    );
    const listedOf = async (authors: readonly string[], given: Partial<SignalPageQuery> = {}) => {
      const query = { fromMs: 0, toMs: 100_000, model: null, limit: 100, beforeRowId: null };
      const found = await readsOf(7).pageOfRules({ ...query, ...given }, authors);
      return found.map(({ rule, rowId }) => [
        rowId,
        rule.author,
        rule.name,
        rule.version,
        rule.hash,
      ]);
    };
    const own = [1, 'one', 'dip', 2, 'ab'];
    const operators = [3, 'operator', 'rise', 1, 'cd'];
    expect(await listedOf(['one', 'operator'])).toEqual([operators, own]);
    expect(await listedOf(['one', 'operator'], { limit: 1 })).toEqual([operators]);
    expect(await listedOf(['one', 'operator'], { beforeRowId: 3 })).toEqual([own]);
    expect(await listedOf(['on'])).toEqual([]);
    expect(await listedOf([])).toEqual([]);
  });

  test('are found in full by their id, including random minutes', async () => {
    expect(await readsOf(1).signal(4)).toEqual(SIGNALS[3]);
    expect(await readsOf(1).signal(2)).toEqual(SIGNALS[1]);
    expect(await readsOf(1).outcome(1)).toEqual(outcomeAt(1, 50, 70n));
    expect([await readsOf(1).signal(9), await readsOf(1).outcome(9)]).toEqual([null, null]);
  });

  test('are returned for statistics as texts without loss of digits', async () => {
    const found = await figures();
    expect(found).toMatchObject({ epoch: 1, storedSlot: 50, nextRowId: null });
    expect(found.signals).toHaveLength(4);
    expect(found.signals.find(([rowId]) => rowId === '4')).toEqual([
      ...['4', '40000', 'organic_momentum', '3600000', String(2n ** 100n), '25000000000000'],
    ]);
    expect(found.signals.find(([rowId]) => rowId === '3')?.[3]).toBeNull();
    expect(found.outcomes.find(([rowId]) => rowId === '1')).toEqual([
      ...['1', '150000000000000', '70000000000', '10000000000'],
      // What $200 and $1,000 returned by each rule; only the first is known.
      ...['12000000000', '8000000000', ...Array(8).fill(null)],
    ]);
  });

  test('are returned for statistics only if they are new to the caller', async () => {
    const since = async (slot: number) => {
      const found = await figures({ afterSlot: asSlot(slot) });
      const ids = (rows: readonly (string | null)[][]) => rows.map(([rowId]) => rowId).sort();
      return [ids(found.signals), ids(found.outcomes)];
    };
    expect(await since(29)).toEqual([
      ['3', '4'],
      ['1', '3', '4'],
    ]);
    expect(await since(40)).toEqual([[], ['1']]);
    expect(await since(50)).toEqual([[], []]);
    // Figures of another epoch count as unknown.
    expect((await figures({ epoch: 2, afterSlot: asSlot(50) })).signals).toHaveLength(4);
  });

  test('are not queried while the caller knows all visible ones', async () => {
    // Rows beyond the cursor count as not written yet.
    await write(60, [SIGNALS[0]], [outcomeAt(1, 60)], 4);
    const known = { epoch: 4, afterSlot: asSlot(50), afterRowId: 0 };
    const none = { signals: '[]', outcomes: '[]', nextRowId: null };
    expect(await readsOf(4, 50).figures(known)).toEqual({ ...none, epoch: 4, storedSlot: 50 });
    const found = await readsOf(4, 60).figures(known);
    const ids = (text: string) => (JSON.parse(text) as string[][]).map(([rowId]) => rowId);
    expect([ids(found.signals), ids(found.outcomes)]).toEqual([['1'], ['1']]);
  });

  test('of absurd tokens are clamped to the range of the column, and stop nothing', async () => {
    const absurd = buildOutcome({
      ...{ rowId: 4, slot: asSlot(41), roiE9: 2n ** 300n, maxDrawdownE9: -(2n ** 300n) },
      execution: {
        returns: { ...buildOutcome().execution.returns, hold_1h: buildReturns(1n, 2n ** 200n) },
      },
    });
    await write(41, [], [absurd], 3);
    await write(40, [SIGNALS[3]], [], 3);
    const [found] = await page({}, 3);
    expect([found?.roiE9, found?.maxDrawdownE9]).toEqual([2n ** 127n - 1n, -(2n ** 127n)]);
    expect(await readsOf(3).outcome(4)).toEqual(absurd);
  });

  test('of another epoch are not visible, and are removed with it', async () => {
    expect(await page({}, 2)).toEqual([]);
    await write(25, [SIGNALS[0]], [outcomeAt(1, 25)], 2);
    expect(await page({}, 2)).toEqual([listed(SIGNALS[0], outcomeAt(1, 25))]);
    expect(await page()).toHaveLength(3);
    await new Epochs(opened.plane.heavy, opened.plane.deployment).prepare(2);
    expect(await page({}, 2)).toEqual([]);
    expect(await readsOf(2).signal(1)).toBeNull();
    expect(await page()).toHaveLength(3);
  });

  test('can be written to a database of a version without signals', async () => {
    const { deployment, writer } = opened.plane;
    for (const table of ['signals', 'signal_outcomes']) {
      for (const sql of dropTable(table, deployment)) await writer.command(sql);
    }
    await writer.command(deleteRows('schema_migrations', 'number >= 5', deployment, true));
    const plane = await openDataPlane(opened.location);
    await new SlotWriter(plane.writer).writeBatch({
      slots: [],
      changes: [buildChanges(40, { signals: [SIGNALS[0]], outcomes: [outcomeAt(1, 40)] })],
      epoch: 1,
    });
    const reads = new StoredSignals(plane.fast, { epoch: 1, slot: null });
    expect(await reads.signal(1)).toEqual(SIGNALS[0]);
    await plane.close();
  });
});
