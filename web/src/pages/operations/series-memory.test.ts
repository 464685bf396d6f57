import { describe, expect, test } from 'vitest';
import { SeriesMemory } from './series-memory.ts';

const samples = (slots: number, others: Readonly<Record<string, number>> = {}) =>
  Object.entries({ mintscope_slots_total: slots, ...others }).map(([name, value]) => ({
    ...{ name, value },
    labels: {},
  }));

describe('the series of the operations page', () => {
  test('have what was measured, and the rate of slots between two measurements', () => {
    const memory = new SeriesMemory();
    const figures = { mintscope_source_lag_seconds: 0.8, process_resident_memory_bytes: 5e8 };
    memory.add(samples(100, figures), 0);
    memory.add(samples(112, figures), 5_000);
    const common = { lagSeconds: 0.8, memoryBytes: 5e8 };
    expect(memory.points).toEqual([
      { ...common, timeMs: 0, slotsPerSecond: null },
      { ...common, timeMs: 5_000, slotsPerSecond: 2.4 },
    ]);
  });

  test('have no rate over a restart, which counts from 0 again', () => {
    const memory = new SeriesMemory();
    for (const [at, count] of [100, 4, 14].entries()) memory.add(samples(count), at * 5_000);
    expect(memory.points.map(({ slotsPerSecond }) => slotsPerSecond)).toEqual([null, null, 2]);
  });

  test('say nothing of a time in which nothing was measured', () => {
    const memory = new SeriesMemory();
    memory.add(samples(100), 0);
    memory.add(samples(1_000), 60_000);
    expect(memory.points.map(({ timeMs, slotsPerSecond }) => [timeMs, slotsPerSecond])).toEqual([
      [0, null],
      [1, null],
      [60_000, null],
    ]);
  });

  test('are bounded by an hour', () => {
    const memory = new SeriesMemory();
    for (let at = 0; at < 1_000; at++) memory.add(samples(at), at * 5_000);
    expect(memory.points).toHaveLength(720);
    expect(memory.points[0]?.timeMs).toBe(1_000 * 5_000 - 3_600_000);
  });
});
