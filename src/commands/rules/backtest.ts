import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import type { Static } from 'typebox';
import { BacktestBody } from '../../api/present/backtest-body.ts';
import { ServiceError, UsageError } from '../../model/errors.ts';
import { askService } from '../client/ask-service.ts';
import { backtestLines, lookAheadLines } from '../client/backtest-lines.ts';
import { standardPage } from '../client/client-command.ts';
import { parseAnswer } from '../client/parse-answer.ts';
import {
  addServiceOptions,
  type ServiceAddress,
  type ServiceOptions,
  serviceAddressOf,
} from '../client/service-address.ts';
import { printable } from '../printable.ts';

const POLL_MS = 1_000;
const DAY_MS = 86_400_000;
const DAYS_DEFAULT = 30;
const FAULT_EXIT = 1;
/** Larger than any rule. */
const FILE_BYTES_MAX = 65_536;

type Job = Static<typeof BacktestBody.schema>;
type Report = NonNullable<Job['report']>;

interface Options extends ServiceOptions {
  readonly from?: string;
  readonly to?: string;
}

/** `rules backtest`: what a rule would have been worth, from the log of a running service. */
export function backtestCommand(): Command {
  const command = new Command('backtest')
    .description('Show what a rule would have been worth, without looking ahead.')
    .argument('<file>', 'rule file')
    .argument('[variants...]', 'files with variants, among which a walk-forward chooses')
    .addHelpText(
      'after',
      `
Each distinct content of a rule is a try of its name, and intervals are charged for all tries.
Exit code 1: the proof found a feature that looks ahead.

Examples:
  mintscope rules backtest dip.yaml
  mintscope rules backtest dip.yaml dip-strict.yaml --from 2026-01-01 --to 2026-02-01 --json`,
    );
  return withRange(command).action(async (file: string, variants: string[], options: Options) => {
    await run([file, ...variants], options, (report) => backtestLines(report, standardPage()));
  });
}

/** `rules lookahead`: only the proof. */
export function lookaheadCommand(): Command {
  const command = new Command('lookahead')
    .description('Prove on a cut log that a rule does not look ahead.')
    .argument('<file>', 'rule file')
    .addHelpText(
      'after',
      `
The rule is backtested. At up to 50 of its hits the log is cut at the end of the minute, and the
features are read again. Exit code 1: a feature has another value then.

Example:
  mintscope rules lookahead dip.yaml`,
    );
  return withRange(command).action(async (file: string, options: Options) => {
    await run([file], options, ({ look_ahead }) => lookAheadLines(look_ahead, standardPage()));
  });
}

function withRange(command: Command): Command {
  return addServiceOptions(command)
    .option('--from <time>', `start of the range; default ${DAYS_DEFAULT} days before its end`)
    .option('--to <time>', 'end of the range; default now');
}

async function run(
  files: readonly string[],
  options: Options,
  linesOf: (report: Report) => readonly string[],
): Promise<void> {
  const [rule = '', ...variants] = files.map(readText);
  const address = serviceAddressOf(options);
  const { text } = await askService(address, {
    path: '/v1/backtests',
    method: 'POST',
    body: { rule, ...(variants.length === 0 ? {} : { variants }), ...rangeOf(options) },
  });
  const { id } = parseAnswer(text, BacktestBody.schema, address.baseUrl.host);
  const { answer, report } = await ended(id, address);
  process.stdout.write(options.json === true ? `${answer}\n` : `${linesOf(report).join('\n')}\n`);
  if ((report.look_ahead?.faults.length ?? 0) > 0) process.exitCode = FAULT_EXIT;
}

/** Waits for the end and prints the progress. Throws ServiceError for a backtest without a report. */
async function ended(id: string, address: ServiceAddress) {
  let shownPercent = '';
  for (;;) {
    const { text: answer } = await askService(address, { path: `/v1/backtests/${id}` });
    const job = parseAnswer(answer, BacktestBody.schema, address.baseUrl.host);
    if (job.report !== null) return { answer, report: job.report };
    if (job.ended_at !== null) {
      throw new ServiceError(`The backtest ${job.state}: ${printable(job.reason ?? 'no reason')}`);
    }
    const percent = `${Math.floor(Number(job.progress) * 100)} %`;
    if (percent !== shownPercent) process.stderr.write(`${job.state}, ${percent}\n`);
    shownPercent = percent;
    await sleep(POLL_MS);
  }
}

function rangeOf({ from, to }: Options): { readonly from: string; readonly to: string } {
  const toMs = to === undefined ? Date.now() : timeOf('--to', to);
  const fromMs = from === undefined ? toMs - DAYS_DEFAULT * DAY_MS : timeOf('--from', from);
  if (fromMs >= toMs) throw new UsageError('--from must be before --to.');
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}

function timeOf(option: string, text: string): number {
  const timeMs = Date.parse(text);
  if (Number.isFinite(timeMs)) return timeMs;
  throw new UsageError(`${option} takes a day or an instant, as 2026-01-01, not "${text}".`);
}

function readText(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new UsageError(`The rule cannot be read: ${error.message}.`, { cause: error });
  }
  if (Buffer.byteLength(text) > FILE_BYTES_MAX)
    throw new UsageError(`${path} is no rule: too large.`);
  return text;
}
