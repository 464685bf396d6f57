import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { LiveFigures } from './live-figures.ts';
import { percentile, type Trend, trendOf } from './live-statistics.ts';

const MIB = 2 ** 20;
const SECONDS_PER_HOUR = 3_600;

/** Resources and answers of the service during a few seconds. */
export interface SoakSample {
  /** End of the period, in seconds since the start of the measurement. */
  readonly seconds: number;
  readonly rssMib: number;
  readonly heapMib: number;
  /** Heaps of the threads that fold and answer, with what is free in them. */
  readonly heapReservedMib: number;
  /** Buffers of these threads, outside their heaps. */
  readonly buffersMib: number;
  /** Resident memory of the processes it started. */
  readonly othersRssMib: number;
  readonly stateEntries: number;
  readonly blocksPerSecond: number;
  readonly transactionsPerSecond: number;
  readonly lagSlotsMax: number;
  readonly visibleP50Ms: number;
  readonly visibleP99Ms: number;
  readonly readP50Ms: number;
  readonly readP99Ms: number;
  readonly failedReads: number;
  readonly unseenSlots: number;
  readonly openGaps: number;
  readonly serviceCores: number;
  readonly stolenCores: number;
  readonly nodeLateP99Ms: number;
}

export function toSoakSample(figures: LiveFigures, seconds: number): SoakSample {
  const { last, producedToVisibleMs, readMs } = figures;
  return {
    seconds,
    rssMib: last.rssBytes / MIB,
    heapMib: last.heapBytes / MIB,
    heapReservedMib: last.heapReservedBytes / MIB,
    buffersMib: last.buffersBytes / MIB,
    othersRssMib: last.othersRssBytes / MIB,
    stateEntries: last.stateEntries,
    blocksPerSecond: figures.blocksPerSecond,
    transactionsPerSecond: figures.transactionsPerSecond,
    lagSlotsMax: figures.lagSlots.max,
    visibleP50Ms: producedToVisibleMs.p50,
    visibleP99Ms: producedToVisibleMs.p99,
    readP50Ms: readMs.p50,
    readP99Ms: readMs.p99,
    failedReads: figures.failedReads,
    unseenSlots: figures.unseenSlots,
    openGaps: last.openGaps,
    serviceCores: figures.serviceCores,
    stolenCores: figures.stolenCores,
    nodeLateP99Ms: figures.nodeLateMs.p99,
  };
}

/** Results of a soak. */
export interface SoakSummary {
  readonly samples: number;
  readonly seconds: number;
  /** MiB per hour over the last half, by least squares. */
  readonly rss: Trend;
  readonly heap: Trend;
  readonly heapReserved: Trend;
  readonly buffers: Trend;
  readonly rssMibMax: number;
  readonly rssMibLast: number;
  readonly othersRssMibMax: number;
  readonly lagSlotsMax: number;
  /** Of the samples' own 99th percentiles. */
  readonly visibleP99MsMedian: number;
  readonly visibleP99MsMax: number;
  readonly readP99MsMedian: number;
  readonly readP99MsMax: number;
  readonly failedReads: number;
  readonly unseenSlots: number;
  readonly openGaps: number;
}

export function summarise(samples: readonly SoakSample[]): SoakSummary {
  const later = samples.slice(Math.floor(samples.length / 2));
  // Periods without a visible slot have no delays; they count as unseen slots.
  const all = (field: keyof SoakSample) =>
    samples.map((sample) => sample[field]).filter((value) => !Number.isNaN(value));
  const sum = (field: keyof SoakSample) => all(field).reduce((total, value) => total + value, 0);
  const perHour = (field: 'rssMib' | 'heapMib' | 'heapReservedMib' | 'buffersMib') =>
    trendOf(later.map((sample) => ({ x: sample.seconds / SECONDS_PER_HOUR, y: sample[field] })));
  return {
    samples: samples.length,
    seconds: samples.at(-1)?.seconds ?? 0,
    rss: perHour('rssMib'),
    heap: perHour('heapMib'),
    heapReserved: perHour('heapReservedMib'),
    buffers: perHour('buffersMib'),
    rssMibMax: percentile(all('rssMib'), 1),
    rssMibLast: samples.at(-1)?.rssMib ?? Number.NaN,
    othersRssMibMax: percentile(all('othersRssMib'), 1),
    lagSlotsMax: percentile(all('lagSlotsMax'), 1),
    visibleP99MsMedian: percentile(all('visibleP99Ms'), 0.5),
    visibleP99MsMax: percentile(all('visibleP99Ms'), 1),
    readP99MsMedian: percentile(all('readP99Ms'), 0.5),
    readP99MsMax: percentile(all('readP99Ms'), 1),
    failedReads: sum('failedReads'),
    unseenSlots: sum('unseenSlots'),
    openGaps: samples.at(-1)?.openGaps ?? Number.NaN,
  };
}

/** Writes samples line by line, so that a soak that ends early keeps its samples. */
export class SoakFile {
  private readonly stream: WriteStream;
  private hasHead = false;

  constructor(path: string) {
    this.stream = createWriteStream(path);
  }

  add(sample: SoakSample): void {
    if (!this.hasHead) this.stream.write(`${Object.keys(sample).join(',')}\n`);
    this.hasHead = true;
    const cells = Object.values(sample).map((value: number) => Number(value.toFixed(2)));
    this.stream.write(`${cells.join(',')}\n`);
  }

  async close(): Promise<void> {
    this.stream.end();
    await finished(this.stream);
  }
}
