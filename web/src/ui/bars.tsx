import { UNKNOWN } from '../format/numbers.ts';

/** One feature of a score. */
export interface Bar {
  readonly name: string;
  /** Explains the feature on hover. */
  readonly title?: string;
  readonly value: number | null;
  /** Where the feature begins to count; null for none. */
  readonly threshold?: number | null;
  readonly weight?: number | null;
  /** What the feature adds to the score. */
  readonly contribution?: number | null;
  /** The value as text; by default the number. */
  readonly shown?: string;
}

/**
 * Features as bars from 0 to `max` (of the largest value or threshold by default), each with the
 * mark of its threshold, its weight and its contribution.
 */
export function Bars({
  label,
  bars,
  max,
}: {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly max?: number;
}) {
  return (
    <table class="bars">
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
  );
}

function BarRow({ bar, max }: { readonly bar: Bar; readonly max: number }) {
  const { name, title, value, threshold = null, weight = null, contribution = null } = bar;
  const isReached = value !== null && threshold !== null && value >= threshold;
  return (
    <tr>
      <th scope="row" title={title}>
        {name}
      </th>
      <td>{bar.shown ?? value ?? UNKNOWN}</td>
      <td class="bar-column">
        <svg class={isReached ? 'bar reached' : 'bar'} viewBox="0 0 100 10" aria-hidden="true">
          <rect class="bar-track" width="100" height="10" />
          <rect class="bar-value" width={shareOf(value, max)} height="10" />
          {threshold !== null && (
            <rect class="bar-threshold" x={shareOf(threshold, max)} width="1" height="10" />
          )}
        </svg>
      </td>
      <td>{threshold ?? UNKNOWN}</td>
      <td>{weight ?? UNKNOWN}</td>
      <td>{contribution ?? UNKNOWN}</td>
    </tr>
  );
}

function largestOf({ value, threshold }: Bar): number {
  return Math.max(value ?? 0, threshold ?? 0) || 1;
}

function shareOf(value: number | null, max: number): number {
  return Math.min(100, Math.max(0, ((value ?? 0) / max) * 100));
}
