import { asRawAmount, type RawAmount } from '../../model/units.ts';

/** The amount of a leg that may be unknown. */
export function amountOrNull(value: bigint | null | undefined): RawAmount | null {
  return value === null || value === undefined ? null : asRawAmount(value);
}
