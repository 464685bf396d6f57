import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { GrowingMarket } from './growing-market.ts';
import { type ProcessMemory, readProcessMemory } from './process-memory.ts';
import type { StateSubject } from './state-subject.ts';
import type { StoredMarkets } from './stored-markets.ts';

/** Slots that are made before a timed piece, so that making them is not what is timed. */
const SLOTS_A_PIECE = 16;
const PROGRESS_EVERY_MS = 10_000;
const SAMPLES = 20;

/** Figures at some point of a run. */
export interface RunSample extends ProcessMemory {
  readonly swaps: number;
  readonly launches: number;
  readonly wallets: number;
  /** Swaps applied per second since the sample before, without making them. */
  readonly swapsPerSecond: number;
  /** The same per second of this thread's processor time: nearly free of what else runs. */
  readonly swapsPerProcessorSecond: number;
}

export interface RunPlan {
  readonly market: GrowingMarket;
  readonly subject: StateSubject;
  /** Where the market's states are stored. */
  readonly stored: Pick<StoredMarkets, 'store'>;
  /** Swaps of the market at the end, those before this run included. */
  readonly swaps: number;
  readonly onProgress: (sample: RunSample) => void;
}

/** Applies the market's next slots until it has so many swaps. Returns a sample for each twentieth. */
export async function runMarket(plan: RunPlan): Promise<RunSample[]> {
  const { market, subject, stored, swaps, onProgress } = plan;
  const first = market.counters.swaps;
  const samples: RunSample[] = [];
  const sinceSample = new Stopwatch(market);
  const sinceProgress = new Stopwatch(market);
  while (market.counters.swaps < swaps) {
    const piece = makePiece(market, stored, swaps);
    sinceSample.start();
    sinceProgress.start();
    for (const facts of piece) await subject.apply(facts);
    sinceProgress.stop();
    sinceSample.stop();
    if (sinceProgress.ageMs >= PROGRESS_EVERY_MS) onProgress(sinceProgress.take());
    // Files are synchronised and replaced meanwhile.
    await nextTurn();
    const due = first + ((swaps - first) * (samples.length + 1)) / SAMPLES;
    if (market.counters.swaps >= due) samples.push(sinceSample.take());
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
  private swaps: number;
  private startedMs = performance.now();
  private sampledMs = performance.now();
  private startedCpuUs = 0;
  private ms = 0;
  private cpuMs = 0;

  constructor(market: GrowingMarket) {
    this.market = market;
    this.swaps = market.counters.swaps;
  }

  start(): void {
    this.startedMs = performance.now();
    this.startedCpuUs = cpuUs();
  }

  stop(): void {
    this.ms += performance.now() - this.startedMs;
    this.cpuMs += (cpuUs() - this.startedCpuUs) / 1_000;
  }

  /** Milliseconds since the last sample, making the slots included. */
  get ageMs(): number {
    return performance.now() - this.sampledMs;
  }

  take(): RunSample {
    const { swaps, launches, wallets } = this.market.counters;
    const applied = (swaps - this.swaps) * 1_000;
    const sample = {
      swaps,
      launches,
      wallets,
      swapsPerSecond: applied / this.ms,
      swapsPerProcessorSecond: applied / this.cpuMs,
      ...readProcessMemory(),
    };
    this.swaps = swaps;
    this.sampledMs = performance.now();
    this.ms = 0;
    this.cpuMs = 0;
    return sample;
  }
}

function cpuUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
