import { once } from 'node:events';
import { Argument, Command } from 'commander';
import {
  parametersOf,
  parseTopicParameters,
  TOPIC_PARAMETERS,
  toTopicRequest,
} from '../api/streams/topics/topic-parameters.ts';
import { wrapText } from '../lib/terminal/wrap-text.ts';
import { ApiError, UsageError } from '../model/errors.ts';
import { STREAM_TOPICS, type StreamTopic } from '../model/slot-frame.ts';
import { standardPage } from './client/client-command.ts';
import {
  addServiceOptions,
  type ServiceOptions,
  serviceAddressOf,
} from './client/service-address.ts';
import { type WatchedTopic, watchStream } from './client/stream-watch.ts';
import { watchLines } from './client/watch-line.ts';

type Options = ServiceOptions & Readonly<Record<string, unknown>>;
type ParameterName = keyof typeof TOPIC_PARAMETERS;

const PARAMETERS = Object.keys(TOPIC_PARAMETERS) as ParameterName[];

/** `watch`: prints what the filtered stream of a running service sends. */
export function watchCommand(): Command {
  const command = new Command('watch')
    .description('Print changes of selected topics as they come, until Ctrl+C.')
    .addArgument(new Argument('<topics...>', 'topics of the stream').choices(STREAM_TOPICS));
  for (const name of PARAMETERS) {
    const { description } = TOPIC_PARAMETERS[name] as { readonly description?: string };
    const topics = STREAM_TOPICS.filter((topic) => parametersOf(topic).includes(name)).join(', ');
    command.option(`${flagOf(name)} <value>`, `${description ?? ''} (${topics})`);
  }
  return addServiceOptions(command)
    .addHelpText(
      'after',
      `
token, wallet and candles want an address. When the connection is lost, watch connects again, goes on
after the last message, and says so if messages are missing. --json prints messages and reports of
missing ones, one on each line, as the service sends them.

Examples:
  mintscope watch new_tokens findings signals
  mintscope watch trades --token-address So11111111111111111111111111111111111111112
  mintscope watch chain --json | jq .slot`,
    )
    .action(watch);
}

async function watch(names: readonly StreamTopic[], options: Options): Promise<void> {
  const topics = watchedTopics(names, options);
  const address = serviceAddressOf(options);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const isJson = options.json === true;
  const note = (sentence: string) =>
    process.stderr.write(`${wrapText(sentence, standardPage().columns).join('\n')}\n`);
  await watchStream({
    address,
    topics,
    signal: stopping.signal,
    onMessage: async (message, text) => {
      const lines = isJson ? [text] : watchLines(message, standardPage());
      if (process.stdout.write(`${lines.join('\n')}\n`)) return;
      // A slow reader slows the stream. One that has left ends the command.
      await once(process.stdout, 'drain', { signal: stopping.signal }).catch(() => undefined);
    },
    onGap: (text) => {
      if (isJson) process.stdout.write(`${text}\n`);
      else note('Messages are missing here: the service no longer has them.');
    },
    onNotice: note,
  });
}

/** Throws UsageError for parameters that a topic does not take, or that it needs. */
export function watchedTopics(names: readonly StreamTopic[], options: Options): WatchedTopic[] {
  const given = PARAMETERS.filter((name) => options[optionOf(name)] !== undefined);
  const unused = given.find((name) => !names.some((topic) => parametersOf(topic).includes(name)));
  if (unused !== undefined) {
    throw new UsageError(`${names.join(', ')} cannot be selected by ${flagOf(unused)}.`);
  }
  return [...new Set(names)].map((topic) => {
    const taken = given.filter((name) => parametersOf(topic).includes(name));
    const params = Object.fromEntries(taken.map((name) => [name, options[optionOf(name)]]));
    try {
      toTopicRequest(topic, parseTopicParameters(topic, params), '');
    } catch (error) {
      if (error instanceof ApiError) throw new UsageError(error.message, { cause: error });
      throw error;
    }
    return { topic, params };
  });
}

/** `token_address` → `--token-address`. */
function flagOf(name: ParameterName): string {
  return `--${name.replaceAll('_', '-')}`;
}

/** `token_address` → `tokenAddress`. */
function optionOf(name: ParameterName): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
