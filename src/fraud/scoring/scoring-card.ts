import type { FraudType } from '../../model/fraud.ts';
import {
  type CardEntry,
  CONTRACT_VERSION,
  type Detector,
  type DetectorCard,
} from '../contract/detector.ts';
import type { ScoringTable } from './score.ts';

/** Conditions that must all hold, by name. */
export type Gates = Readonly<Record<string, CardEntry>>;

/** Raised by the versions of a fold and of the calibration, not here. */
const BUILT_IN_VERSION = 1;

/** A detector without what its table says. */
export interface DetectorDraft
  extends Pick<Detector, 'severity' | 'inspect'>,
    Omit<DetectorCard, 'thresholds'> {
  readonly gates: Gates;
}

/** The detector of a table; its card lists the gates, ramps and weights. */
export function detectorOf(
  table: ScoringTable<string>,
  { severity, pattern, lookAlikes, gates, inspect }: DetectorDraft,
): Detector<FraudType> {
  const card = { pattern, lookAlikes, thresholds: cardThresholds(gates, table) };
  return {
    ...{ contractVersion: CONTRACT_VERSION, version: BUILT_IN_VERSION },
    name: table.fraudType,
    ...{ severity, card, inspect },
  };
}

/** The thresholds of a detector for its card: gates, ramps and weights by name. */
function cardThresholds(
  gates: Gates,
  { bias, rules }: ScoringTable<string>,
): Readonly<Record<string, CardEntry>> {
  const thresholds: Record<string, CardEntry> = { ...gates };
  for (const [name, { weight, ramp, reason }] of Object.entries(rules)) {
    thresholds[name] = { value: ramp ?? [0, 1], reason };
    thresholds[`${name}Weight`] = { value: weight, reason };
  }
  const reason = 'The logit of the base rate: without evidence the pattern is improbable.';
  return { ...thresholds, bias: { value: bias, reason } };
}
