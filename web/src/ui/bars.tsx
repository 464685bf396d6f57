import { UNKNOWN } from '../format/numbers.ts';

/** One feature of a score. */
export interface Bar {
  readonly name: string;
  /** Explains the feature on hover. */
  readonly title?: string;
  readonly value: number | null;
  /** Where the feature begins to count; null for none. */
  readonly threshold?: number | null;
  /** Where the feature counts with its whole weight; its mark is drawn beside the threshold's. */
  readonly fullAt?: number | null;
  readonly weight?: number | null;
  /** What the feature adds to the score. */
  readonly contribution?: number | null;
  /** The value as text; by default the number. */
  readonly shown?: string;
  /** Why the value is not known. */
  readonly reason?: string;
}

/**
 * Features as bars from 0 to `max` (of the largest value or threshold by default), each with the
 * mark of its threshold, its weight and its contribution.
 */
export function Bars({
  label,
  bars,
  max,
  tone = 'bad',
}: {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly max?: number;
  /** Of values at their threshold or above. */
  readonly tone?: 'good' | 'bad';
}) {
  return (
    <section class="bars-frame" tabIndex={0} aria-label={label}>
      <table class={`bars reached-${tone}`}>
        <caption class="visually-hidden">{label}</caption>
        <thead>
          <tr>
            <th scope="col">Feature</th>
            <th scope="col">Value</th>
            <th scope="col" class="bar-column">
              <span class="visually-hidden">Bar</span>
            </th>
            <th scope="col">Threshold</th>
            <th scope="col">Weight</th>
            <th scope="col">Contribution</th>
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <BarRow key={bar.name} bar={bar} max={max ?? largestOf(bar)} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function BarRow({ bar, max }: { readonly bar: Bar; readonly max: number }) {
  const { name, title, value, threshold = null, weight = null, contribution = null } = bar;
  const { fullAt = null, reason = 'Not known' } = bar;
  const isReached = value !== null && threshold !== null && value >= threshold;
  return (
    <tr>
      <th scope="row" title={title}>
        {name}
      </th>
      <td class={value === null ? 'unknown' : ''} title={value === null ? reason : undefined}>
        {bar.shown ?? value ?? UNKNOWN}
        {value === null && <span class="visually-hidden">{reason}</span>}
      </td>
      <td class="bar-column">
        <svg
          class={isReached ? 'bar reached' : 'bar'}
          viewBox="0 0 100 10"
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <rect class="bar-track" width="100" height="10" />
          <rect class="bar-value" width={shareOf(value, max)} height="10" />
          {threshold !== null && (
            <rect class="bar-threshold" x={shareOf(threshold, max)} width="1" height="10" />
          )}
          {fullAt !== null && (
            <rect class="bar-threshold" x={shareOf(fullAt, max) - 1} width="1" height="10" />
          )}
        </svg>
      </td>
      <td>{fullAt === null ? (threshold ?? UNKNOWN) : `${threshold ?? UNKNOWN} to ${fullAt}`}</td>
      <td>{weight ?? UNKNOWN}</td>
      <td>{contribution ?? UNKNOWN}</td>
    </tr>
  );
}

function largestOf({ value, threshold, fullAt }: Bar): number {
  return Math.max(value ?? 0, threshold ?? 0, fullAt ?? 0) || 1;
}

function shareOf(value: number | null, max: number): number {
  return Math.min(100, Math.max(0, ((value ?? 0) / max) * 100));
}
