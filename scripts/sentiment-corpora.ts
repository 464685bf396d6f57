/**
 * The human-labelled posts that a sentiment model is trained and judged with, in files outside the
 * project.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface LabelledPost {
  readonly text: string;
  /** −1 bearish or negative, 0 neutral, 1 bullish or positive; a rating is between. */
  readonly mood: number;
}

export type CorpusName = 'pyfin' | 'stockemotions' | 'news' | 'vader' | 'semeval';

/** VADER's posts were rated from −4 to 4; few ratings exceed 2.5. */
const VADER_FULL_RATING = 2.5;

export function readCorpus(folder: string, name: CorpusName): LabelledPost[] {
  return READERS[name](join(folder, 'labels/sentiment'));
}

export function readStockEmotionsValidation(folder: string): LabelledPost[] {
  return stockEmotions(join(folder, 'labels/sentiment'), 'stockemotions_val.csv');
}

const READERS: Readonly<Record<CorpusName, (folder: string) => LabelledPost[]>> = {
  pyfin: (folder) =>
    records(join(folder, 'pyfin_train.csv')).map(({ text, label3 }) => ({
      text: text ?? '',
      mood: moodOf(label3),
    })),
  stockemotions: (folder) => stockEmotions(folder, 'stockemotions_train.csv'),
  news: (folder) =>
    records(join(folder, 'financial_news_train.csv')).map(({ text, label }) => ({
      text: text ?? '',
      mood: label === '0' ? -1 : label === '1' ? 1 : 0,
    })),
  vader: (folder) =>
    lines(join(folder, 'vader_tweets_ratings.tsv')).map(([, rating = '0', text = '']) => ({
      text,
      mood: Math.max(-1, Math.min(1, Number(rating) / VADER_FULL_RATING)),
    })),
  semeval: (folder) =>
    readdirSync(join(folder, 'semeval'))
      .filter((file) => file.endsWith('.tsv'))
      .sort()
      .flatMap((file) => lines(join(folder, 'semeval', file)))
      .map(([, label, text = '']) => ({ text: unescaped(text), mood: moodOf(label) })),
};

function stockEmotions(folder: string, file: string): LabelledPost[] {
  return records(join(folder, file)).map(({ original, senti_label }) => ({
    text: original ?? '',
    mood: moodOf(senti_label),
  }));
}

function moodOf(label: string | undefined): number {
  if (label === 'bullish' || label === 'positive') return 1;
  return label === 'bearish' || label === 'negative' ? -1 : 0;
}

function lines(path: string): string[][] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('\t'));
}

/** SemEval's files write some characters as escape codes. */
function unescaped(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replaceAll('""', '"');
}

/** Records of a CSV file with a header, quoted as RFC 4180 says. */
export function records(path: string): Record<string, string>[] {
  const [header = [], ...rows] = parseCsv(readFileSync(path, 'utf8'));
  return rows.map((row) =>
    Object.fromEntries(header.map((name, place) => [name, row[place] ?? ''])),
  );
}

const CSV_FIELD = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g;

function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(CSV_FIELD)) {
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.length > 1) rows.push(row);
    row = [];
  }
  return rows;
}

/** Folder of the labelled posts. */
export function testDataFolder(): string {
  return resolve(process.env.MINTSCOPE_TEST_DATA ?? '../shared/data');
}

export function hasCorpora(folder: string): boolean {
  return existsSync(join(folder, 'labels/sentiment'));
}
