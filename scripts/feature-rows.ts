import {
  createFeatureBuffer,
  FEATURE_COUNT,
  hashFeatures,
} from '../src/social/sentiment/hashed-features.ts';
import { readWords } from '../src/social/sentiment/read-words.ts';
import { ruleScore } from '../src/social/sentiment/rule-score.ts';

/** A feature of a single post is noise. */
const POSTS_MIN = 2;

/** Posts as sparse vectors: row r has the entries `starts[r]` to `starts[r + 1]` − 1. */
export interface FeatureRows {
  readonly count: number;
  readonly starts: Uint32Array;
  readonly places: Uint32Array;
  readonly values: Float32Array;
  /** For each row, the end of the features of words; those of letter pieces follow. */
  readonly wordEnds: Uint32Array;
}

/** The features of posts, without values. */
export function hashRows(texts: readonly string[]): FeatureRows {
  const buffer = createFeatureBuffer();
  const starts = new Uint32Array(texts.length + 1);
  const wordEnds = new Uint32Array(texts.length);
  const parts = texts.map((text, row) => {
    const words = readWords(text);
    hashFeatures(words, ruleScore(words), buffer);
    const start = starts[row] as number;
    wordEnds[row] = start + buffer.wordCount;
    starts[row + 1] = start + buffer.count;
    return buffer.places.slice(0, buffer.count);
  });
  const size = starts[texts.length] as number;
  const places = new Uint32Array(size);
  for (const [row, part] of parts.entries()) places.set(part, starts[row]);
  return { count: texts.length, starts, wordEnds, places, values: new Float32Array(size) };
}

/** Inverse document frequency, smoothed: 1 + ln((1 + posts) / (1 + posts with the feature)). */
export function raritiesOf(rows: FeatureRows, included: readonly number[]): Float64Array {
  const counts = new Uint32Array(FEATURE_COUNT);
  for (const row of included) {
    for (let at = rows.starts[row] as number; at < (rows.starts[row + 1] as number); at++) {
      const place = rows.places[at] as number;
      counts[place] = (counts[place] as number) + 1;
    }
  }
  return Float64Array.from(counts, (count) =>
    count < POSTS_MIN ? 0 : 1 + Math.log((1 + included.length) / (1 + count)),
  );
}

/** Sets the values to rarities; words and pieces of a row are vectors of equal length each. */
export function weighRows(rows: FeatureRows, rarities: ArrayLike<number>): void {
  for (let row = 0; row < rows.count; row++) {
    const [start, middle, end] = [rows.starts[row], rows.wordEnds[row], rows.starts[row + 1]];
    weighBlock(rows, start as number, middle as number, rarities);
    weighBlock(rows, middle as number, end as number, rarities);
  }
}

function weighBlock(
  { places, values }: FeatureRows,
  from: number,
  to: number,
  rarities: ArrayLike<number>,
): void {
  let squares = 0;
  for (let at = from; at < to; at++) squares += (rarities[places[at] as number] as number) ** 2;
  const scale = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  for (let at = from; at < to; at++) {
    values[at] = (rarities[places[at] as number] as number) * scale;
  }
}
