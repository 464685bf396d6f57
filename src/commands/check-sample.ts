import { UsageError } from '../model/errors.ts';

/** Limits of a sampled check. */
export interface CheckSample {
  /** Time limit; null for none. */
  readonly budgetMs: number | null;
  /** Share of all bytes to read. */
  readonly share: number;
}

const EVERYTHING: CheckSample = { budgetMs: null, share: 1 };
const DEFAULT_SECONDS = 60;

/**
 * Parses `--sample`: seconds, or a share with a percent sign; true if the option has no value.
 * Throws UsageError.
 */
export function parseSample(given: string | boolean | undefined): CheckSample {
  if (given === undefined || given === false) return EVERYTHING;
  if (given === true) return { budgetMs: DEFAULT_SECONDS * 1_000, share: 1 };
  const [, number, percent] = /^(\d{1,6}(?:\.\d{1,3})?)(%?)$/.exec(given) ?? [];
  const value = Number(number);
  if (percent === '%' && value > 0 && value <= 100) return { budgetMs: null, share: value / 100 };
  if (percent === '' && value > 0) return { budgetMs: value * 1_000, share: 1 };
  throw new UsageError(
    `--sample takes seconds or a share such as 10%, not "${given.slice(0, 40)}".`,
  );
}
