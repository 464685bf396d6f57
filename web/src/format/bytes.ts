import { UNKNOWN } from './numbers.ts';

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** A number of bytes in its largest unit, with one decimal: `1.5 GiB`, `512 bytes`. */
export function formatBytes(bytes: number | null): string {
  if (bytes === null) return UNKNOWN;
  let step = 0;
  let value = bytes;
  while (value >= 1_024 && step < UNITS.length - 1) {
    value /= 1_024;
    step++;
  }
  return `${step === 0 ? value : value.toFixed(1)} ${UNITS[step]}`;
}
