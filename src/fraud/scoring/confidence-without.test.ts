import { describe, expect, it } from 'vitest';
import { buildClassification } from '../../../tests/support/build-classification.ts';
import { CALIBRATION, calibrate } from './calibration.ts';
import { confidencesWithout } from './confidence-without.ts';

/** σ of a logit as the map of launch bundles reads it, to four decimals. */
const rounded = (logit: number) =>
  Math.round(1e4 * calibrate('traditional_bundle', 1 / (1 + Math.exp(-logit)))) / 1e4;

const calibrationVersion = CALIBRATION.version;

describe('the confidence without a feature', () => {
  it('is that of the other features', () => {
    // −1 + 0.6, −1 + 2.2, and the whole sum if the feature is 0.
    expect(confidencesWithout(buildClassification({ calibrationVersion }))).toEqual([
      rounded(-0.4),
      rounded(1.2),
      rounded(1.8),
    ]);
  });

  it('is at most 0.85 if the finding was capped', () => {
    const features = [
      { name: 'share', measured: 1, ramp: null, value: 1, weight: 4 },
      { name: 'fresh', measured: 1, ramp: null, value: 1, weight: 3 },
    ];
    const capped = buildClassification({
      calibrationVersion,
      finding: { bias: -1, features, confidence: 0.85 },
    });
    // σ(6) exceeds it, so payments were unknown; σ(2) = 0.88 and σ(3) = 0.95 are capped too.
    expect(confidencesWithout(capped)).toEqual([0.85, 0.85]);
    const free = buildClassification({
      calibrationVersion,
      finding: { bias: -1, features, confidence: rounded(6) },
    });
    expect(confidencesWithout(free)).toEqual([rounded(2), rounded(3)]);
  });

  it('is null if it depends on whether payments were known', () => {
    const features = [
      { name: 'share', measured: 1, ramp: null, value: 1, weight: 4 },
      { name: 'disclosed', measured: 1, ramp: null, value: 1, weight: -3 },
    ];
    const finding = { bias: -1, features, confidence: rounded(0) };
    // Without what speaks against it σ(3) = 0.95, or 0.85 at most.
    expect(confidencesWithout(buildClassification({ calibrationVersion, finding }))).toEqual([
      rounded(-4),
      null,
    ]);
  });

  it('is null for another calibration version', () => {
    expect(confidencesWithout(buildClassification({ calibrationVersion: 0 }))).toEqual([
      null,
      null,
      null,
    ]);
  });
});
