import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { fallbackSolUsd } from '../../../tests/support/master-fixture.ts';
import {
  type ColumnFeature,
  type ColumnMinute,
  INNOCENT,
  PEEKING,
} from '../../../tests/support/peeking-features.ts';
import { signalSlots } from '../../../tests/support/signal-stage.ts';
import { ruleOf } from '../../../tests/support/synthetic-tape.ts';
import { Engine } from '../../engine/engine.ts';
import { BACKTEST_DEFAULTS } from '../../model/backtest.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import type { Address, Slot } from '../../model/units.ts';
import { TAPE_FEATURES } from '../recording/compiled-tested-rule.ts';
import { judgeTape } from '../recording/judge-tape.ts';
import type { MinuteTape, TapeRow } from '../recording/minute-tape.ts';
import { TapeRecorder } from '../recording/tape-recorder.ts';
import type { TestedFeature } from '../recording/tested-rule.ts';
import { lookAheadReport } from './look-ahead.ts';
import { ProvenRecording } from './proven-recording.ts';

const [slots = []] = fc.sample(signalSlots({ minLength: 150, maxLength: 150 }), {
  seed: 7,
  numRuns: 1,
});
const options = { ...BACKTEST_DEFAULTS, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };

/** The slot that is being applied: what a feature must not see. */
let applied: SlotFacts | null = null;

/** Applies a slot while test features can see it. */
function seen<T>(facts: SlotFacts, apply: () => T): T {
  applied = facts;
  try {
    return apply();
  } finally {
    applied = null;
  }
}

/** The log, recorded with features that may read the slot that is being applied. */
function recordWith(features: readonly TestedFeature[]) {
  const recording = new ProvenRecording(features, 0);
  const engine = new Engine({ fallbackSolUsd, models: [recording.model] });
  const watched = {
    get solUsd() {
      return engine.solUsd;
    },
    apply: (facts: SlotFacts, finality: { readonly isFinal: boolean }) =>
      seen(facts, () => engine.apply(facts, finality)),
    undo: () => engine.undo(),
    forget: (slot: Slot) => engine.forget(slot),
  };
  for (const facts of slots) recording.apply(watched, facts);
  return { tape: recording.finish(), engine };
}

/** The report of a rule that passes in every minute, and reads these features. */
function reportOn(tape: MinuteTape, names: readonly string[]) {
  const { hits } = judgeTape(tape, [ruleOf('every minute', names, () => true)], options);
  return { hits: hits[0]?.length ?? 0, report: lookAheadReport(hits[0] ?? []) };
}

function proofOf(features: readonly TestedFeature[]) {
  const { tape, engine } = recordWith(features);
  const { hits, report } = reportOn(
    tape,
    features.map(({ name }) => name),
  );
  const calm = new Engine({ fallbackSolUsd, models: [] });
  for (const facts of slots) calm.apply(facts);
  const { checked = 0, faults = [] } = report ?? {};
  const isSame = engine.digest() === calm.digest();
  return { checked, faults, hits, isSame, tape };
}

const CANARY: TestedFeature = {
  name: 'canary.trades_after_the_minute',
  read: () => applied?.transactions.length ?? null,
};

const COLUMNS: readonly TestedFeature[] = [
  { name: 'close', read: ({ window }) => window.close },
  { name: 'volume', read: ({ window }) => window.volumeUsd(1) },
];
const inLog = new Set(slots);

/** The recorded minutes of each pool in the whole log, as a data frame has them. */
function framesOfLog(): ReadonlyMap<Address, readonly ColumnMinute[]> {
  const { tape } = recordWith(COLUMNS);
  const ofPool = Map.groupBy(tape.rows, ({ at }) => at.pool);
  const toMinute = ({ at, values }: TapeRow): ColumnMinute => ({
    ...{ minuteMs: at.minuteMs, close: Number(values.close), volume: Number(values.volume) },
  });
  return new Map(Array.from(ofPool, ([pool, rows]) => [pool, rows.map(toMinute)]));
}

/**
 * A feature that is computed for all minutes of a frame at once. The frame is that of the log that
 * is being applied: of all of it, or, where the recording has cut it, of what is left.
 */
function overFrame(
  [name, column]: readonly [string, ColumnFeature],
  frames: ReadonlyMap<Address, readonly ColumnMinute[]>,
): TestedFeature {
  return {
    name,
    read: ({ facts, window }) => {
      const all = frames.get(facts.pool.pool) ?? [];
      const at = all.findIndex(({ minuteMs }) => minuteMs === window.minuteMs);
      const isWhole = applied !== null && inLog.has(applied);
      return column(isWhole ? all : all.slice(0, at + 1))[at] ?? null;
    },
  };
}

describe('a recording beside a cut log', () => {
  test('gives every feature of rules the value that the backtest used', () => {
    const { checked, faults, hits, isSame } = proofOf(TAPE_FEATURES);
    expect(hits).toBeGreaterThan(20);
    expect(checked).toBe(hits);
    expect(faults).toEqual([]);
    // The cuts leave no trace in the state.
    expect(isSame).toBe(true);
  });

  test('has the rows and prices of a recording without a cut', () => {
    const recorder = new TapeRecorder(TAPE_FEATURES, 0);
    const engine = new Engine({ fallbackSolUsd, models: [recorder.model] });
    for (const facts of slots) {
      const { solUsd } = engine;
      recorder.endSlot(engine.apply(facts), solUsd, engine.solUsd);
    }
    const alone = recorder.finish();
    const { tape } = proofOf(TAPE_FEATURES);
    const bare = ({ rows, ...rest }: MinuteTape) => ({
      ...rest,
      rows: rows.map(({ cutValues: _, ...row }) => row),
    });
    expect(bare(tape)).toEqual(bare(alone));
    // What was not read is no proof.
    expect(alone.rows.every(({ cutValues }) => cutValues === null)).toBe(true);
    expect(tape.rows.every(({ values, cutValues }) => cutValues === values)).toBe(true);
  });

  test('catches a feature that sees the slot after the minute, and names it', () => {
    const { faults } = proofOf([...TAPE_FEATURES.slice(0, 5), CANARY]);
    expect(faults.length).toBeGreaterThan(0);
    expect(new Set(faults.map(({ feature }) => feature))).toEqual(new Set([CANARY.name]));
  });
});

describe('freqtrade’s examples, in the recording itself', () => {
  const examples = Object.entries({ ...PEEKING, ...INNOCENT });
  let tape: MinuteTape;

  beforeAll(() => {
    const frames = framesOfLog();
    tape = recordWith(examples.map((example) => overFrame(example, frames))).tape;
  });

  test.each(Object.keys(PEEKING))('that look ahead are caught: %s', (name) => {
    const { hits, report } = reportOn(tape, [name]);
    expect(report?.checked).toBe(hits);
    expect(report?.faults.length).toBeGreaterThan(0);
    expect(new Set(report?.faults.map(({ feature }) => feature))).toEqual(new Set([name]));
  });

  test.each(Object.keys(INNOCENT))('that are recommended pass: %s', (name) => {
    const { hits, report } = reportOn(tape, [name]);
    expect(hits).toBeGreaterThan(20);
    expect(report).toEqual({ checked: hits, faults: [] });
  });
});
