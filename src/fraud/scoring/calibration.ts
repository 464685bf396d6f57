import { FRAUD_TYPES, type FraudType } from '../../model/fraud.ts';
import table from './calibration.json' with { type: 'json' };

/** A point of a map from raw score to confidence. */
export type CalibrationPoint = readonly [rawScore: number, confidence: number];

export interface Calibration {
  /** Stored with every classification. Any change of a map needs a new version. */
  readonly version: number;
  /** Points in ascending order of raw score, from 0 to 1; interpolated linearly. */
  readonly maps: Readonly<Record<FraudType, readonly CalibrationPoint[]>>;
}

/**
 * Reads `{version, maps: {<fraud type>: [[raw score, confidence], …]}}`. Throws TypeError for any
 * other structure, and RangeError for a map that is not a non-decreasing map from 0..1 into 0..1: a
 * higher score must never give a lower confidence.
 */
export function parseCalibration(json: unknown): Calibration {
  const { version, maps } = asRecord(json);
  if (!Number.isSafeInteger(version)) throw new TypeError('a calibration needs an integer version');
  const byType = asRecord(maps);
  const entries = FRAUD_TYPES.map((type) => [type, parseMap(type, byType[type])] as const);
  return {
    version: version as number,
    maps: Object.fromEntries(entries) as Calibration['maps'],
  };
}

/** The confidence for a raw score of this type, 0 to 1. */
export function calibrate(
  fraudType: FraudType,
  rawScore: number,
  calibration: Calibration = CALIBRATION,
): number {
  const points = calibration.maps[fraudType];
  const upper = points.findIndex(([score]) => score >= rawScore);
  const above = points[upper];
  const below = points[upper - 1];
  if (above === undefined) throw new RangeError(`not a raw score: ${rawScore}`);
  if (below === undefined) return above[1];
  const [fromScore, fromConfidence] = below;
  const [toScore, toConfidence] = above;
  const part = (rawScore - fromScore) / (toScore - fromScore);
  return fromConfidence + part * (toConfidence - fromConfidence);
}

function parseMap(type: FraudType, value: unknown): readonly CalibrationPoint[] {
  if (!Array.isArray(value) || !value.every(isPoint)) {
    throw new TypeError(`the calibration of ${type} must be a list of points`);
  }
  const points: readonly CalibrationPoint[] = value;
  if (points[0]?.[0] !== 0 || points.at(-1)?.[0] !== 1) {
    throw new RangeError(`the calibration of ${type} must begin at 0 and end at 1`);
  }
  for (const [index, [score, confidence]] of points.entries()) {
    const before = points[index - 1];
    if (confidence < 0 || confidence > 1) {
      throw new RangeError(`the calibration of ${type} is outside of 0..1`);
    }
    if (before !== undefined && (score <= before[0] || confidence < before[1])) {
      throw new RangeError(`the calibration of ${type} repeats a score or falls at ${score}`);
    }
  }
  return points;
}

function isPoint(value: unknown): value is CalibrationPoint {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError('a calibration must be an object with version and maps');
  }
  return value as Readonly<Record<string, unknown>>;
}

/** The calibration in use: the identity until it is fitted on reviewed or simulated cases. */
export const CALIBRATION: Calibration = parseCalibration(table);
