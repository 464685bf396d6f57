/**
 * Posts scored per second of one core, by the shipped model and by VADER's port.
 * node bench/sentiment.ts
 */
import vader from 'vader-sentiment';
import { createPostScorer } from '../src/social/sentiment/score-post.ts';
import { readShippedModel } from '../src/social/sentiment/weights-file.ts';
import { fixed, integer, printTable } from './table.ts';

const MEASURED_MICROS = 2_000_000;

/**
 * By processor time, so that other load on the machine has little effect. The first pass is not
 * counted.
 */
export function postsPerSecond(texts: readonly string[], score: (text: string) => unknown): number {
  for (const text of texts) score(text);
  const start = process.cpuUsage();
  let scored = 0;
  let spentMicros = 0;
  while (spentMicros < MEASURED_MICROS) {
    for (const text of texts) score(text);
    scored += texts.length;
    const { user, system } = process.cpuUsage(start);
    spentMicros = user + system;
  }
  return (scored / spentMicros) * 1_000_000;
}

export function tellByVader(text: string): number {
  return vader.SentimentIntensityAnalyzer.polarity_scores(text).compound;
}

/** Posts of about a hundred characters in the style of people, combined from parts. */
function madeUpPosts(): string[] {
  const starts = [
    'just bought more $SOL',
    'dev of this coin is',
    '@anon not selling before',
    'chart says',
  ];
  const middles = [
    'so bullish on it 🚀',
    'down 12.5% since yesterday',
    'a total scam, be careful',
    'holders grow',
  ];
  const ends = [
    'https://t.co/abc',
    'what do you think?',
    'lfg!!!',
    'not financial advice, volume is thin today',
  ];
  return starts.flatMap((start) =>
    middles.flatMap((middle) => ends.map((end) => `${start} ${middle} and still early, ${end}`)),
  );
}

export function benchSentiment(): void {
  const posts = madeUpPosts();
  const own = postsPerSecond(posts, createPostScorer(readShippedModel().weights));
  const byVader = postsPerSecond(posts, tellByVader);
  printTable('Mood of posts', [
    ['', 'posts per second of a core', '× VADER'],
    ['Mintscope', integer(own), fixed(own / byVader, 1)],
    ['vader-sentiment', integer(byVader), '1.0'],
  ]);
}

if (import.meta.main) benchSentiment();
