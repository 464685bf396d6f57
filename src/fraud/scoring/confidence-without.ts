import type { Classification, Finding, ScoredFeature } from '../../model/fraud.ts';
import { CALIBRATION } from './calibration.ts';
import { scoreFeatures, UNKNOWN_FUNDING_CONFIDENCE_MAX } from './score.ts';

/**
 * For each feature of a finding, in their order, the confidence if it had said nothing. Null where the
 * calibration was another than this version's, and where only knowing whether payments were known
 * would tell: a finding does not say that.
 */
export function confidencesWithout({
  finding,
  calibrationVersion,
}: Pick<Classification, 'finding' | 'calibrationVersion'>): readonly (number | null)[] {
  if (calibrationVersion !== CALIBRATION.version) return finding.features.map(() => null);
  return finding.features.map((left) =>
    confidenceOf(
      finding,
      finding.features.filter((feature) => feature !== left),
    ),
  );
}

function confidenceOf(finding: Finding, features: readonly ScoredFeature[]): number | null {
  const { confidence } = scoreFeatures(finding, features, true);
  if (confidence <= UNKNOWN_FUNDING_CONFIDENCE_MAX) return confidence;
  if (finding.confidence > UNKNOWN_FUNDING_CONFIDENCE_MAX) return confidence;
  const uncapped = scoreFeatures(finding, finding.features, true).confidence;
  return uncapped > finding.confidence ? UNKNOWN_FUNDING_CONFIDENCE_MAX : null;
}
