import { UsageError } from '../model/errors.ts';

/** As much as a sampled check may read. */
export interface CheckSample {
  /** Null: however long it takes. */
  readonly budgetMs: number | null;
  /** Of all bytes. */
  readonly share: number;
}

const EVERYTHING: CheckSample = { budgetMs: null, share: 1 };
const DEFAULT_SECONDS = 60;

/**
 * Reads `--sample`: seconds, or a share with a percent sign; true stands for the option without
 * either. Throws UsageError.
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
