import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { slotFacts } from '../../tests/support/build-facts.ts';
import { createMetricFamilies } from '../api/http/metrics.ts';
import type { VenueChange } from '../model/venue-change.ts';
import { openControlPlane } from '../store/control/control-plane.ts';
import { DriftTable } from '../store/control/drift-book.ts';
import { inTransaction } from '../store/sqlite/sqlite-transaction.ts';
import { alarmInWords } from './alarm-in-words.ts';
import { exposeDrift } from './drift-metrics.ts';
import { DriftWatch } from './drift-watch.ts';

let database: ReturnType<typeof openControlPlane>;
let put: VenueChange[];
let reported: VenueChange[];

beforeEach(() => {
  database = openControlPlane(':memory:');
  put = [];
  reported = [];
});
afterEach(() => database.close());

function open(onPut = (_: readonly VenueChange[]) => undefined): DriftWatch {
  const store = {
    drift: new DriftTable(database),
    together: <Result>(work: () => Result) => inTransaction(database, work),
  };
  return new DriftWatch(store, {
    put: (changes) => {
      onPut(changes);
      put.push(...changes);
    },
    onChanges: (changes) => reported.push(...changes),
  });
}

/** Slots of ten instructions, some of them unknown. */
function finalise(watch: DriftWatch, from: number, to: number, unknown: number): void {
  for (let slot = from; slot < to; slot++) {
    const counts = { ignored: 0, malformed: 0, quarantined: 0 };
    const outcomes = { pump: { ...counts, event: 10 - unknown, unknown } };
    watch.onFinalised({ ...slotFacts(slot, null, []), outcomes }, slot * 400);
    if (slot % 50 === 0) watch.onBeforeWrite();
  }
}

const shown = (changes: readonly VenueChange[]) =>
  changes.map(({ kind, slot }) => `${kind} ${slot}`);

describe('the drift watch of a service', () => {
  test('reports the begin and end of an alarm once, after storing it', () => {
    const watch = open();
    finalise(watch, 0, 600, 0);
    finalise(watch, 600, 700, 4);
    expect(shown(reported)).toEqual(['began 610']);
    expect(watch.alarms).toHaveLength(1);
    // There are no unknown instructions from slot 700 on; the recent window is 150 slots.
    finalise(watch, 700, 1_000, 0);
    expect(shown(reported)).toEqual(['began 610', 'ended 850']);
    expect(put).toEqual(reported);
  });

  test('reports nothing again after a restart, and continues the alarm', () => {
    finalise(open(), 0, 600, 0);
    const first = open();
    finalise(first, 600, 700, 4);
    const second = open();
    expect(second.alarms.map(({ program, sinceSlot }) => [program, sinceSlot])).toEqual([
      ['pump', 600],
    ]);
    // Slots that were not stored are read again from the source.
    finalise(second, 600, 800, 4);
    expect(shown(reported)).toEqual(['began 610']);
    finalise(second, 800, 1_000, 0);
    expect(shown(reported)).toEqual(['began 610', 'ended 950']);
  });

  test('stores nothing of a change whose events failed, and reports it when it occurs again', () => {
    let isBroken = true;
    const watch = open(() => {
      if (isBroken) throw new Error('no room');
    });
    finalise(watch, 0, 600, 0);
    watch.onBeforeWrite();
    expect(() => finalise(watch, 600, 700, 4)).toThrow('no room');
    expect(reported).toEqual([]);
    isBroken = false;
    finalise(open(), 600, 700, 4);
    expect(shown(reported)).toEqual(['began 610']);
  });

  test('starts from scratch if the stored state is of another version', () => {
    new DriftTable(database).write('{"version":0}');
    const watch = open();
    finalise(watch, 0, 300, 4);
    expect([watch.alarms, reported]).toEqual([[], []]);
  });

  test('shows shares and alarms in the metrics', async () => {
    const watch = open();
    finalise(watch, 0, 600, 0);
    finalise(watch, 600, 761, 4);
    const metrics = createMetricFamilies();
    exposeDrift(metrics, watch);
    const text = await metrics.render();
    expect(text).toContain(
      'mintscope_venue_drift_share{program="pump",measure="unknown",window="recent"} 0.4\n',
    );
    expect(text).toContain(
      'mintscope_venue_drift_share{program="pump",measure="unknown",window="past"} 0\n',
    );
    expect(text).toContain('mintscope_venue_drift_alarm{program="pump",measure="unknown"} 1\n');
    expect(text).toContain('mintscope_venue_drift_alarm{program="pump",measure="malformed"} 0\n');
  });

  test('describes program, start, share and examples as text', () => {
    const watch = open();
    finalise(watch, 0, 600, 0);
    finalise(watch, 600, 761, 4);
    const [alarm] = watch.alarms;
    if (alarm === undefined) throw new Error('there is no alarm');
    expect(alarmInWords(alarm)).toBe(
      'pump since slot 600: 40.00 % of instructions unknown, 0.00 % before',
    );
  });
});
