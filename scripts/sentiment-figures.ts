/** Measures of how well moods are classified. */
import { drawsFrom } from './draws.ts';

/** A post's mood as a model reads it, and as people do. */
export interface Judged {
  /** −1, 0 or 1. */
  readonly label: number;
  readonly score: number;
  /** −1 to 1. */
  readonly meant: number;
}

export type Measure = (posts: readonly Judged[]) => number;

/** Mean over the moods of the harmonic mean of precision and recall. */
export const macroF1: Measure = (posts) =>
  meanOverMoods(posts, (both, read, meant) => (2 * both) / (read + meant));

/** Mean over the moods of the share of posts of this mood that are read so. */
export const macroRecall: Measure = (posts) =>
  meanOverMoods(posts, (both, _, meant) => both / meant);

/** Share of correct ones. */
export const accuracy: Measure = (posts) => shareOf(posts, ({ label, meant }) => label === meant);

/** Share of posts whose score has the right sign. */
export const sideAccuracy: Measure = (posts) =>
  shareOf(posts, ({ score, meant }) => score > 0 === meant > 0);

/** Pearson's correlation of scores and ratings. */
export const correlation: Measure = (posts) => {
  const [meanScore, meanMeant] = [
    mean(posts.map(({ score }) => score)),
    mean(posts.map(({ meant }) => meant)),
  ];
  let [both, ofScores, ofMeant] = [0, 0, 0];
  for (const { score, meant } of posts) {
    both += (score - meanScore) * (meant - meanMeant);
    ofScores += (score - meanScore) ** 2;
    ofMeant += (meant - meanMeant) ** 2;
  }
  return both / Math.sqrt(ofScores * ofMeant);
};

const RESAMPLES = 400;

/** The interval that holds 95 % of the measures of samples drawn from the posts. */
export function interval95(posts: readonly Judged[], measure: Measure): readonly [number, number] {
  const draw = drawsFrom(95);
  const measures = Array.from({ length: RESAMPLES }, () =>
    measure(posts.map(() => posts[draw(posts.length)] as Judged)),
  ).sort((one, other) => one - other);
  const at = (share: number) => measures[Math.round(share * (RESAMPLES - 1))] as number;
  return [at(0.025), at(0.975)];
}

function meanOverMoods(
  posts: readonly Judged[],
  figure: (both: number, read: number, meant: number) => number,
): number {
  const counts = new Map<number, { both: number; read: number; meant: number }>();
  const countOf = (mood: number) => {
    const count = counts.get(mood) ?? { both: 0, read: 0, meant: 0 };
    counts.set(mood, count);
    return count;
  };
  for (const { label, meant } of posts) {
    countOf(label).read++;
    countOf(meant).meant++;
    if (label === meant) countOf(meant).both++;
  }
  const meantMoods = [...counts.values()].filter((count) => count.meant > 0);
  return mean(meantMoods.map(({ both, read, meant }) => figure(both, read, meant)));
}

function shareOf(posts: readonly Judged[], isRight: (post: Judged) => boolean): number {
  return posts.filter(isRight).length / posts.length;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
