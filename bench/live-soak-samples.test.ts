import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SoakFile, type SoakSample, summarise } from './live-soak-samples.ts';

function sampleAt(seconds: number, changed: Partial<SoakSample> = {}): SoakSample {
  return {
    seconds,
    rssMib: 500,
    heapMib: 200,
    heapReservedMib: 400,
    buffersMib: 100,
    othersRssMib: 0,
    stateEntries: 0,
    blocksPerSecond: 5,
    transactionsPerSecond: 3_000,
    lagSlotsMax: 1,
    visibleP50Ms: 90,
    visibleP99Ms: 200,
    readP50Ms: 1,
    readP99Ms: 5,
    failedReads: 0,
    unseenSlots: 0,
    openGaps: 0,
    serviceCores: 1,
    stolenCores: 0,
    nodeLateP99Ms: 2,
    ...changed,
  };
}

describe('the summary of a soak', () => {
  it('takes the growth of the last half only, in MiB per hour', () => {
    // It fills up by 100 MiB in the first half, then grows by 1 MiB in 36 s: 100 MiB an hour.
    const rising = [0, 36, 72, 108].map((seconds, index) =>
      sampleAt(seconds, { rssMib: 400 + index * 25 }),
    );
    const slow = [144, 180, 216, 252].map((seconds, index) =>
      sampleAt(seconds, { rssMib: 500 + index, heapReservedMib: 400 + 2 * index }),
    );
    const { rss, heap, heapReserved, buffers, rssMibMax } = summarise([...rising, ...slow]);
    expect(rss.slope).toBeCloseTo(100, 9);
    expect(rss.standardError).toBeCloseTo(0, 6);
    expect(heap.slope).toBe(0);
    expect(heapReserved.slope).toBeCloseTo(200, 9);
    expect(buffers.slope).toBe(0);
    expect(rssMibMax).toBe(503);
  });

  it('adds up failures and keeps the worst delays', () => {
    const summary = summarise([
      sampleAt(5, { failedReads: 2, readP99Ms: 30, lagSlotsMax: 4, openGaps: 1 }),
      sampleAt(10, { failedReads: 1 }),
      sampleAt(15, { unseenSlots: 3, visibleP99Ms: Number.NaN }),
    ]);
    expect(summary).toMatchObject({
      samples: 3,
      seconds: 15,
      failedReads: 3,
      unseenSlots: 3,
      openGaps: 0,
      lagSlotsMax: 4,
      readP99MsMax: 30,
      visibleP99MsMax: 200,
      readP99MsMedian: 5,
    });
  });
});

describe('the file of a soak', () => {
  it('has a line of names and a line per sample', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mintscope-soak-'));
    try {
      const path = join(folder, 'soak.csv');
      const file = new SoakFile(path);
      file.add(sampleAt(5));
      file.add(sampleAt(10, { rssMib: 500.126 }));
      await file.close();
      const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
      expect(lines).toHaveLength(3);
      expect(lines[0]).toMatch(/^seconds,rssMib,heapMib,/);
      expect(lines[2]).toMatch(/^10,500\.13,200,/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
