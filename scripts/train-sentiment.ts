/**
 * Creates the weights of the shipped sentiment model, and their card, from labelled posts outside
 * the project. The same posts give the same bytes.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { FEATURE_BITS } from '../src/social/sentiment/hashed-features.ts';
import type { HashedWeights } from '../src/social/sentiment/hashed-model.ts';
import {
  digestOfWeights,
  MODEL_VERSION,
  type ModelCard,
  SHIPPED_FILES,
  type TrainingSource,
} from '../src/social/sentiment/weights-file.ts';
import { hasCorpora, readCorpus, testDataFolder } from './sentiment-corpora.ts';
import { CORPORA, TRAINING, trainingPosts } from './sentiment-recipe.ts';
import { trainModel } from './train-model.ts';

const HELP = `Trains the sentiment model and writes src/social/sentiment/weights.{bin,json}.

  --licences <list>  comma list of licences to train on; all if left out
                     (${[...new Set(CORPORA.map(({ licence }) => licence))].join(', ')})
  --help             this text

Needs the labelled posts of MINTSCOPE_TEST_DATA. Takes about two minutes of a processor.

Examples:
  npm run train:sentiment
  npm run train:sentiment -- --licences MIT`;

const KNOWN_LIMITS = [
  'English only; sarcasm is read as it is written.',
  'General tweets of 2012 to 2016 and posts of 2020 to 2022 about shares: words of the crypto scene come from the lexicon.',
  'Tickers are features, so that a ticker may carry the mood that it had in those years.',
];

const { values } = parseArgs({
  options: { licences: { type: 'string' }, help: { type: 'boolean', default: false } },
});

function main(): void {
  const folder = testDataFolder();
  if (!hasCorpora(folder)) {
    console.error(`There are no labelled posts in ${folder}: set MINTSCOPE_TEST_DATA.`);
    process.exitCode = 2;
    return;
  }
  const licences = values.licences?.split(',').map((licence) => licence.trim());
  const corpora = CORPORA.filter(({ licence }) => licences?.includes(licence) ?? true);
  const parts = corpora.map(({ name, style }) => trainingPosts(readCorpus(folder, name), style));
  const weights = trainModel(parts.flat(), TRAINING);
  const sources: TrainingSource[] = corpora.map(({ title, licence, style }, at) => ({
    name: title,
    posts: parts[at]?.length ?? 0,
    style,
    licence,
  }));
  const card = writeShippedModel(weights, { settings: TRAINING, sources });
  console.log(`${card.version} ${card.sha256}, ${parts.flat().length} posts`);
}

function writeShippedModel(weights: HashedWeights, training: ModelCard['training']): ModelCard {
  const { bytes, units, biases } = weights;
  const card: ModelCard = {
    version: MODEL_VERSION,
    featureBits: FEATURE_BITS,
    sha256: digestOfWeights(bytes),
    columns: units.map((unit, column) => ({ unit, bias: biases[column] ?? 0 })),
    training,
    knownLimits: KNOWN_LIMITS,
  };
  writeFileSync(SHIPPED_FILES.bytes, bytes);
  writeFileSync(SHIPPED_FILES.card, `${JSON.stringify(card, null, 2)}\n`);
  return card;
}

if (values.help) console.log(HELP);
else main();
