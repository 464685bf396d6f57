import { once } from 'node:events';
import { Command } from 'commander';
import { UsageError } from '../model/errors.ts';
import { type Line, readLines } from '../social/collecting/read-lines.ts';
import { createPostScorer, type PostScore } from '../social/sentiment/score-post.ts';
import { readShippedModel } from '../social/sentiment/weights-file.ts';
import { openInput } from './open-input.ts';

const DIGITS = 4;
const LINES_AT_ONCE = 1_000;
/** Posts are shorter by far: whoever gives more gives no lines. */
const LINE_BYTES_MAX = 1_024 * 1_024;

/** `sentiment`: the mood of posts, one a line, without state, settings and network. */
export function sentimentCommand(): Command {
  return new Command('sentiment')
    .description(
      'Score posts from -1 (bearish) to 1 (bullish): one text a line in, one score a line out.',
    )
    .argument('[file]', 'file of texts, one a line; standard input if left out')
    .option('--json', 'one JSON object a line: score, label, the model’s shares, the rules’ score')
    .addHelpText(
      'after',
      `
A line without words scores 0. English is read by a trained model and by rules with a lexicon of the
crypto scene, other languages by emoji and lexicon alone. The same text has the same score everywhere.

Examples:
  echo 'dev is based, this gem is sending 🚀' | mintscope sentiment
  mintscope sentiment posts.txt --json | jq -r .label | sort | uniq -c`,
    )
    .action(async (file: string | undefined, options: { json?: true }) => {
      await scoreLines(linesOf(file), options.json === true);
    });
}

/**
 * A line ends with a line feed and with nothing else: posts hold other signs that part lines, and
 * one of them must not become two scores.
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

/** Never `-0.0000`. */
function rounded(value: number): string {
  const text = value.toFixed(DIGITS);
  return Number(text) === 0 ? (0).toFixed(DIGITS) : text;
}

/** Waits for a slow reader. */
async function print(lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  if (!process.stdout.write(`${lines.join('\n')}\n`)) await once(process.stdout, 'drain');
}
