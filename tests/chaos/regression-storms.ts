import { readFileSync } from 'node:fs';
import type { StormOptions } from './run-storm.ts';

/** A storm that failed once, or nearly. */
export interface RegressionStorm extends StormOptions {
  readonly why: string;
  /** It still fails: left out of the gate until it is fixed, and run on request. */
  readonly isOpen: boolean;
}

/** The storms of regression-seeds.json. */
export function regressionStorms(): readonly RegressionStorm[] {
  const file = new URL('./regression-seeds.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as RegressionStorm[];
}
