import type { IndicatorRecord } from '../../model/indicators.ts';
import type { PoolRecord } from '../../model/pool-record.ts';
import type { PassedCondition, SignalOrigin } from '../../model/signal.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import type { Address, Slot } from '../../model/units.ts';
import type { ModelParameters } from './model-parameters.ts';
import type { EntityOf, WindowReading } from './window-reading.ts';

/** The facts about a pool at the end of a minute, all of them as of the minute's last slot. */
export interface MinuteFacts {
  readonly indicators: IndicatorRecord;
  readonly pool: PoolRecord;
  readonly token: TokenRecord;
  /** A bonding curve holds its liquidity itself until it completes. */
  readonly isCurve: boolean;
  /** The launchpad locked the liquidity at migration, regardless of LP tokens. */
  readonly isLaunchpadLocked: boolean;
  /** Whether the mint has a freeze authority; null if unknown. */
  readonly isFreezable: boolean | null;
  /** Confidence of the mint's strongest classification, 0 to 1; 0 if there is none. */
  readonly fraudConfidence: number;
  /** Of the mint; null while its extensions are unknown. */
  readonly transferFeeBps: number | null;
  /** False while a jump of the price awaits confirmation (METHODS §5.3). */
  readonly isPriceFinal: boolean;
  readonly entityOf: EntityOf;
  /** Balance of a wallet in the mint, in its smallest unit. */
  readonly heldRawOf: (wallet: Address) => number;
  /**
   * Share of the supply held by the largest group of connected wallets; null if unknown. Only
   * evaluated for pools that pass all other checks.
   */
  readonly topClusterShare: () => number | null;
}

/** The first slot after a minute, and its time. */
export interface MinuteEnd {
  readonly slot: Slot;
  readonly timeMs: number;
}

export interface ModelReading {
  readonly window: WindowReading;
  readonly facts: MinuteFacts;
}

/** Feature values by name; null means unknown and fails every condition. */
export type Features = Readonly<Record<string, number | null>>;

/** The description of a model. The registry's test rejects a card with an empty text. */
export interface ModelCard {
  /** The pattern the model detects, in a sentence or two. */
  readonly pattern: string;
  /** Why the pattern should predict anything. */
  readonly rationale: string;
  /** Situations in which the model is wrong. */
  readonly lookAlikes: readonly string[];
}

/** Detects one pattern at the end of each minute. Pure. */
export interface SignalModel {
  readonly name: SignalOrigin;
  readonly card: ModelCard;
  /** Conditions by feature, each with its reason; loaded from a separate file. */
  readonly parameters: ModelParameters;
  /** Measures exactly the features that have a condition. */
  readonly measure: (reading: ModelReading) => Features;
}

/** Returns all conditions with the measured values, or null if one of them fails. */
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
