import type { FraudType, ScoredFeature } from '../../model/fraud.ts';
import { calibrate } from './calibration.ts';

/** One line of a detector's scoring table (METHODS §7.3–§7.8). */
export interface FeatureRule {
  /** Above zero for what speaks for the pattern, below for what speaks against it. */
  readonly weight: number;
  /** Where the ramp begins and ends; null for a measure that is between 0 and 1 by itself. */
  readonly ramp: readonly [from: number, to: number] | null;
  /** Why this measure, from where to where, with this weight: a sentence. */
  readonly reason: string;
}

export type FeatureRules<Name extends string> = Readonly<Record<Name, FeatureRule>>;

/** What was measured for each line of the table; null where it could not be. */
export type Measures<Name extends string> = Readonly<Record<Name, number | null>>;

export interface ScoringTable<Name extends string> {
  readonly fraudType: FraudType;
  /** Logit of the score where nothing speaks for or against. */
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

/** Confidence without knowledge of payments is at most this (METHODS §9). */
export const UNKNOWN_FUNDING_CONFIDENCE_MAX = 0.85;

/** Evidence weights are told in parts of this. */
const WEIGHT_PARTS = 10_000;
const CONFIDENCE_PARTS = 10_000;

/**
 * 0 up to `from`, 1 beginning with `to`, straight between; falling where `from` is the greater. Equal
 * ends make a step, which is 1 on it.
 */
export function ramp(value: number, from: number, to: number): number {
  if (from === to) return value >= from ? 1 : 0;
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}

/** A measure that is missing counts as 0: it speaks neither for nor against. */
export function scoreCase<Name extends string>(
  table: ScoringTable<Name>,
  measures: Measures<Name>,
  isFundingKnown: boolean,
): Score {
  const names = Object.keys(table.rules) as Name[];
  const features = names.map((name) => toFeature(name, table.rules[name], measures[name]));
  return scoreFeatures(table, features, isFundingKnown);
}

/** Score of features whose values are given. */
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
 * The part that each feature has in what speaks for the pattern, by name, for every feature above 0:
 * 4 decimals that add up to 1 exactly, what rounding leaves over going to the largest remainders.
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
