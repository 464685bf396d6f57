import type { PoolRecord, TokenRecord } from '../../model/derived.ts';
import type { IndicatorRecord } from '../../model/indicators.ts';
import type { PassedCondition, SignalOrigin } from '../../model/signal.ts';
import type { Address, Slot } from '../../model/units.ts';
import type { ModelParameters } from './model-parameters.ts';
import type { EntityOf, WindowReading } from './window-reading.ts';

/** What is known of a pool at the end of a minute, all of it as of the minute's last slot. */
export interface MinuteFacts {
  readonly indicators: IndicatorRecord;
  readonly pool: PoolRecord;
  readonly token: TokenRecord;
  /** A curve keeps its liquidity itself until it completes. */
  readonly isCurve: boolean;
  /** The launchpad locked the liquidity as it moved it, whatever LP tokens say. */
  readonly isLaunchpadLocked: boolean;
  /** Somebody may freeze accounts of the mint; null where that is not known. */
  readonly isFreezable: boolean | null;
  /** Of the mint's strongest classification, 0 to 1; 0 where there is none. */
  readonly fraudConfidence: number;
  /** Of the mint; null while its extensions are unknown. */
  readonly transferFeeBps: number | null;
  /** False while a jump of the price waits to be confirmed (METHODS §5.3). */
  readonly isPriceFinal: boolean;
  readonly entityOf: EntityOf;
  /** What a wallet holds of the mint, in its smallest unit. */
  readonly heldRawOf: (wallet: Address) => number;
  /**
   * Share of the supply that the largest group of connected wallets holds; null where that is not
   * known. Asked only of pools that pass everything else.
   */
  readonly topClusterShare: () => number | null;
}

/** When a minute ended: the first slot after it. */
export interface MinuteEnd {
  readonly slot: Slot;
  readonly timeMs: number;
}

export interface ModelReading {
  readonly window: WindowReading;
  readonly facts: MinuteFacts;
}

/** Figures by name; null is unknown, and passes nothing. */
export type Features = Readonly<Record<string, number | null>>;

/** What a model says of itself. The registry's test refuses a card with anything empty. */
export interface ModelCard {
  /** What is looked for, in a sentence or two. */
  readonly pattern: string;
  /** Why it should say anything about the time after it. */
  readonly rationale: string;
  /** When it is wrong. */
  readonly lookAlikes: readonly string[];
}

/** Looks for one pattern at the end of each minute. Pure. */
export interface SignalModel {
  readonly name: SignalOrigin;
  readonly card: ModelCard;
  /** Conditions by feature, each with its reason; from a file of its own. */
  readonly parameters: ModelParameters;
  /** Every feature that a condition is about, and no other. */
  readonly measure: (reading: ModelReading) => Features;
}

/** The conditions with what was measured, all of them, or null where one does not hold. */
export function passedConditions(
  features: Features,
  { conditions }: Pick<ModelParameters, 'conditions'>,
): readonly PassedCondition[] | null {
  const passed: PassedCondition[] = [];
  for (const [feature, { least, most }] of Object.entries(conditions)) {
    const value = features[feature] ?? null;
    if (value === null) return null;
    if ((least !== null && value < least) || (most !== null && value > most)) return null;
    passed.push({ feature, value, least, most });
  }
  return passed;
}
