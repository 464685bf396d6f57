import { integer } from '../table.ts';
import { type MarketOptions, SLOT_MS, SLOTS_PER_HOUR } from './market-options.ts';
import type { MeasuredPart } from './measured-part.ts';
import { UsageError } from './usage-error.ts';

/** Mints of which about half are cold when one is drawn: a few draws then nearly always find one. */
const MINTS_PER_COLD_SWAP = 2;

/** How many swaps a market of cold mints needs. */
export interface SwapsToAge {
  /** There is no cold swap before. */
  readonly firstCold: number;
  /** The wanted share of the swaps is cold from about here on. Infinity: never. */
  readonly aged: number;
}

/** Each mint is cold for one swap an hour at most, so an hour's cold swaps take as many old mints. */
export function swapsToAge({
  swapsPerSlot,
  launchShare,
  coldMintShare,
}: MarketOptions): SwapsToAge {
  const perHour = swapsPerSlot * SLOTS_PER_HOUR;
  const coldShare = coldMintShare * (1 - launchShare);
  const hours = 1 + (MINTS_PER_COLD_SWAP * coldShare) / launchShare;
  return { firstCold: perHour, aged: perHour * hours };
}

/** Throws UsageError if a run of a load with cold mints ends before any mint is cold. */
export function assertManyEnough(options: MarketOptions, swaps: number): void {
  if (options.coldMintShare === 0) return;
  if (swaps <= swapsToAge(options).firstCold) throw new UsageError(neededSentence(options));
}

/** Throws UsageError if the measured part of such a load has no swap on a cold mint. */
export function assertCold(options: MarketOptions, part: MeasuredPart | null): void {
  if (options.coldMintShare === 0 || part === null || part.coldShare > 0) return;
  throw new UsageError(neededSentence(options));
}

function neededSentence(options: MarketOptions): string {
  const { firstCold, aged } = swapsToAge(options);
  const perSecond = (options.swapsPerSlot * 1_000) / SLOT_MS;
  return (
    `no swap that is measured is on a mint that was not traded for an hour: at ${perSecond} swaps a ` +
    `second there is none in the first ${integer(firstCold)}, and the last half of a run is cold as ` +
    `it should be with --swaps ${Math.ceil(2 * aged)}`
  );
}
