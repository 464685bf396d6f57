import { parseArgs } from 'node:util';
import { MIXES, type Mix, type TapePlan } from './live-tape.ts';

/** Options of every run against a played chain. */
export interface LiveOptions {
  readonly readsPerSecond: number;
  readonly warmupSeconds: number;
  readonly tapeFolder: string | null;
  readonly profileDir: string | null;
  /** Output file of the measurements, null for none. */
  readonly out: string | null;
  readonly isJson: boolean;
  /** Settings of the service, as environment variables. */
  readonly settings: Readonly<Record<string, string>>;
  /** The plan of the tape without its length. */
  readonly plan: Omit<TapePlan, 'blocks'>;
}

const SHARED = {
  reads: { type: 'string', default: '200' },
  warmup: { type: 'string', default: '20' },
  votes: { type: 'string', default: '20' },
  load: { type: 'string', default: '100' },
  mix: { type: 'string', default: 'mainnet' },
  past: { type: 'string', default: '1600' },
  seed: { type: 'string', default: 'live' },
  'state-memory': { type: 'string' },
  tape: { type: 'string' },
  profile: { type: 'string' },
  out: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

export const SHARED_HELP = `  --reads <number>     hot reads a second (200)
  --warmup <seconds>   followed before anything is measured (20)
  --votes <number>     votes in a block, beside its transactions (20)
  --load <percent>     of mainnet's load (100)
  --mix <name>         mainnet: trades are the part of a block that they are there; trades: all of it
  --past <slots>       passed before the first block; sooner, blocks are not full (1600)
  --seed <text>        what the market follows from (live)
  --state-memory <size>
                       memory for the service's state, such as 512MiB (its default)
  --tape <folder>      keep the blocks there, and use them again when they fit
  --profile <folder>   profile the service's processor time into this folder
  --json               print the report as one JSON line
  -h, --help           print this`;

/**
 * Reads the command line: shared options, and integers that only this command has, with their
 * defaults. Prints the help, or a sentence about an error, and then ends the process.
 */
export function parseLiveOptions<Own extends string>(
  own: Readonly<Record<Own, number>>,
  help: string,
): LiveOptions & Readonly<Record<Own, number>> {
  try {
    return readOptions(own, help);
  } catch (error) {
    if (!(error instanceof TypeError) && !(error instanceof RangeError)) throw error;
    console.error(`${error.message} (--help shows what there is)`);
    process.exit(2);
  }
}

function readOptions<Own extends string>(own: Readonly<Record<Own, number>>, help: string) {
  const names = Object.keys(own) as Own[];
  const options: Record<string, { type: 'string' | 'boolean'; default?: string | boolean }> = {
    ...SHARED,
  };
  for (const name of names) options[name] = { type: 'string', default: String(own[name]) };
  const { values } = parseArgs({ options });
  if (values.help === true) {
    console.log(help);
    process.exit(0);
  }
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : null);
  const count = (name: string) => wholeNumber(name, text(name) ?? '');
  const numbers = Object.fromEntries(names.map((name) => [name, count(name)]));
  const stateMemory = text('state-memory');
  return {
    readsPerSecond: count('reads'),
    warmupSeconds: count('warmup'),
    tapeFolder: text('tape'),
    profileDir: text('profile'),
    out: text('out'),
    isJson: values.json === true,
    settings: stateMemory === null ? {} : { MINTSCOPE_STATE_MEMORY: stateMemory },
    plan: {
      seed: text('seed') ?? '',
      warmupSlots: count('past'),
      votesPerBlock: count('votes'),
      loadPercent: count('load'),
      mix: mixOf(text('mix') ?? ''),
    },
    ...(numbers as Record<Own, number>),
  };
}

const NUMBER_MAX = 1_000_000;

function wholeNumber(name: string, text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number <= NUMBER_MAX) return number;
  throw new RangeError(`--${name} takes a whole number up to ${NUMBER_MAX}, not "${text}"`);
}

function mixOf(text: string): Mix {
  const mix = MIXES.find((name) => name === text);
  if (mix !== undefined) return mix;
  throw new RangeError(`--mix takes ${MIXES.join(' or ')}, not "${text}"`);
}
