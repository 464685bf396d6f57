import { setTimeout as sleep } from 'node:timers/promises';
import { type Trend, trendOf } from './live-statistics.ts';
import { fixed } from './table.ts';
import type { UnwatchedPage } from './unwatched-page.ts';

const SAMPLE_MS = 15_000;
const MINUTE_MS = 60_000;
/** Slopes are through the least of so many minutes each. */
const LEAST_MINUTES = 2;
const BYTES_PER_KIB = 2 ** 10;
const BYTES_PER_MIB = 2 ** 20;

/** What a page holds after collecting garbage. */
export interface PageMemory {
  /** Since the first sample was wanted. */
  readonly minute: number;
  readonly heapMib: number;
  /** Of the browser's own objects: elements, styles, listeners. */
  readonly embedderMib: number;
  readonly nodes: number;
  readonly listeners: number;
}

/** In bytes. */
interface HeapUsage {
  readonly usedSize: number;
  readonly embedderHeapUsedSize: number;
}

interface Counters {
  readonly nodes: number;
  readonly jsEventListeners: number;
}

/** A figure over the minutes that a page was watched. */
export interface MemoryFigure {
  readonly figure: string;
  readonly measured: string;
  readonly wanted: string;
}

/** Samples the memory of a page every 15 seconds, and logs each to stderr. */
export async function watchMemory(page: UnwatchedPage, minutes: number): Promise<PageMemory[]> {
  const samples: PageMemory[] = [];
  const startMs = performance.now();
  while (performance.now() < startMs + minutes * MINUTE_MS) {
    await sleep(SAMPLE_MS);
    const minute = (performance.now() - startMs) / MINUTE_MS;
    const sample = await memoryOf(page, minute);
    samples.push(sample);
    console.error(
      `${fixed(minute, 2)} min: heap ${fixed(sample.heapMib, 3)} MiB, embedder ` +
        `${fixed(sample.embedderMib, 3)} MiB, ${sample.nodes} nodes, ${sample.listeners} listeners`,
    );
  }
  return samples;
}

async function memoryOf(page: UnwatchedPage, minute: number): Promise<PageMemory> {
  await page.send('HeapProfiler.collectGarbage');
  const { usedSize, embedderHeapUsedSize } = await page.send<HeapUsage>('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await page.send<Counters>('Memory.getDOMCounters');
  return {
    minute,
    heapMib: usedSize / BYTES_PER_MIB,
    embedderMib: embedderHeapUsedSize / BYTES_PER_MIB,
    nodes,
    listeners: jsEventListeners,
  };
}

/** Levels at the beginning, half and end, and slopes of the least over the last half with errors. */
export function memoryFigures(samples: readonly PageMemory[], minutes: number): MemoryFigure[] {
  const wanted = 'flat';
  const later = samples.slice(Math.floor(samples.length / 2));
  const levels = (name: keyof PageMemory, digits: number) =>
    [samples[0], later[0], samples.at(-1)]
      .map((sample) => fixed(sample?.[name] ?? Number.NaN, digits))
      .join(' → ');
  const slope = (name: keyof PageMemory, unit: number, digits: number) => {
    const trend = trendOf(leastOf(later, name).map(({ x, y }) => ({ x, y: y * unit })));
    return slopeText(trend, digits);
  };
  const kibPerMib = BYTES_PER_MIB / BYTES_PER_KIB;
  const half = 'a minute over the last half';
  return [
    {
      figure: `Heap over ${minutes} min: first, half, end`,
      measured: `${levels('heapMib', 2)} MiB`,
      wanted,
    },
    { figure: `Heap, KiB ${half}`, measured: slope('heapMib', kibPerMib, 2), wanted },
    { figure: 'Browser objects', measured: `${levels('embedderMib', 2)} MiB`, wanted },
    {
      figure: `Browser objects, KiB ${half}`,
      measured: slope('embedderMib', kibPerMib, 2),
      wanted,
    },
    { figure: 'Nodes', measured: levels('nodes', 0), wanted },
    { figure: `Nodes ${half}`, measured: slope('nodes', 1, 1), wanted },
    { figure: 'Listeners', measured: levels('listeners', 0), wanted },
  ];
}

/** The least sample of each few minutes: reads in flight are memory that does not stay. */
function leastOf(samples: readonly PageMemory[], name: keyof PageMemory) {
  const least = new Map<number, { readonly x: number; readonly y: number }>();
  for (const sample of samples) {
    const span = Math.floor(sample.minute / LEAST_MINUTES);
    const before = least.get(span);
    if (before === undefined || sample[name] < before.y) {
      least.set(span, { x: sample.minute, y: sample[name] });
    }
  }
  return [...least.values()];
}

function slopeText({ slope, standardError }: Trend, digits: number): string {
  if (Number.isNaN(slope)) return 'too short to say';
  return `${fixed(slope, digits)} ± ${fixed(standardError, digits)}`;
}
