import { nowMs } from './live-node.ts';
import type { PassedBlock } from './live-node-process.ts';
import type { Read } from './live-reads.ts';
import { type ServiceSample, toServiceSample } from './live-sample.ts';
import type { LiveStage } from './live-stage.ts';
import { percentile } from './live-statistics.ts';
import { TAPE_SLOT_MS } from './live-tape.ts';

/** Below this share of the requested pace, or with later blocks than this, the figures are void. */
const PACE_SHARE_MIN = 0.99;
const LATE_MS_MAX = TAPE_SLOT_MS / 4;
/** In processors: when the host gives more than this to other guests, the figures are void. */
const STOLEN_CORES_MAX = 0.1;
/** A slot that is not visible after this time counts as unseen. */
const SHOW_MS = TAPE_SLOT_MS * 10;

export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly count: number;
}

/** Figures of a period of following the chain's head. Delays are in milliseconds. */
export interface LiveFigures {
  readonly seconds: number;
  readonly blocksPerSecond: number;
  /** Without votes. */
  readonly transactionsPerSecond: number;
  readonly nodeLateMs: Quantiles;
  readonly lagSlots: Quantiles;
  /** Share of moments at which the service was at most one slot behind. */
  readonly lagWithinOne: number;
  /** The same for two slots. */
  readonly lagWithinTwo: number;
  readonly producedToVisibleMs: Quantiles;
  readonly receivedToVisibleMs: Quantiles;
  readonly unseenSlots: number;
  readonly readMs: Quantiles;
  /** Reads of /livez, without any data: the base time of an answer on this machine at this load. */
  readonly bareReadMs: Quantiles;
  /** How late this process sent its reads. */
  readonly readerLateMs: Quantiles;
  readonly readsPerSecond: number;
  /** Reads with a status other than 200, or without an answer. */
  readonly failedReads: number;
  /** Average number of processors used. */
  readonly serviceCores: number;
  readonly nodeCores: number;
  /** Processors that the host gave to other guests while they were needed here. */
  readonly stolenCores: number;
  /** Processor time of the service per transaction it counted, including reads. */
  readonly serviceMicrosPerTransaction: number;
  /**
   * Transactions that the service counted, as a share of those the node delivered; 1 without
   * losses.
   */
  readonly countedShare: number;
  readonly last: ServiceSample;
  /** Why the figures are void, null when they are valid. */
  readonly void: string | null;
}

/** The begin of a period. */
export interface Beginning {
  readonly atMs: number;
  readonly sample: ServiceSample;
}

/** Begins a period: earlier measurements are dropped. */
export async function beginStretch(stage: LiveStage): Promise<Beginning> {
  const sample = await sampleOf(stage);
  stage.watch.takeReads();
  stage.watch.takeLags();
  stage.reads?.lateMs.splice(0);
  return { atMs: nowMs(), sample };
}

/** Ends the period. Call again with the new begin for the next one. */
export async function endStretch(
  stage: LiveStage,
  { atMs, sample }: Beginning,
): Promise<LiveFigures> {
  const toMs = nowMs();
  const all = stage.watch.takeReads();
  const reads = all.filter(({ route }) => route !== 'bare');
  const lags = stage.watch.takeLags();
  const readerLateMs = stage.reads?.lateMs.splice(0) ?? [];
  const last = await sampleOf(stage);
  // The newest slots had no time to become visible: they belong to the next period.
  const delays = stage.watch.delays(atMs - SHOW_MS, toMs - SHOW_MS);
  const passed = stage.node.passed.filter((block) => block.atMs >= atMs && block.atMs < toMs);
  const seconds = (toMs - atMs) / 1_000;
  const cpuSeconds = last.cpuSeconds - sample.cpuSeconds;
  const counted = last.transactions - sample.transactions;
  const figures = {
    seconds,
    blocksPerSecond: passed.length / seconds,
    transactionsPerSecond: transactionsOf(passed) / seconds,
    nodeLateMs: quantilesOf(passed.map(({ lateMs }) => lateMs)),
    lagSlots: quantilesOf(lags),
    lagWithinOne: lags.filter((lag) => lag <= 1).length / lags.length,
    lagWithinTwo: lags.filter((lag) => lag <= 2).length / lags.length,
    producedToVisibleMs: quantilesOf(delays.producedToVisible),
    receivedToVisibleMs: quantilesOf(delays.receivedToVisible),
    unseenSlots: delays.unseen,
    readMs: quantilesOf(reads.map(tookMs)),
    bareReadMs: quantilesOf(all.filter(({ route }) => route === 'bare').map(tookMs)),
    readerLateMs: quantilesOf(readerLateMs),
    readsPerSecond: all.length / seconds,
    failedReads: all.filter(isFailed).length,
    serviceCores: cpuSeconds / ((last.atMs - sample.atMs) / 1_000),
    serviceMicrosPerTransaction: (cpuSeconds / counted) * 1e6,
    nodeCores: nodeCoresOf(passed),
    stolenCores: (last.stolenSeconds - sample.stolenSeconds) / ((last.atMs - sample.atMs) / 1_000),
    countedShare: counted / (transactionsOf(passed) * ((last.atMs - sample.atMs) / (toMs - atMs))),
    last,
  };
  return { ...figures, void: voidReason(stage, figures) };
}

async function sampleOf(stage: LiveStage): Promise<ServiceSample> {
  const { service } = stage;
  return toServiceSample(await service.metrics(), service.family(), nowMs());
}

export function quantilesOf(values: readonly number[]): Quantiles {
  return {
    p50: percentile(values, 0.5),
    p99: percentile(values, 0.99),
    max: percentile(values, 1),
    count: values.length,
  };
}

function transactionsOf(passed: readonly PassedBlock[]): number {
  return passed.reduce((sum, { transactions }) => sum + transactions, 0);
}

function tookMs({ sentAtMs, answeredAtMs }: Read): number {
  return answeredAtMs - sentAtMs;
}

function isFailed({ status }: Read): boolean {
  return status !== 200;
}

function nodeCoresOf(passed: readonly PassedBlock[]): number {
  const [first, last] = [passed[0], passed.at(-1)];
  if (first === undefined || last === undefined) return Number.NaN;
  return (last.cpuMs - first.cpuMs) / (last.atMs - first.atMs);
}

function voidReason(
  { node }: LiveStage,
  figures: Pick<LiveFigures, 'blocksPerSecond' | 'nodeLateMs' | 'stolenCores'>,
): string | null {
  const wanted = 1_000 / TAPE_SLOT_MS;
  if (node.hasEnded) return 'the node reached the end of its blocks';
  if (figures.blocksPerSecond < wanted * PACE_SHARE_MIN) {
    return `the node gave ${figures.blocksPerSecond.toFixed(2)} blocks/s of ${wanted}`;
  }
  if (figures.nodeLateMs.p99 > LATE_MS_MAX) {
    return `the node was up to ${figures.nodeLateMs.p99.toFixed(0)} ms late (p99)`;
  }
  if (figures.stolenCores > STOLEN_CORES_MAX) {
    return `the host gave ${figures.stolenCores.toFixed(2)} processors to others`;
  }
  return null;
}
