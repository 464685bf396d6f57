/**
 * Reports how well the sentiment model classifies moods of posts that it has not seen, compared
 * with VADER. Exits with 1 when a required figure is missed.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { postsPerSecond, tellByVader } from '../bench/sentiment.ts';
import { fixed, integer, printTable, tableLines } from '../bench/table.ts';
import type { HashedWeights } from '../src/social/sentiment/hashed-model.ts';
import { createPostScorer } from '../src/social/sentiment/score-post.ts';
import { readShippedModel } from '../src/social/sentiment/weights-file.ts';
import {
  type CorpusName,
  hasCorpora,
  type LabelledPost,
  readCorpus,
  readStockEmotionsValidation,
  testDataFolder,
} from './sentiment-corpora.ts';
import {
  accuracy,
  correlation,
  interval95,
  type Judged,
  type Measure,
  macroF1,
  macroRecall,
  sideAccuracy,
} from './sentiment-figures.ts';
import { foldsOf, groupsBySimilarity, groupsByWords } from './sentiment-folds.ts';
import { CORPORA, TRAINING, trainingPosts } from './sentiment-recipe.ts';
import { toTrainingRows, trainOnRows } from './train-model.ts';

const HELP = `Says how well moods of posts are classified, on posts that the model was not trained on.

  --seed <n>       seed of the folds (1)
  --strict         posts that a chain of near-duplicates connects are held out together, instead of
                   posts with equal words
  --out <file>     writes the report as Markdown
  --json           writes the rows to standard output as JSON, instead of a table
  --help           this text

Takes about six minutes of a processor. Ends with 1 when a number is missed. Needs the labelled posts
of MINTSCOPE_TEST_DATA, and says so without them.

Examples:
  npm run quality:sentiment -- --out docs/quality/sentiment.md
  npm run quality:sentiment -- --strict`;

const FOLDS = 5;
const RATE_WANTED = 50_000;
/** VADER's port is slow: fewer posts are sufficient. */
const VADER_POSTS = 500;
/** VADER's own limit of neutral scores. */
const VADER_NEUTRAL_MAX = 0.05;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    strict: { type: 'boolean', default: false },
    out: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

interface Row {
  readonly name: string;
  /** Null where nothing is required. */
  readonly wanted: number | null;
  readonly measured: number;
  readonly interval: readonly [number, number] | null;
  readonly vader: number;
}

interface Figure {
  readonly name: string;
  readonly corpus: CorpusName;
  readonly wanted: number;
  readonly measure: Measure;
}

const FIGURES: readonly Figure[] = [
  { name: 'pyFin, macro-F1 of three moods', corpus: 'pyfin', wanted: 0.66, measure: macroF1 },
  {
    name: 'Financial news, accuracy of three moods',
    corpus: 'news',
    wanted: 0.85,
    measure: accuracy,
  },
  {
    name: 'StockEmotions, accuracy of two sides',
    corpus: 'stockemotions',
    wanted: 0.78,
    measure: sideAccuracy,
  },
  {
    name: 'General tweets (SemEval), macro-recall of three moods',
    corpus: 'semeval',
    wanted: 0.6,
    measure: macroRecall,
  },
  {
    name: 'VADER’s tweets, correlation with ratings',
    corpus: 'vader',
    wanted: 0.7,
    measure: correlation,
  },
];

type Reader = (text: string) => Pick<Judged, 'label' | 'score'>;

function readerOf(weights: HashedWeights): Reader {
  const scorer = createPostScorer(weights);
  const labels = { bearish: -1, neutral: 0, bullish: 1 };
  return (text) => {
    const { label, score } = scorer(text);
    return { label: labels[label], score };
  };
}

function readByVader(text: string): Pick<Judged, 'label' | 'score'> {
  const score = tellByVader(text);
  const label = score >= VADER_NEUTRAL_MAX ? 1 : score <= -VADER_NEUTRAL_MAX ? -1 : 0;
  return { label, score };
}

function judge(posts: readonly LabelledPost[], read: Reader): Judged[] {
  return posts.map(({ text, mood }) => ({ ...read(text), meant: mood }));
}

interface CorpusPost extends LabelledPost {
  readonly corpus: CorpusName;
}

/** Every post of every corpus, judged by a model of the other folds of all corpora. */
function judgedInFolds(posts: readonly CorpusPost[]): Judged[] {
  const texts = posts.map(({ text }) => text);
  const groups = values.strict ? groupsBySimilarity(texts) : groupsByWords(texts);
  const folds = foldsOf(groups, FOLDS, Number(values.seed));
  const styles = new Map(CORPORA.map(({ name, style }) => [name, style]));
  const rows = toTrainingRows(
    posts.flatMap((post) => trainingPosts([post], styles.get(post.corpus) ?? 'general')),
  );
  const judged: Judged[] = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const included = posts.flatMap((_, at) => (folds[at] === fold ? [] : [at]));
    const read = readerOf(trainOnRows(rows, included, TRAINING));
    posts.forEach(({ text, mood }, at) => {
      if (folds[at] === fold) judged[at] = { ...read(text), meant: mood };
    });
    console.error(`fold ${fold + 1} of ${FOLDS}`);
  }
  return judged;
}

function foldedRows(folder: string): Row[] {
  const posts = CORPORA.flatMap(({ name }) =>
    readCorpus(folder, name).map((post): CorpusPost => ({ ...post, corpus: name })),
  );
  const judged = judgedInFolds(posts);
  return FIGURES.map(({ name, corpus, wanted, measure }) => {
    const own = judged.filter((_, at) => posts[at]?.corpus === corpus);
    const some = posts.filter((post) => post.corpus === corpus).slice(0, 10 * VADER_POSTS);
    return {
      name: `${name}, ${FOLDS} folds`,
      wanted,
      measured: measure(own),
      interval: interval95(own, measure),
      vader: measure(judge(some, readByVader)),
    };
  });
}

/** The validation part of StockEmotions, which no model was trained on. */
function validationRow(folder: string, shipped: HashedWeights): Row {
  const posts = readStockEmotionsValidation(folder);
  const judged = judge(posts, readerOf(shipped));
  return {
    name: 'StockEmotions validation, accuracy of two sides, the shipped weights',
    wanted: null,
    measured: sideAccuracy(judged),
    interval: interval95(judged, sideAccuracy),
    vader: sideAccuracy(judge(posts, readByVader)),
  };
}

function rateRow(folder: string, shipped: HashedWeights): Row {
  const texts = readCorpus(folder, 'pyfin').map(({ text }) => text);
  return {
    name: 'Posts scored in a second of one core',
    wanted: RATE_WANTED,
    measured: postsPerSecond(texts, createPostScorer(shipped)),
    interval: null,
    vader: postsPerSecond(texts.slice(0, VADER_POSTS), tellByVader),
  };
}

function isMet({ wanted, measured }: Row): boolean {
  return wanted === null || measured >= wanted;
}

function cells(row: Row): string[] {
  const figure = (value: number) => (value > 1 ? integer(value) : fixed(value, 3));
  return [
    row.name,
    row.wanted === null ? '-' : figure(row.wanted),
    figure(row.measured),
    row.interval === null ? '-' : row.interval.map(figure).join(' to '),
    figure(row.vader),
    row.wanted === null ? '-' : isMet(row) ? 'yes' : 'no',
  ];
}

const HEADER = ['', 'wanted', 'measured', '95 % interval', 'VADER', 'met'];

function report(rows: readonly Row[]): string {
  const corpora = CORPORA.map(({ title, licence, style }) => [title, licence, style]);
  const together = values.strict
    ? 'Posts that a chain of near-duplicates connects (four-letter shingles, Jaccard ≥ 0.5) are in one fold.'
    : 'Posts that say the same but for links, names and numbers are in one fold, across all corpora.';
  return `# How well the mood of posts is classified

Written by \`npm run quality:sentiment\`. Each post is read by the whole model (heads, gate and pooled
model, as shipped), trained on the other four folds of all corpora with the settings of the shipped
weights; seed ${values.seed} of the folds. ${together} Intervals are of 400 samples drawn from the
posts. VADER is the npm package vader-sentiment, on the first ${integer(10 * VADER_POSTS)} posts of a corpus; its lexicon was
rated by people who also rated its tweets.

${tableLines([HEADER, ...rows.map(cells)]).join('\n')}

What limits the figures that are missed, and what was tried: [decision 0073](../decisions/0073-text-judgement.md).
Copies of posts: \`src/social/copies/altered-copies.test.ts\`.

Settings, chosen on the same folds, so that the figures flatter a little: \`${JSON.stringify(TRAINING)}\`.

${tableLines([['trained on', 'licence of the posts', 'style'], ...corpora]).join('\n')}
`;
}

function main(): void {
  const folder = testDataFolder();
  if (!hasCorpora(folder)) {
    console.error(`SKIPPED: no labelled posts in ${folder}; set MINTSCOPE_TEST_DATA.`);
    return;
  }
  const folded = foldedRows(folder);
  const { weights } = readShippedModel();
  const rows = [...folded, validationRow(folder, weights), rateRow(folder, weights)];
  if (values.out !== undefined) writeFileSync(values.out, report(rows));
  if (values.json) console.log(JSON.stringify(rows, null, 2));
  else printTable('Sentiment', [HEADER, ...rows.map(cells)]);
  if (rows.some((row) => !isMet(row))) process.exitCode = 1;
}

if (values.help) console.log(HELP);
else main();
