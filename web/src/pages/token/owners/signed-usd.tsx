import { signOf } from '../../../format/numbers.ts';
import { Figure } from '../../../ui/figure.tsx';

/** A profit or a loss in dollars, coloured by its sign. */
export function signedUsd(value: string | null, reason: string) {
  const sign = signOf(value);
  return (
    <span class={sign > 0 ? 'rising' : sign < 0 ? 'falling' : ''}>
      <Figure value={value} kind="usd" reason={reason} />
    </span>
  );
}
