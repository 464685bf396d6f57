import type { Classification, Finding, ScoredFeature } from '../../model/fraud.ts';
import { CALIBRATION } from './calibration.ts';
import { scoreFeatures, UNKNOWN_FUNDING_CONFIDENCE_MAX } from './score.ts';

/**
 * For each feature of a finding, in order, the confidence without that feature. Null if the finding
 * has a different calibration version, or if the result depends on whether payments were known,
 * which a finding does not record.
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
