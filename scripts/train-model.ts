/**
 * Trains the three moods, each against the others, as linear support vector machines with squared
 * hinge loss by dual coordinate descent (Hsieh et al. 2008, algorithm 1). The same posts in the
 * same order and the same settings give the same weights.
 */
import {
  createFeatureBuffer,
  FEATURE_COUNT,
  hashFeatures,
} from '../src/social/sentiment/hashed-features.ts';
import {
  type HashedWeights,
  INDEX_BYTES,
  PIECE_SHARE,
} from '../src/social/sentiment/hashed-model.ts';
import { readWords } from '../src/social/sentiment/read-words.ts';
import { ruleScore } from '../src/social/sentiment/rule-score.ts';

/** A post and its human label. */
export interface TrainingPost {
  readonly text: string;
  /** −1 bearish, 0 neutral, 1 bullish; a rating is between. */
  readonly mood: number;
  /** Weight, 1 for most posts. */
  readonly weight: number;
}

export interface TrainingSettings {
  readonly seed: number;
  readonly rounds: number;
  /** The cost of an error relative to large weights (C). */
  readonly errorCost: number;
  /** How much vectors are stretched along features that indicate a mood by themselves, 0 to 1. */
  readonly indicativeShare: number;
}

/** A post as a sparse vector. */
interface Example {
  readonly places: Uint32Array;
  readonly values: Float32Array;
  readonly mood: Mood;
  readonly weight: number;
}

type Mood = -1 | 0 | 1;

const MOODS: readonly Mood[] = [-1, 0, 1];
/** Ratings beyond this count as a mood. */
const MOOD_MIN = 0.2;
/** A feature of a single post is noise. */
const POSTS_MIN = 2;
const QUANTUM_MAX = 127;
/** Cuts off the few weights beyond this share, so that the others have a finer resolution. */
const KEPT_SHARE = 0.99998;

interface HashedPost {
  readonly places: Uint32Array;
  readonly wordCount: number;
  readonly post: TrainingPost;
}

export function trainModel(
  posts: readonly TrainingPost[],
  settings: TrainingSettings,
): HashedWeights {
  const hashed = hashedPosts(posts);
  const { bytes: rarities, unit } = quantised(raritiesOf(hashed));
  const examples = hashed.map((post) => toExample(post, rarities));
  const machines = MOODS.map((mood) => machineOf(examples, mood, settings));
  return pack(machines, rarities, unit);
}

function hashedPosts(posts: readonly TrainingPost[]): HashedPost[] {
  const buffer = createFeatureBuffer();
  return posts.map((post) => {
    const words = readWords(post.text);
    hashFeatures(words, ruleScore(words), buffer);
    const places = buffer.places.slice(0, buffer.count);
    return { places, wordCount: buffer.wordCount, post };
  });
}

/** Inverse document frequency, smoothed: 1 + ln((1 + posts) / (1 + posts with the feature)). */
function raritiesOf(posts: readonly HashedPost[]): Float64Array {
  const counts = new Uint32Array(FEATURE_COUNT);
  for (const { places } of posts) {
    for (const index of places) counts[index] = (counts[index] as number) + 1;
  }
  return Float64Array.from(counts, (count) =>
    count < POSTS_MIN ? 0 : 1 + Math.log((1 + posts.length) / (1 + count)),
  );
}

function toExample({ places, wordCount, post }: HashedPost, rarities: Int8Array): Example {
  const values = new Map<number, number>();
  addBlock(values, places.subarray(0, wordCount), rarities, 1);
  addBlock(values, places.subarray(wordCount), rarities, PIECE_SHARE);
  return {
    places: Uint32Array.from(values.keys()),
    values: Float32Array.from(values.values()),
    mood: moodOf(post.mood),
    weight: post.weight,
  };
}

function addBlock(
  values: Map<number, number>,
  places: Uint32Array,
  rarities: Int8Array,
  share: number,
): void {
  let squares = 0;
  for (const index of places) squares += (rarities[index] as number) ** 2;
  const value = squares === 0 ? 0 : share / Math.sqrt(squares);
  for (const index of places) {
    const rarity = rarities[index] as number;
    if (rarity > 0) values.set(index, (values.get(index) ?? 0) + rarity * value);
  }
}

function moodOf(rating: number): Mood {
  if (rating > MOOD_MIN) return 1;
  return rating < -MOOD_MIN ? -1 : 0;
}

interface Machine {
  readonly weights: Float64Array;
  bias: number;
}

function machineOf(all: readonly Example[], mood: Mood, settings: TrainingSettings): Machine {
  const stretches = stretchesOf(all, mood, settings.indicativeShare);
  const examples = all.map((example) => ({
    ...example,
    values: example.values.map((value, at) => value * stretchOf(stretches, example.places[at])),
  }));
  const machine: Machine = { weights: new Float64Array(FEATURE_COUNT), bias: 0 };
  const multipliers = new Float64Array(examples.length);
  const slack = examples.map(({ weight }) => 0.5 / (settings.errorCost * weight));
  const curvature = examples.map(
    ({ values }, index) => (slack[index] ?? 0) + values.reduce((sum, value) => sum + value ** 2, 1),
  );
  const order = Uint32Array.from(examples, (_, index) => index);
  const drawBelow = drawsFrom(settings.seed);
  for (let round = 0; round < settings.rounds; round++) {
    shuffle(order, drawBelow);
    for (const index of order) {
      const example = examples[index] as Example;
      const side = example.mood === mood ? 1 : -1;
      const multiplier = multipliers[index] as number;
      const slope = side * marginOf(machine, example) - 1 + (slack[index] as number) * multiplier;
      const moved = Math.max(0, multiplier - slope / (curvature[index] as number));
      if (moved !== multiplier) move(machine, example, (moved - multiplier) * side);
      multipliers[index] = moved;
    }
  }
  machine.weights.forEach((weight, index) => {
    machine.weights[index] = weight * stretchOf(stretches, index);
  });
  return machine;
}

/**
 * How strongly a feature indicates the mood by itself: |ln| of the ratio of its shares of both
 * classes, smoothed by one. Vectors are stretched along such features (Wang and Manning 2012,
 * NBSVM, with their interpolation).
 */
function stretchesOf(examples: readonly Example[], mood: Mood, share: number): Float64Array {
  const inside = new Float64Array(FEATURE_COUNT).fill(1);
  const outside = new Float64Array(FEATURE_COUNT).fill(1);
  for (const example of examples) {
    const counts = example.mood === mood ? inside : outside;
    for (const index of example.places) counts[index] = (counts[index] as number) + 1;
  }
  const base = Math.log(sumOf(inside) / sumOf(outside));
  return inside.map(
    (count, index) =>
      1 - share + share * Math.abs(Math.log(count / (outside[index] as number)) - base),
  );
}

function sumOf(numbers: Float64Array): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function stretchOf(stretches: Float64Array, index: number | undefined): number {
  return index === undefined ? 0 : (stretches[index] as number);
}

function marginOf({ weights, bias }: Machine, { places, values }: Example): number {
  let margin = bias;
  for (let at = 0; at < places.length; at++) {
    margin += (weights[places[at] as number] as number) * (values[at] as number);
  }
  return margin;
}

function move(machine: Machine, { places, values }: Example, step: number): void {
  const { weights } = machine;
  machine.bias += step;
  for (let at = 0; at < places.length; at++) {
    const index = places[at] as number;
    weights[index] = (weights[index] as number) + step * (values[at] as number);
  }
}

/** A stored weight includes the rarity of its feature, so that scoring only adds. */
function pack(
  machines: readonly Machine[],
  rarities: Int8Array,
  rarityUnit: number,
): HashedWeights {
  const products = new Float64Array(FEATURE_COUNT * MOODS.length);
  for (let index = 0; index < FEATURE_COUNT; index++) {
    machines.forEach(({ weights }, kind) => {
      const rarity = (rarities[index] as number) * rarityUnit;
      products[index * MOODS.length + kind] = (weights[index] as number) * rarity;
    });
  }
  const { bytes: weights, unit: weightUnit } = quantised(products);
  const bytes = new Int8Array(FEATURE_COUNT * INDEX_BYTES);
  for (let index = 0; index < FEATURE_COUNT; index++) {
    bytes.set(
      weights.subarray(index * MOODS.length, (index + 1) * MOODS.length),
      index * INDEX_BYTES,
    );
    bytes[index * INDEX_BYTES + MOODS.length] = rarities[index] as number;
  }
  const [bearish = 0, neutral = 0, bullish = 0] = machines.map(({ bias }) => bias);
  return { bytes, weightUnit, rarityUnit, bias: [bearish, neutral, bullish] };
}

function quantised(numbers: Float64Array): { bytes: Int8Array; unit: number } {
  const sizes = numbers
    .map(Math.abs)
    .filter((size) => size > 0)
    .sort();
  const unit = (sizes[Math.floor((sizes.length - 1) * KEPT_SHARE)] ?? 1) / QUANTUM_MAX;
  const bytes = Int8Array.from(numbers, (number) =>
    Math.max(-QUANTUM_MAX, Math.min(QUANTUM_MAX, Math.round(number / unit))),
  );
  return { bytes, unit };
}

/** Shuffle by Fisher and Yates. */
function shuffle(order: Uint32Array, drawBelow: (limit: number) => number): void {
  for (let last = order.length - 1; last > 0; last--) {
    const other = drawBelow(last + 1);
    const kept = order[last] as number;
    order[last] = order[other] as number;
    order[other] = kept;
  }
}

/** Integers below a limit, from mulberry32 (Tommy Ettinger, public domain). */
export function drawsFrom(seed: number): (limit: number) => number {
  let state = seed | 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit);
  };
}
