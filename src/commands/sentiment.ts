import { once } from 'node:events';
import { Command } from 'commander';
import { UsageError } from '../model/errors.ts';
import { type Line, readLines } from '../social/collecting/read-lines.ts';
import { createPostScorer, type PostScore } from '../social/sentiment/score-post.ts';
import { readShippedModel } from '../social/sentiment/weights-file.ts';
import { openInput } from './open-input.ts';

const DIGITS = 4;
const LINES_AT_ONCE = 1_000;
/** Posts are much shorter: longer input is not line-based. */
const LINE_BYTES_MAX = 1_024 * 1_024;

/** `sentiment`: prints the sentiment of posts, without state, settings and network. */
export function sentimentCommand(): Command {
  return new Command('sentiment')
    .description(
      'Score posts from -1 (bearish) to 1 (bullish): reads one text per line, prints one score per line.',
    )
    .argument('[file]', 'file with one text per line; default standard input')
    .option(
      '--json',
      'print JSON lines: score, label, class probabilities of the model, score of the rules',
    )
    .addHelpText(
      'after',
      `
A line without words scores 0. English is scored by a trained model and by rules with a crypto
lexicon, other languages by emoji and lexicon only. The score of a text is the same on all machines.

Examples:
  echo 'dev is based, this gem is sending 🚀' | mintscope sentiment
  mintscope sentiment posts.txt --json | jq -r .label | sort | uniq -c`,
    )
    .action(async (file: string | undefined, options: { json?: true }) => {
      await scoreLines(linesOf(file), options.json === true);
    });
}

/**
 * Lines end with a line feed only: posts may contain other line separators, which must not split a
 * post.
 */
async function* linesOf(file: string | undefined): AsyncGenerator<string> {
  let count = 0;
  for await (const lines of readLines(openInput(file), LINE_BYTES_MAX)) {
    for (const line of lines) yield textOf(line, ++count);
  }
}

function textOf(line: Line, number: number): string {
  if (line.kind === 'line') return line.text;
  throw new UsageError(`Line ${number} is longer than ${LINE_BYTES_MAX} bytes.`);
}

async function scoreLines(lines: AsyncIterable<string>, asJson: boolean): Promise<void> {
  const { weights, card } = readShippedModel();
  const scorer = createPostScorer(weights);
  let waiting: string[] = [];
  for await (const line of lines) {
    const score = scorer(line);
    waiting.push(asJson ? JSON.stringify(present(score, card.version)) : rounded(score.score));
    if (waiting.length < LINES_AT_ONCE) continue;
    await print(waiting);
    waiting = [];
  }
  await print(waiting);
}

function present(score: PostScore, model: string) {
  const { shares } = score;
  return {
    score: Number(rounded(score.score)),
    label: score.label,
    bearish: shares === null ? null : Number(rounded(shares.bearish)),
    neutral: shares === null ? null : Number(rounded(shares.neutral)),
    bullish: shares === null ? null : Number(rounded(shares.bullish)),
    rule_score: Number(rounded(score.ruleScore)),
    model: shares === null ? null : model,
  };
}

/** Formats a score, never as `-0.0000`. */
function rounded(value: number): string {
  const text = value.toFixed(DIGITS);
  return Number(text) === 0 ? (0).toFixed(DIGITS) : text;
}

/** Waits for a slow reader. */
async function print(lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  if (!process.stdout.write(`${lines.join('\n')}\n`)) await once(process.stdout, 'drain');
}
