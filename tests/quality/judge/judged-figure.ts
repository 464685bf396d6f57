import { wilsonLower, wilsonUpper } from '../../../src/lib/wilson-interval.ts';

/**
 * What a figure is measured on. Rules may be chosen on training seeds; nothing is chosen on those
 * held back; adversarial cases are made by somebody who knows the rules; recorded data is of the
 * real chain and of real posts.
 */
export const PARTS = ['training', 'held back', 'adversarial', 'recorded'] as const;
export type Part = (typeof PARTS)[number];

/** One number that is asked for, and what was measured. */
export interface JudgedFigure {
  readonly part: Part;
  /** The report that measured it, as in `npm run quality:<report>`. */
  readonly report: string;
  readonly what: string;
  /** As text with its bound; null if nothing is asked. */
  readonly wanted: string | null;
  readonly measured: string;
  /** 95 of 100; null if the report has none. */
  readonly interval: readonly [string, string] | null;
  readonly seeds: string;
  /** Null if nothing is asked. */
  readonly isMet: boolean | null;
}

const Z_95 = 1.96;

/** Wilson's interval of a share, in which 95 of 100 such intervals contain the true one. */
export function intervalOfShare(share: number, trials: number): readonly [number, number] {
  const hits = Math.round(share * trials);
  return [wilsonLower(hits, trials, Z_95), wilsonUpper(hits, trials, Z_95)];
}

/** Three decimals for shares and scores, none for large numbers. */
export function figureText(value: number): string {
  return Math.abs(value) >= 100 || Number.isInteger(value)
    ? String(Math.round(value))
    : value.toFixed(3);
}
