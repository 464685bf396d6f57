import type { MarketOptions } from './market-options.ts';
import type { RunSample } from './measured-run.ts';

/** Figures of the part of a run that counts. */
export interface MeasuredPart {
  readonly swaps: number;
  /** Swaps applied per second, by the clock and of processor time. */
  readonly swapsPerSecond: number;
  readonly swapsPerProcessorSecond: number;
  /** Share of the swaps on mints that were not traded for an hour. */
  readonly coldShare: number;
  /** Pages and objects brought back from files. Null where that is not known. */
  readonly loadedPagesPerSwap: number | null;
}

/**
 * The last sample, since the speed falls with the history; of a market that first has to age the last
 * half. Null without a sample.
 */
export function measuredPartOf(
  samples: readonly RunSample[],
  { coldMintShare }: Pick<MarketOptions, 'coldMintShare'>,
): MeasuredPart | null {
  const count = coldMintShare > 0 ? Math.ceil(samples.length / 2) : 1;
  const measured = samples.slice(-count);
  if (measured.length === 0) return null;
  const sum = (of: (sample: RunSample) => number) =>
    measured.reduce((total, sample) => total + of(sample), 0);
  const swaps = sum((sample) => sample.appliedSwaps);
  const isKnown = measured.every(({ loadedPages }) => loadedPages !== null);
  return {
    swaps,
    swapsPerSecond: swaps / sum((sample) => sample.appliedSwaps / sample.swapsPerSecond),
    swapsPerProcessorSecond:
      swaps / sum((sample) => sample.appliedSwaps / sample.swapsPerProcessorSecond),
    coldShare: sum((sample) => sample.coldSwaps) / swaps,
    loadedPagesPerSwap: isKnown ? sum((sample) => sample.loadedPages ?? 0) / swaps : null,
  };
}
