import { parseDecimal, partsOf, shiftDecimal } from '../format/decimal.ts';
import { formatPercent, signOf, UNKNOWN } from '../format/numbers.ts';

const TONES = { [-1]: 'falling', 0: '', 1: 'rising' } as const;

/** A percentage of the API, such as `12.500000000` for 12.5 %, with the exact one on hover. */
export function Percent({
  value,
  reason = 'Not known',
  isPlain = false,
}: {
  readonly value: string | null;
  readonly reason?: string;
  /** Without sign and colour, as for what is no result. */
  readonly isPlain?: boolean;
}) {
  if (value === null) {
    return (
      <span class="figure unknown" title={reason}>
        {UNKNOWN}
        <span class="visually-hidden">{reason}</span>
      </span>
    );
  }
  return (
    <span class={isPlain ? 'figure' : `figure ${TONES[signOf(value)]}`} title={`${value} %`}>
      {formatPoints(value, !isPlain)}
    </span>
  );
}

/** Text of a percentage: `+12.5%`. */
export function formatPoints(value: string, isSigned: boolean): string {
  const points = parseDecimal(value);
  if (points === null) return value;
  const { sign, whole, fraction } = partsOf(shiftDecimal(points, -2));
  return formatPercent(`${sign === '' ? '' : '-'}${whole}.${fraction}`, { isSigned });
}
