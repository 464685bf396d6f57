import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { GrowingMarket } from './growing-market.ts';
import { type ProcessMemory, readProcessMemory } from './process-memory.ts';
import type { StateSubject } from './state-subject.ts';
import type { StoredMarkets } from './stored-markets.ts';
import { readThreadTime, timeBetween } from './thread-time.ts';

/** Slots that are made before a timed piece, so that making them is not what is timed. */
const SLOTS_A_PIECE = 16;
const PROGRESS_EVERY_MS = 10_000;
export const SAMPLES = 20;

/** Figures at some point of a run. */
export interface RunSample extends ProcessMemory {
  readonly swaps: number;
  readonly launches: number;
  readonly wallets: number;
  /** Swaps applied per second since the sample before, without making them. */
  readonly swapsPerSecond: number;
  /** The same per second of this thread's processor time: nearly free of what else runs. */
  readonly swapsPerProcessorSecond: number;
  /** Since the sample before, as the next two: swaps, and those on mints not traded for an hour. */
  readonly appliedSwaps: number;
  readonly coldSwaps: number;
  /** Pages and objects brought back from files. Null where that is not known. */
  readonly loadedPages: number | null;
}

export interface RunPlan {
  readonly market: GrowingMarket;
  readonly subject: StateSubject;
  /** Where the market's states are stored. */
  readonly stored: Pick<StoredMarkets, 'store'>;
  /** Swaps of the market at the end, those before this run included. */
  readonly swaps: number;
  readonly onProgress: (sample: RunSample) => void;
  /** Called with each sample that is returned, by its number from 1; outside of measured time. */
  readonly onSample?: (number: number) => Promise<void>;
}

/** Applies the market's next slots until it has so many swaps. Returns a sample for each twentieth. */
export async function runMarket(plan: RunPlan): Promise<RunSample[]> {
  const { market, subject, stored, swaps, onProgress, onSample } = plan;
  const first = market.counters.swaps;
  const samples: RunSample[] = [];
  const sinceSample = new Stopwatch(market, subject);
  const sinceProgress = new Stopwatch(market, subject);
  while (market.counters.swaps < swaps) {
    const piece = makePiece(market, stored, swaps);
    sinceSample.start();
    sinceProgress.start();
    for (const facts of piece) await subject.apply(facts);
    sinceProgress.stop();
    sinceSample.stop();
    if (sinceProgress.ageMs >= PROGRESS_EVERY_MS) onProgress(sinceProgress.take());
    const due = first + ((swaps - first) * (samples.length + 1)) / SAMPLES;
    if (market.counters.swaps < due) continue;
    samples.push(sinceSample.take());
    await onSample?.(samples.length);
  }
  return samples;
}

function makePiece(
  market: GrowingMarket,
  stored: Pick<StoredMarkets, 'store'>,
  swaps: number,
): readonly SlotFacts[] {
  const piece: SlotFacts[] = [];
  while (piece.length < SLOTS_A_PIECE && market.counters.swaps < swaps) {
    piece.push(market.next());
    stored.store(market);
  }
  return piece;
}

/** Time of the pieces since the last sample, and the swaps in them. */
class Stopwatch {
  private readonly market: GrowingMarket;
  private readonly subject: StateSubject;
  private swaps: number;
  private coldSwaps: number;
  private loadedPages: number | null;
  private started = readThreadTime();
  private sampledMs = performance.now();
  private ms = 0;
  private processorMs = 0;

  constructor(market: GrowingMarket, subject: StateSubject) {
    this.market = market;
    this.subject = subject;
    this.swaps = market.counters.swaps;
    this.coldSwaps = market.counters.coldSwaps;
    this.loadedPages = subject.loadedPages;
  }

  start(): void {
    this.started = readThreadTime();
  }

  stop(): void {
    const { ms, processorMs } = timeBetween(this.started, readThreadTime());
    this.ms += ms;
    this.processorMs += processorMs;
  }

  /** Milliseconds since the last sample, making the slots included. */
  get ageMs(): number {
    return performance.now() - this.sampledMs;
  }

  take(): RunSample {
    const { swaps, launches, wallets, coldSwaps } = this.market.counters;
    const { loadedPages } = this.subject;
    const appliedSwaps = swaps - this.swaps;
    const sample = {
      swaps,
      launches,
      wallets,
      swapsPerSecond: (appliedSwaps * 1_000) / this.ms,
      swapsPerProcessorSecond: (appliedSwaps * 1_000) / this.processorMs,
      appliedSwaps,
      coldSwaps: coldSwaps - this.coldSwaps,
      loadedPages: loadedPages === null ? null : loadedPages - (this.loadedPages ?? 0),
      ...readProcessMemory(),
    };
    this.swaps = swaps;
    this.coldSwaps = coldSwaps;
    this.loadedPages = loadedPages;
    this.sampledMs = performance.now();
    this.ms = 0;
    this.processorMs = 0;
    return sample;
  }
}
