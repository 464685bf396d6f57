import type { FraudType, ScoredFeature } from '../../model/fraud.ts';
import { calibrate } from './calibration.ts';

/** One line of a detector's scoring table (METHODS §7.3–§7.8). */
export interface FeatureRule {
  /** Positive for a feature that speaks for the pattern, negative for one against it. */
  readonly weight: number;
  /** Start and end of the ramp; null for a measure that is between 0 and 1 already. */
  readonly ramp: readonly [from: number, to: number] | null;
  /** The reason for the measure, its ramp and its weight, in one sentence. */
  readonly reason: string;
}

/** A line of a table; `ramp` is null for a measure that is between 0 and 1 already. */
export function rule(weight: number, ramp: FeatureRule['ramp'], reason: string): FeatureRule {
  return { weight, ramp, reason };
}

export type FeatureRules<Name extends string> = Readonly<Record<Name, FeatureRule>>;

/** The measured value for each line of the table; null if it could not be measured. */
export type Measures<Name extends string> = Readonly<Record<Name, number | null>>;

export interface ScoringTable<Name extends string> {
  readonly fraudType: FraudType;
  /** Logit of the score when all features are 0. */
  readonly bias: number;
  readonly rules: FeatureRules<Name>;
}

export interface Score {
  readonly fraudType: FraudType;
  readonly bias: number;
  /** In the order of the table. */
  readonly features: readonly ScoredFeature[];
  /** σ(bias + Σ weight · value). */
  readonly rawScore: number;
  /** After calibration and cap, 4 decimals. */
  readonly confidence: number;
  readonly isFundingKnown: boolean;
}

/** Maximum confidence when payments are unknown (METHODS §9). */
export const UNKNOWN_FUNDING_CONFIDENCE_MAX = 0.85;

/** Evidence weights are multiples of 1 / WEIGHT_PARTS. */
const WEIGHT_PARTS = 10_000;
const CONFIDENCE_PARTS = 10_000;

/**
 * 0 up to `from`, 1 from `to` on, linear between; descending if `from` is greater than `to`. Equal
 * ends give a step that is 1 at its position.
 */
export function ramp(value: number, from: number, to: number): number {
  if (from === to) return value >= from ? 1 : 0;
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}

/** Scores the measures of a case. A missing measure counts as 0, neither for nor against. */
export function scoreCase<Name extends string>(
  table: ScoringTable<Name>,
  measures: Measures<Name>,
  isFundingKnown: boolean,
): Score {
  const names = Object.keys(table.rules) as Name[];
  const features = names.map((name) => toFeature(name, table.rules[name], measures[name]));
  return scoreFeatures(table, features, isFundingKnown);
}

/** Scores features with given values. */
export function scoreFeatures(
  { fraudType, bias }: Pick<ScoringTable<string>, 'fraudType' | 'bias'>,
  features: readonly ScoredFeature[],
  isFundingKnown: boolean,
): Score {
  const logit = features.reduce((sum, { weight, value }) => sum + weight * value, bias);
  const rawScore = 1 / (1 + Math.exp(-logit));
  const calibrated = calibrate(fraudType, rawScore);
  const capped = isFundingKnown ? calibrated : Math.min(calibrated, UNKNOWN_FUNDING_CONFIDENCE_MAX);
  const confidence = Math.round(capped * CONFIDENCE_PARTS) / CONFIDENCE_PARTS;
  return { fraudType, bias, features, rawScore, confidence, isFundingKnown };
}

/**
 * The part of each positive feature in the total that speaks for the pattern, by name: 4 decimals
 * that sum to exactly 1, with the rounding rest assigned to the largest remainders.
 */
export function evidenceWeights(features: readonly ScoredFeature[]): ReadonlyMap<string, number> {
  const speaking = features.filter(({ weight, value }) => weight > 0 && value > 0);
  const total = speaking.reduce((sum, { weight, value }) => sum + weight * value, 0);
  const shares = speaking.map(({ name, weight, value }) => {
    const exact = ((weight * value) / total) * WEIGHT_PARTS;
    return { name, parts: Math.floor(exact), remainder: exact - Math.floor(exact) };
  });
  const missing = WEIGHT_PARTS - shares.reduce((sum, { parts }) => sum + parts, 0);
  const raised = new Set(
    [...shares]
      .sort((one, other) => other.remainder - one.remainder)
      .slice(0, missing)
      .map(({ name }) => name),
  );
  return new Map(
    shares.map(({ name, parts }) => [name, (parts + (raised.has(name) ? 1 : 0)) / WEIGHT_PARTS]),
  );
}

function toFeature(name: string, rule: FeatureRule, measured: number | null): ScoredFeature {
  const [from, to] = rule.ramp ?? [0, 1];
  const value = measured === null ? 0 : ramp(measured, from, to);
  return { name, measured, ramp: rule.ramp, value, weight: rule.weight };
}
