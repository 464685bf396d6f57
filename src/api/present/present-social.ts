import type { MinuteOrigin, MinuteValue, TrackedFigures } from '../../model/social-reads.ts';
import { HOUR_MS, MICRO, MINUTE_MS } from '../../model/social-series.ts';
import { formatMinute } from './format-wire.ts';

const SENTIMENT_DIGITS = 4;
const SCORE_DIGITS = 3;

/** A range of whole minutes. */
export interface MinuteRange {
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

interface Explanation {
  sources?: MinuteOrigin['platforms'][number][];
  model_version?: string | null;
}

const UNEXPLAINED: Required<Explanation> = { sources: [], model_version: null };

/** A data point of a series; the figure is named after the series. */
export type Point<Name extends string> = { timestamp: string } & Record<Name, number> & Explanation;

/** One point for each minute of a range. `minutes` are those with posts, oldest first. */
export function presentSeries<Name extends string>(
  { fromMs, toMs }: MinuteRange,
  minutes: readonly MinuteValue[],
  isExplained: boolean,
  pointOf: (timestamp: string, value: number) => Omit<Point<Name>, keyof Explanation>,
): Point<Name>[] {
  const explanations = new Map<MinuteOrigin, Required<Explanation>>();
  const points: Point<Name>[] = [];
  let at = 0;
  for (let minuteMs = fromMs; minuteMs < toMs; minuteMs += MINUTE_MS) {
    const next = minutes[at];
    const minute = next?.minuteMs === minuteMs ? next : null;
    if (minute !== null) at++;
    const point: Point<Name> = pointOf(formatMinute(minuteMs), minute?.value ?? 0) as Point<Name>;
    if (isExplained) {
      const { sources, model_version } = explain(minute?.origin ?? null, explanations);
      point.sources = sources;
      point.model_version = model_version;
    }
    points.push(point);
  }
  return points;
}

/** Minutes of the same origin share one explanation object. */
function explain(
  origin: MinuteOrigin | null,
  known: Map<MinuteOrigin, Required<Explanation>>,
): Required<Explanation> {
  if (origin === null) return UNEXPLAINED;
  let explanation = known.get(origin);
  if (explanation === undefined) {
    const { platforms, modelVersions } = origin;
    explanation = { sources: [...platforms], model_version: modelVersions.join(',') };
    known.set(origin, explanation);
  }
  return explanation;
}

/** Social figures of the current indicators; null for an untracked token. */
export function presentSocialScores(tracked: TrackedFigures | null, nowMs: number) {
  if (tracked === null) {
    return { social_sentiment_score: null, social_blast_radius_score: null };
  }
  const { hour } = tracked;
  // Hourly figures expire after an hour even if no later value was written.
  const isPast = nowMs - hour.atMs >= HOUR_MS;
  return {
    social_sentiment_score: ((isPast ? 0 : hour.sentimentMicro) / MICRO).toFixed(SCORE_DIGITS),
    social_blast_radius_score: isPast ? 0 : hour.blastRadius,
  };
}

/** A sentiment with four digits, never −0. */
export function presentMood(value: number): number {
  const scale = 10 ** SENTIMENT_DIGITS;
  const whole = Math.round(value * scale);
  return whole === 0 ? 0 : whole / scale;
}
