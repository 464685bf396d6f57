import type { CalibrationPoint } from '../../src/fraud/scoring/calibration.ts';

/** A raw score, and whether its finding was true. */
export interface JudgedScore {
  readonly rawScore: number;
  readonly isTrue: boolean;
  /** Weight: how many times it counts. */
  readonly weight: number;
}

/** Raw scores at which a map has points; between them it is linear. */
const SCORES = [0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95];
/** The ends of the scale are represented by scores this close to them. */
const NEAR_END = 0.01;
const PARTS = 1_000;
const STEPS_MAX = 200;
const STEP_MIN = 1e-10;

/** The logit of a confidence as a straight line over the logit of a raw score. */
interface Line {
  readonly slope: number;
  readonly offset: number;
}

/**
 * Platt's map (METHODS §7.10): σ(slope · logit(raw) + offset), fitted by maximum likelihood to
 * targets that never reach certainty, (n₊ + 1) / (n₊ + 2) for true findings and 1 / (n₋ + 2) for
 * false ones (Platt 1999). Returned as points from 0 to 1. RangeError when scores of one kind are
 * missing or higher scores are less often true.
 */
export function fitCalibration(scores: readonly JudgedScore[]): readonly CalibrationPoint[] {
  const line = fitLine(scores);
  if (!(line.slope > 0)) throw new RangeError('higher scores are not truer');
  const at = (score: number) => Math.round(sigmoid(valueAt(line, score)) * PARTS) / PARTS;
  const inner = SCORES.map((score): CalibrationPoint => [score, at(score)]);
  return [[0, 0], ...inner, [1, at(1 - NEAR_END)]];
}

/** Newton's method on both parameters. */
function fitLine(scores: readonly JudgedScore[]): Line {
  const count = (isTrue: boolean) =>
    scores.reduce((sum, score) => sum + (score.isTrue === isTrue ? score.weight : 0), 0);
  const [hits, misses] = [count(true), count(false)];
  if (hits === 0 || misses === 0) throw new RangeError('there are scores of one kind only');
  const targets = { true: (hits + 1) / (hits + 2), false: 1 / (misses + 2) };
  let line: Line = { slope: 1, offset: 0 };
  for (let step = 0; step < STEPS_MAX; step++) {
    let [bySlope, byOffset, slopes, mixed, offsets] = [0, 0, 1e-9, 0, 1e-9];
    for (const { rawScore, isTrue, weight } of scores) {
      const x = logit(rawScore);
      const said = sigmoid(valueAt(line, rawScore));
      const miss = weight * (said - targets[`${isTrue}`]);
      const doubt = weight * said * (1 - said);
      bySlope += miss * x;
      byOffset += miss;
      slopes += doubt * x * x;
      mixed += doubt * x;
      offsets += doubt;
    }
    const determinant = slopes * offsets - mixed * mixed;
    const down = (offsets * bySlope - mixed * byOffset) / determinant;
    const right = (slopes * byOffset - mixed * bySlope) / determinant;
    // Far from the end a full step may overshoot.
    const part = Math.min(1, 1 / Math.max(Math.abs(down), Math.abs(right)));
    line = { slope: line.slope - part * down, offset: line.offset - part * right };
    if (Math.max(Math.abs(down), Math.abs(right)) < STEP_MIN) break;
  }
  return line;
}

function valueAt({ slope, offset }: Line, rawScore: number): number {
  return slope * logit(rawScore) + offset;
}

function logit(score: number): number {
  const inside = Math.min(1 - NEAR_END, Math.max(NEAR_END, score));
  return Math.log(inside / (1 - inside));
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
