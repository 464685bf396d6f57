import { describe, expect, test } from 'vitest';
import { slotFacts } from '../../../tests/support/build-facts.ts';
import { signature } from '../../../tests/support/build-transaction.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import type { VenueChange } from '../../model/venue-change.ts';
import { PAST_SPAN_BUCKETS } from './drift-rule.ts';
import { formatDriftState, parseDriftState } from './drift-state.ts';
import { DriftTracker } from './drift-tracker.ts';
import { countSlotShares } from './slot-counts.ts';

const START = 1_000;
const NEW = 'unknown discriminator c0ffeec0ffee0001';

interface Draft {
  readonly known?: number;
  readonly unknown?: number;
  readonly malformed?: number;
  readonly what?: string;
}

/** A slot with pump instructions. */
function slotWith(
  slot: number,
  { known = 10, unknown = 0, malformed = 0, what = NEW }: Draft,
): SlotFacts {
  const problem = { outerIx: 0, innerIx: -1, program: 'pump', reason: what } as const;
  return {
    ...slotFacts(slot, slot * 400, []),
    outcomes: { pump: { event: known, ignored: 0, unknown, malformed, quarantined: 0 } },
    problems: [
      ...Array.from({ length: unknown }, (_, index) => ({
        ...problem,
        problem: 'unknown' as const,
        signature: signature(`${slot} ${index}`),
      })),
    ],
  };
}

/** Applies consecutive slots and returns the changes of alarms. */
function takeSlots(
  tracker: DriftTracker,
  from: number,
  count: number,
  draft: (slot: number) => Draft,
): VenueChange[] {
  const changes: VenueChange[] = [];
  for (let slot = from; slot < from + count; slot++) {
    changes.push(...tracker.take(slotWith(slot, draft(slot)), slot * 400));
  }
  return changes;
}

const shown = (changes: readonly VenueChange[]) =>
  changes.map(({ kind, slot, alarm }) => `${kind} ${alarm.measure} ${slot} ${alarm.sinceSlot}`);

function calm(slots = 600): DriftTracker {
  const tracker = new DriftTracker();
  expect(takeSlots(tracker, START, slots, () => ({}))).toEqual([]);
  return tracker;
}

describe('the drift tracker', () => {
  test('begins an alarm within a minute of an upgrade and ends it after a fix', () => {
    const tracker = calm();
    const began = takeSlots(tracker, START + 600, 150, () => ({ known: 7, unknown: 3 }));
    // Ten slots have 30 unknown of the 1,500 instructions of 150 slots: 2 %. The 460 slots before
    // are the past.
    expect(shown(began)).toEqual([`began unknown ${START + 610} ${START + 600}`]);
    expect(began[0]?.alarm).toMatchObject({
      program: 'pump',
      recent: { hits: 30, total: 1_500 },
      past: { hits: 0, total: 4_600 },
      examples: [{ what: NEW, slot: START + 600, signature: signature(`${START + 600} 0`) }],
    });
    expect(tracker.alarms).toMatchObject([
      { program: 'pump', measure: 'unknown', sinceSlot: START + 600 },
    ]);
    const ended = takeSlots(tracker, START + 750, 400, () => ({}));
    // 0.5 % of 1,500 instructions is 7, and ten slots had 30, so it ends after 150 normal slots.
    expect(shown(ended)).toEqual([`ended unknown ${START + 900} ${START + 600}`]);
    expect(tracker.alarms).toEqual([]);
  });

  test('raises no alarm for a program that was never fully decoded', () => {
    const tracker = new DriftTracker();
    const changes = takeSlots(tracker, START, 2_000, (slot) => ({
      known: 6,
      unknown: 3 + (slot % 3),
    }));
    expect(changes).toEqual([]);
  });

  test('raises no alarm for one unusual transaction, regardless of its instructions', () => {
    const tracker = calm();
    const changes = takeSlots(tracker, START + 600, 400, (slot) =>
      slot === START + 650 ? { known: 0, unknown: 400 } : {},
    );
    expect(changes).toEqual([]);
  });

  test('raises no alarm for a program without a past', () => {
    const tracker = new DriftTracker();
    expect(takeSlots(tracker, START, 160, () => ({ known: 0, unknown: 5 }))).toEqual([]);
  });

  test('continues a lasting alarm and does not add it to the baseline', () => {
    const tracker = calm();
    const during = takeSlots(tracker, START + 600, 20_000, () => ({ known: 7, unknown: 3 }));
    expect(shown(during)).toHaveLength(1);
    expect(tracker.alarms[0]?.past).toEqual({ hits: 0, total: 4_600 });
  });

  test('begins no second alarm while a share varies around one value', () => {
    const tracker = calm();
    const changes = takeSlots(tracker, START + 600, 3_000, (slot) => ({
      known: 97,
      unknown: Math.floor(slot / 300) % 2 === 0 ? 3 : 2,
    }));
    expect(shown(changes)).toHaveLength(1);
  });

  test('separates malformed from unknown instructions', () => {
    const tracker = calm();
    const changes = takeSlots(tracker, START + 600, 100, () => ({ known: 5, malformed: 5 }));
    expect(changes.map(({ alarm }) => alarm.measure)).toEqual(['malformed']);
  });

  test('counts quarantined swaps relative to all swaps', () => {
    const tracker = new DriftTracker();
    const swaps = (slot: number, quarantined: number): SlotFacts => {
      const facts = slotWith(slot, {});
      const events = Array.from({ length: 4 }, (_, at) => ({
        kind: 'swap',
        venue: 'pump',
        quarantine: at < quarantined ? 'contradicted' : null,
      }));
      return {
        ...facts,
        outcomes: { pump: { ...ZERO, event: 40, quarantined } },
        transactions: [{ events }] as unknown as SlotFacts['transactions'],
      };
    };
    const changes: VenueChange[] = [];
    for (let slot = START; slot < START + 600; slot++)
      changes.push(...tracker.take(swaps(slot, 0), 0));
    for (let slot = START + 600; slot < START + 700; slot++) {
      changes.push(...tracker.take(swaps(slot, 1), 0));
    }
    expect(changes.map(({ kind, alarm }) => `${kind} ${alarm.measure}`)).toEqual([
      'began quarantined',
    ]);
    // Each slot has four swaps, of 40 instructions. After ten slots 10 of 600 are quarantined,
    // which of a past of 1,840 without any may be chance; after twenty slots 20 of 600 are not.
    expect(changes[0]?.slot).toBe(START + 620);
    expect(changes[0]?.alarm.past).toEqual({ hits: 0, total: 470 * 4 });
  });

  test('counts contradicted fee payouts, which are no events, in both parts of the share', () => {
    const slot = {
      ...slotWith(START, {}),
      outcomes: { pump: { ...ZERO, event: 3, quarantined: 3 } },
    };
    expect(countSlotShares(slot).get('pump')?.quarantined).toEqual({ hits: 3, total: 3 });
  });

  test('counts each slot once, in order', () => {
    const tracker = calm();
    const before = tracker.state;
    tracker.take(slotWith(START, { unknown: 1_000 }), 0);
    tracker.take(slotWith(START + 599, { unknown: 1_000 }), 0);
    expect(tracker.state).toEqual(before);
  });

  test('continues after a restart as without one', () => {
    const one = calm();
    takeSlots(one, START + 600, 5, () => ({ known: 7, unknown: 3 }));
    const kept = parseDriftState(formatDriftState(one.state));
    if (kept === null) throw new Error('it was not understood');
    const other = new DriftTracker(kept);
    const draft = (slot: number) => (slot < START + 700 ? { known: 7, unknown: 3 } : {});
    const changes = takeSlots(one, START + 605, 600, draft);
    expect(shown(changes)).toHaveLength(2);
    expect(takeSlots(other, START + 605, 600, draft)).toEqual(changes);
    expect(other.state).toEqual(one.state);
  });

  test('drops a past of more than a day, and a program that is no longer called', () => {
    const tracker = calm();
    const later = START + 600 + 3 * PAST_SPAN_BUCKETS * 10;
    tracker.take({ ...slotFacts(later, 0, []) }, 0);
    expect(tracker.shares).toEqual([]);
    const again = calm();
    takeSlots(again, START + 600, 50, () => ({ known: 7, unknown: 3 }));
    const ended = again.take({ ...slotFacts(later, 0, []) }, 0);
    expect(shown(ended)).toEqual([`ended unknown ${later} ${START + 600}`]);
  });

  test('shows recent discriminators rather than those always seen', () => {
    const tracker = new DriftTracker();
    takeSlots(tracker, START, 600, (slot) => ({
      known: 90,
      unknown: slot % 10 === 0 ? 1 : 0,
      what: 'old',
    }));
    takeSlots(tracker, START + 600, 60, (slot) => ({
      known: 7,
      unknown: 3,
      what: `new ${slot % 2}`,
    }));
    expect(tracker.alarms[0]?.examples.map(({ what, slot }) => `${what} ${slot}`)).toEqual([
      `new 1 ${START + 601}`,
      `new 0 ${START + 600}`,
    ]);
  });

  test('has bounded size after a million kinds of instructions', () => {
    const tracker = calm();
    takeSlots(tracker, START + 600, 200, () => ({ known: 7, unknown: 3 }));
    const few = formatDriftState(tracker.state).length;
    takeSlots(tracker, START + 800, 3_000, (slot) => ({ known: 7, unknown: 3, what: `x ${slot}` }));
    expect(formatDriftState(tracker.state).length).toBeLessThan(few + 4_000);
  });
});

describe('a stored state', () => {
  test.each([
    '',
    '7',
    '{}',
    '{"version":2,"lastSlot":-1,"programs":{}}',
    '{"version":1,"lastSlot":"x","programs":{}}',
    '{"version":1,"lastSlot":5,"programs":{"pump":{}}}',
    '{"version":1,"lastSlot":5,"programs":{"pump":{"lastSlot":5,"series":{},"examples":{}}}}',
  ])('is not used when it is %s', (text) => {
    expect(parseDriftState(text)).toBeNull();
  });
});

const ZERO = { event: 0, ignored: 0, unknown: 0, malformed: 0, quarantined: 0 };
