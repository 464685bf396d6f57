import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newSession, partsOfLog } from '../../../tests/support/backtest-log.ts';
import { signalSlots } from '../../../tests/support/signal-stage.ts';
import { BACKTEST_DEFAULTS } from '../../model/backtest.ts';
import { UsageError } from '../../model/errors.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import { asSlot } from '../../model/units.ts';
import type { PastSource } from '../past-source.ts';
import type { BacktestStep } from './backtest-messages.ts';
import { untilSettled } from './held-log.ts';
import { type BacktestParts, runBacktest } from './run-backtest.ts';

const RULE = `
name: every-trade
version: 1
kind: signal
scope: pool_minute
title: A rule of a test.
pattern: Any.
rationale: None.
look_alikes: [None.]
when: pool.swaps >= 1
confidence: 0.5
evidence: [pool.swaps]
cool_down_minutes: 3
`;

const [slots = []] = fc.sample(signalSlots({ minLength: 120, maxLength: 120 }), {
  ...{ seed: 11, numRuns: 1 },
});
/** A slot of the first half in which something is traded, so that figures differ without it. */
const middle = slots.findIndex(({ transactions }, at) => at >= 40 && transactions.length > 0);
const without = slots.filter((_, at) => at !== middle);
const middleSlot = slots[middle]?.slot ?? asSlot(0);
const options = {
  ...BACKTEST_DEFAULTS,
  fromMs: slots[0]?.blockTimeMs ?? 0,
  toMs: (slots.at(-1)?.blockTimeMs ?? 0) + 1,
};

/** A stored log that a test changes while it is read, with what the fold says of it. */
class ChangingLog {
  facts: readonly SlotFacts[];
  state: Partial<PastSource> = {};
  pauses = 0;
  readonly steps: BacktestStep[] = [];
  readonly session = newSession();
  /** Called after each portion that was applied, with the last slot of it. */
  onApplied: (slot: number) => void = () => undefined;
  /** Called while a backtest waits. */
  onPause: () => void = () => undefined;

  constructor(facts: readonly SlotFacts[]) {
    this.facts = facts;
  }

  /** The late slot or the removal is noted, as ingestion does before the log changes. */
  change(facts: readonly SlotFacts[]): void {
    this.state = { ...this.state, changedFrom: middleSlot };
    this.facts = facts;
  }

  /** A fold that has applied the changed log takes the place of the one before. */
  refold(): void {
    this.state = { ...this.state, fold: (this.state.fold ?? 1) + 1, changedFrom: null };
  }

  get parts(): BacktestParts {
    const parts = partsOfLog({
      facts: () => this.facts,
      state: () => this.state,
      send: async (step) => {
        this.steps.push(step);
        const answer = this.session.answer(step);
        if (step.kind === 'apply') this.onApplied((answer as { readonly slot: number }).slot);
        return answer;
      },
    });
    const pause = async () => {
      this.pauses++;
      this.onPause();
    };
    return { ...parts, pause };
  }

  count(kind: BacktestStep['kind']): number {
    return this.steps.filter((step) => step.kind === kind).length;
  }
}

function run({ parts }: ChangingLog, given: Partial<typeof options> = {}) {
  const request = {
    ...{ accountId: 'account', rules: [RULE], isProved: true },
    options: { ...options, ...given },
  };
  const { signal } = new AbortController();
  return runBacktest({ request, tries: 1, onProgress: () => undefined, signal }, parts);
}

const calm = (facts: readonly SlotFacts[]) => run(new ChangingLog(facts));

describe('a backtest whose log changes while it is read', () => {
  test('begins again, and is that of the log with the slot that arrived late', async () => {
    const [whole, before] = [await calm(slots), await calm(without)];
    expect(whole).not.toEqual(before);
    const log = new ChangingLog(without);
    // The late slot is behind what was read: the recording has only the part without it.
    log.onApplied = (slot) => {
      if (slot > middleSlot && log.facts === without) log.change(slots);
    };
    log.onPause = () => log.refold();
    expect(await run(log)).toEqual(whole);
    expect([log.count('record'), log.count('judge'), log.pauses]).toEqual([2, 1, 1]);
  });

  test.each([
    ['within its range', middle + 1],
    ['in what is read beyond it', slots.length >> 2],
  ])('keeps the tape of the changed log alone: %s', async (_, end) => {
    const early = { toMs: slots[end]?.blockTimeMs ?? 0 };
    const log = new ChangingLog(without);
    log.onApplied = (slot) => {
      if (slot > middleSlot && log.facts === without) log.change(slots);
    };
    log.onPause = () => log.refold();
    const report = await run(log, early);
    expect([log.count('record'), log.count('judge')]).toEqual([2, 1]);
    const applied = log.count('apply');
    expect(await run(log, early)).toEqual(report);
    expect(log.count('apply')).toBe(applied);
    expect(report).toEqual(await run(new ChangingLog(slots), early));
  });

  test('begins again without slots of a fork that were final and are removed', async () => {
    const log = new ChangingLog(slots);
    log.onApplied = (slot) => {
      if (slot > middleSlot && log.facts === slots) log.change(without);
    };
    log.onPause = () => log.refold();
    expect(await run(log)).toEqual(await calm(without));
    expect([log.count('record'), log.count('judge')]).toEqual([2, 1]);
  });

  test('begins again if another fold has the late slot already when it next looks', async () => {
    const log = new ChangingLog(without);
    log.onApplied = (slot) => {
      if (slot <= middleSlot || log.facts === slots) return;
      log.change(slots);
      log.refold();
    };
    expect(await run(log)).toEqual(await calm(slots));
    expect([log.count('record'), log.count('judge'), log.pauses]).toEqual([2, 1, 0]);
  });

  test('does not begin before the fold has the slots that arrived earlier', async () => {
    const log = new ChangingLog(without);
    log.change(slots);
    log.onPause = () => {
      expect(log.steps).toEqual([]);
      log.refold();
    };
    expect(await run(log)).toEqual(await calm(slots));
    expect([log.count('record'), log.pauses]).toEqual([1, 1]);
  });

  test('does not take a state that is being computed again for a lost start', async () => {
    const log = new ChangingLog(slots);
    log.state = { isRebuilding: true, firstApplied: null };
    log.onPause = () => {
      log.state = {};
    };
    expect(await run(log)).toEqual(await calm(slots));
  });

  test('is not disturbed by what changes after its range', async () => {
    const report = await calm(slots);
    const log = new ChangingLog(slots);
    const after = asSlot((slots.at(-1)?.slot ?? 0) + 1);
    log.onApplied = () => {
      log.state = { changedFrom: after };
    };
    expect(await run(log)).toEqual(report);
    expect([log.count('record'), log.pauses]).toEqual([1, 0]);
  });

  test('ends with a reason if the log never rests, and keeps nothing of it', async () => {
    const log = new ChangingLog(without);
    log.onApplied = (slot) => {
      if (slot <= middleSlot) return;
      log.change(log.facts === slots ? without : slots);
      log.refold();
    };
    await expect(run(log)).rejects.toThrow(UsageError);
    expect([log.count('record'), log.count('judge'), log.count('report')]).toEqual([3, 0, 0]);
    expect(log.steps.at(-1)?.kind).toBe('release');
    log.onApplied = () => undefined;
    log.facts = slots;
    expect(await run(log)).toEqual(await calm(slots));
  });

  test('is refused if the slots that it is reading are dropped from the log', async () => {
    const log = new ChangingLog(slots);
    log.onApplied = (slot) => {
      if (slot >= middleSlot) return;
      // The retention drops the first half.
      log.state = { logStart: middleSlot, firstApplied: null };
      log.facts = slots.slice(middle);
    };
    await expect(run(log)).rejects.toThrow('The log no longer has its start');
    expect(log.count('judge')).toBe(0);
  });
});

describe('waiting for a log', () => {
  test('ends with a reason after a bounded number of pauses', async () => {
    const log = new ChangingLog(slots);
    log.change(slots);
    const { signal } = new AbortController();
    await expect(
      untilSettled({ untilMs: options.toMs, readTo: -1 }, log.parts, signal),
    ).rejects.toThrow(UsageError);
    expect(log.pauses).toBe(600);
  });

  test('ends at once when the backtest is cancelled', async () => {
    const log = new ChangingLog(slots);
    log.change(slots);
    const { pause: _, ...parts } = log.parts;
    const abort = new AbortController();
    const waiting = untilSettled({ untilMs: options.toMs, readTo: -1 }, parts, abort.signal);
    abort.abort(new Error('cancelled'));
    await expect(waiting).rejects.toThrow('cancelled');
  });
});
