import {
  type CalibrationPoint,
  calibrate,
  parseCalibration,
} from '../../src/fraud/scoring/calibration.ts';
import { FRAUD_TYPES } from '../../src/model/fraud.ts';
import { fitCalibration, type JudgedScore } from './fit-calibration.ts';
import { calibrationError } from './fraud-quality.ts';
import { FOUND_MIN } from './fraud-run.ts';

/** Number of runs that a worked example counts for, at least and at most. */
const EXAMPLE_RUNS = { least: 3, most: 12 } as const;

export interface ChosenMap {
  readonly points: readonly CalibrationPoint[];
  /** Whether it was fitted; else it is the current one. */
  readonly isNew: boolean;
  /** Calibration error over the scores. */
  readonly error: number;
}

/**
 * The map of a type: that of the fit in which examples weigh least while no innocent score becomes a
 * finding, or no example where an innocent run scores as high as true ones. The current map is kept
 * when the error of that fit is not smaller. Throws RangeError when an example becomes a finding
 * whatever it weighs.
 */
export function chooseMap(
  scores: readonly JudgedScore[],
  examples: readonly number[],
  current: readonly CalibrationPoint[],
): ChosenMap {
  const innocent = scores.flatMap(({ rawScore, isTrue }) => (isTrue ? [] : [rawScore]));
  const highest = Math.max(...examples);
  const fits = weights().map((weight) =>
    fitCalibration([
      ...scores,
      ...examples.map((rawScore) => ({ rawScore, isTrue: false, weight })),
    ]),
  );
  const staysBelow = (points: readonly CalibrationPoint[], score: number) =>
    confidenceOf(points, score) < FOUND_MIN;
  const fitted =
    fits.find((points) => staysBelow(points, Math.max(highest, ...innocent))) ??
    fits.find((points) => staysBelow(points, highest));
  if (fitted === undefined) throw new RangeError('an innocent example becomes a finding');
  const [error, currentError] = [errorOf(fitted, scores), errorOf(current, scores)];
  const isNew = error < currentError || !staysBelow(current, highest);
  return isNew ? { points: fitted, isNew, error } : { points: current, isNew, error: currentError };
}

function weights(): number[] {
  const { least, most } = EXAMPLE_RUNS;
  return Array.from({ length: most - least + 1 }, (_, step) => least + step);
}

function errorOf(points: readonly CalibrationPoint[], scores: readonly JudgedScore[]): number {
  const judged = scores.map(({ rawScore, isTrue }) => ({
    confidence: confidenceOf(points, rawScore),
    isTrue,
  }));
  return calibrationError(judged) ?? 0;
}

/** The confidence of a raw score by these points. */
function confidenceOf(points: readonly CalibrationPoint[], rawScore: number): number {
  const maps = Object.fromEntries(FRAUD_TYPES.map((type) => [type, points]));
  return calibrate('fake_dump', rawScore, parseCalibration({ version: 1, maps }));
}
