import { Command, Option } from 'commander';
import { SignalsBody } from '../api/present/signals-body.ts';
import { SIGNAL_MODELS } from '../model/signal.ts';
import { askedBy } from './client/client-command.ts';
import { parseAnswer } from './client/parse-answer.ts';
import { signalsLines } from './client/signals-lines.ts';
import { wholeNumberOption } from './whole-number-option.ts';

const LIMIT_MAX = 10_000;
const LIMIT_DEFAULT = '20';
const HOURS_MAX = 87_600;
const HOURS_DEFAULT = '24';
const HOUR_MS = 3_600_000;

/** `signals`: asks a running service for the newest signals. */
export function signalsCommand(): Command {
  const command = new Command('signals')
    .description('Show the newest signals of the models, and what became of them.')
    .option('--hours <number>', `signals of the last hours, 1 to ${HOURS_MAX}`, HOURS_DEFAULT)
    .option('--limit <number>', `number of signals, 1 to ${LIMIT_MAX}`, LIMIT_DEFAULT)
    .addOption(new Option('--model <name>', 'only signals of this model').choices(SIGNAL_MODELS))
    .addHelpText(
      'after',
      `
Examples:
  mintscope signals
  mintscope signals --hours 168 --limit 100 --json | jq -r .signals[].token_address`,
    );
  return askedBy(command, {
    question: (_, { hours, limit, model }) => {
      const sinceMs = wholeNumberOption('--hours', String(hours), 1, HOURS_MAX) * HOUR_MS;
      return {
        path: '/v1/signals',
        query: {
          from_date: new Date(Date.now() - sinceMs).toISOString(),
          limit: String(wholeNumberOption('--limit', String(limit), 1, LIMIT_MAX)),
          ...(model === undefined ? {} : { model_name: String(model) }),
        },
      };
    },
    parse: (text, host) => parseAnswer(text, SignalsBody, host),
    linesOf: signalsLines,
  });
}
