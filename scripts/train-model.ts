/**
 * Trains the models of moods (`src/social/sentiment/hashed-model.ts`): the pooled one, a head for
 * each style, and the gate. The same posts in the same order and the same settings give the same
 * weights.
 */
import { FEATURE_COUNT } from '../src/social/sentiment/hashed-features.ts';
import type { HashedWeights } from '../src/social/sentiment/hashed-model.ts';
import {
  COLUMNS,
  INDEX_BYTES,
  STYLES,
  type Style,
  WEIGHT_BYTES,
} from '../src/social/sentiment/weight-columns.ts';
import { type FeatureRows, hashRows, raritiesOf, weighRows } from './feature-rows.ts';
import { type Machine, type MachineSettings, trainMachine } from './linear-machine.ts';

/** A post and its human label. */
export interface TrainingPost {
  readonly text: string;
  /** −1 bearish, 0 neutral, 1 bullish; a rating is between. */
  readonly mood: number;
  readonly style: Style;
}

export interface HeadSettings {
  readonly errorCost: number;
  readonly indicativeShare: number;
  /** How much posts of rare moods count more: 0 alike, 1 so that all moods count the same. */
  readonly balance: number;
}

export interface TrainingSettings {
  readonly seed: number;
  readonly rounds: number;
  readonly heads: Readonly<Record<Style, HeadSettings>>;
  readonly pooled: Omit<HeadSettings, 'balance'>;
  /** Weight of a post of each style in the pooled model. */
  readonly pooledWeights: Readonly<Record<Style, number>>;
  readonly gate: Omit<HeadSettings, 'balance'>;
}

type Mood = -1 | 0 | 1;

const MOODS: readonly Mood[] = [-1, 0, 1];
/** Ratings beyond this count as a mood. */
const MOOD_MIN = 0.2;
const QUANTUM_MAX = 127;
/** Cuts off the few weights beyond this share, so that the others have a finer resolution. */
const KEPT_SHARE = 0.99998;

/** Posts as rows, hashed once for all models that are trained on parts of them. */
export interface TrainingRows {
  readonly rows: FeatureRows;
  readonly posts: readonly TrainingPost[];
  readonly moods: readonly Mood[];
}

/** What is shared by the models of one training. */
interface Training {
  readonly all: TrainingRows;
  readonly included: readonly number[];
  readonly rarities: Quantised;
  readonly settings: TrainingSettings;
}

export function trainModel(
  posts: readonly TrainingPost[],
  settings: TrainingSettings,
): HashedWeights {
  const all = toTrainingRows(posts);
  return trainOnRows(
    all,
    posts.map((_, row) => row),
    settings,
  );
}

export function toTrainingRows(posts: readonly TrainingPost[]): TrainingRows {
  const moods = posts.map(({ mood }): Mood => (mood > MOOD_MIN ? 1 : mood < -MOOD_MIN ? -1 : 0));
  return { rows: hashRows(posts.map(({ text }) => text)), posts, moods };
}

/** Trains on some of the rows. Changes the values of all rows: not for two trainings at a time. */
export function trainOnRows(
  all: TrainingRows,
  included: readonly number[],
  settings: TrainingSettings,
): HashedWeights {
  const rarities = quantised(raritiesOf(all.rows, included));
  weighRows(all.rows, rarities.bytes);
  const training = { all, included, rarities, settings };
  const columns = new Map<number, Machine>([
    ...pooledMachines(training),
    ...gateMachines(training),
    ...STYLES.flatMap((style) => headMachines(training, style)),
  ]);
  return pack(columns, rarities);
}

function pooledMachines(training: Training): [number, Machine][] {
  const { all, included, settings } = training;
  const postWeights = included.map((row) => settings.pooledWeights[styleOf(all, row)]);
  return MOODS.map((mood, at) => {
    const isInside = included.map((row) => all.moods[row] === mood);
    const task = { rows: all.rows, included, isInside, postWeights };
    return [COLUMNS.pooled + at, trainMachine(task, machineSettings(settings, settings.pooled))];
  });
}

function gateMachines({ all, included, settings }: Training): [number, Machine][] {
  const postWeights = included.map(() => 1);
  return STYLES.map((style, at) => {
    const isInside = included.map((row) => styleOf(all, row) === style);
    const task = { rows: all.rows, included, isInside, postWeights };
    return [COLUMNS.gate + at, trainMachine(task, machineSettings(settings, settings.gate))];
  });
}

function headMachines(training: Training, style: Style): [number, Machine][] {
  const { all, settings } = training;
  const head = settings.heads[style];
  const included = training.included.filter((row) => styleOf(all, row) === style);
  const common = {
    rows: all.rows,
    included,
    postWeights: balancedWeights(
      included.map((row) => all.moods[row] ?? 0),
      head.balance,
    ),
    stretches: ownRarities(training, included),
  };
  const moods = style === 'forum' ? ([1] as const) : MOODS;
  return moods.map((mood, at) => {
    const isInside = included.map((row) => all.moods[row] === mood);
    return [
      COLUMNS[style] + at,
      trainMachine({ ...common, isInside }, machineSettings(settings, head)),
    ];
  });
}

/** Rarities among the posts of a head relative to those among all posts. */
function ownRarities(training: Training, included: readonly number[]): Float64Array {
  const own = raritiesOf(training.all.rows, included);
  const { bytes, unit } = training.rarities;
  return own.map((rarity, place) => {
    const shared = (bytes[place] as number) * unit;
    return shared === 0 ? 0 : rarity / shared;
  });
}

function balancedWeights(moods: readonly Mood[] | readonly number[], balance: number): number[] {
  const counts = new Map<number, number>();
  for (const mood of moods) counts.set(mood, (counts.get(mood) ?? 0) + 1);
  const evenCount = moods.length / counts.size;
  return moods.map((mood) => (evenCount / (counts.get(mood) ?? evenCount)) ** balance);
}

function machineSettings(
  { seed, rounds }: TrainingSettings,
  { errorCost, indicativeShare }: Omit<HeadSettings, 'balance'>,
): MachineSettings {
  return { seed, rounds, errorCost, indicativeShare };
}

function styleOf({ posts }: TrainingRows, row: number): Style {
  return (posts[row] as TrainingPost).style;
}

/** A stored weight includes the rarity of its feature, so that scoring only adds. */
function pack(machines: ReadonlyMap<number, Machine>, rarities: Quantised): HashedWeights {
  const bytes = new Int8Array(WEIGHT_BYTES);
  const units = [rarities.unit];
  const biases = [0];
  for (let place = 0; place < FEATURE_COUNT; place++) {
    bytes[place * INDEX_BYTES] = rarities.bytes[place] as number;
  }
  for (const [column, { weights, bias }] of machines) {
    const products = Float64Array.from(
      weights,
      (weight, place) => weight * (rarities.bytes[place] as number) * rarities.unit,
    );
    const own = quantised(products);
    units[column] = own.unit;
    biases[column] = bias;
    for (let place = 0; place < FEATURE_COUNT; place++) {
      bytes[place * INDEX_BYTES + column] = own.bytes[place] as number;
    }
  }
  return { bytes, units, biases };
}

/** Numbers as multiples of a unit, −127 to 127. */
interface Quantised {
  readonly bytes: Int8Array;
  readonly unit: number;
}

function quantised(numbers: Float64Array): Quantised {
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
