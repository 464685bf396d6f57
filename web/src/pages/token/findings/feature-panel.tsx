import { formatPercent } from '../../../format/numbers.ts';
import type { FindingDetail } from '../token-types.ts';
import { featureName, writeMeasure } from './feature-names.ts';

type Feature = FindingDetail['features'][number];

/** Every feature of the score as a bar, what it adds, and what the confidence were without it. */
export function FeaturePanel({ detail }: { readonly detail: FindingDetail }) {
  const { features, bias, raw_score, confidence_score } = detail;
  const sum = bias + features.reduce((total, { contribution }) => total + contribution, 0);
  const ordered = [...features].sort(
    (one, other) => Math.abs(other.contribution) - Math.abs(one.contribution),
  );
  return (
    <>
      <section class="feature-frame" tabIndex={0} aria-label="Features of the score">
        <table class="bars features">
          <caption class="visually-hidden">Features of the score, the largest part first</caption>
          <thead>
            <tr>
              <th scope="col">Feature</th>
              <th scope="col">Measured</th>
              <th scope="col" title="Where it begins to count, and where it counts fully">
                Threshold
              </th>
              <th scope="col" class="bar-column">
                Counts for
              </th>
              <th scope="col">Weight</th>
              <th scope="col" title="Weight times what it counts for">
                Contribution
              </th>
              <th scope="col" title="The confidence of this finding without the feature">
                Confidence without
              </th>
            </tr>
          </thead>
          <tbody>
            {ordered.map((feature) => (
              <FeatureRow key={feature.name} feature={feature} detail={detail} />
            ))}
          </tbody>
        </table>
      </section>
      <p class="token-note">
        The contributions and the base of {write(bias)} add up to {write(sum)}; as a score that is
        σ(
        {write(sum)}) = {write(raw_score)}, and calibrated on known cases a confidence of{' '}
        {formatPercent(String(confidence_score))}. Features with a negative weight are innocent
        explanations.
      </p>
    </>
  );
}

function FeatureRow({
  feature,
  detail,
}: {
  readonly feature: Feature;
  readonly detail: FindingDetail;
}) {
  const { name, measured, threshold, value, weight, contribution, confidence_without } = feature;
  const type = detail.fraud_type;
  const isInnocent = weight < 0;
  return (
    <tr class={value === 0 ? 'counts-nothing' : ''}>
      <th scope="row" title={`${name} in the answer of the API`}>
        {featureName(type, name)}
      </th>
      <td title={measured === null ? '' : String(measured)}>
        {writeMeasure(type, name, measured)}
      </td>
      <td>
        {threshold === null
          ? '0 to 1'
          : threshold.map((end: number) => writeMeasure(type, name, end)).join(' to ')}
      </td>
      <td class="bar-column">
        <span class="visually-hidden">{formatPercent(value.toFixed(4), { digits: 0 })}</span>
        <svg
          class={isInnocent ? 'bar innocent' : 'bar against'}
          viewBox="0 0 100 10"
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <rect class="bar-track" width="100" height="10" />
          <rect class="bar-value" width={100 * Math.min(1, Math.max(0, value))} height="10" />
        </svg>
      </td>
      <td title={String(weight)}>{write(weight)}</td>
      <td title={String(contribution)}>{write(contribution)}</td>
      <td>
        {confidence_without === null
          ? 'not known'
          : formatPercent(String(confidence_without), { digits: 1 })}
      </td>
    </tr>
  );
}

function write(value: number): string {
  return value.toFixed(2).replace('-', '−');
}
