import { parseArgs } from 'node:util';
import { parseByteSize } from '../../src/lib/byte-size.ts';
import { parseDuration } from '../../src/lib/duration.ts';
import {
  COLD_MINTS_MARKET,
  HOT_MARKET,
  MAINNET_MARKET,
  type MarketOptions,
  NEW_WALLETS_MARKET,
  SLOT_MS,
} from './market-options.ts';
import { UsageError } from './usage-error.ts';

/** What the command line asks for. */
export interface StateOptions {
  readonly market: MarketOptions;
  readonly swaps: number;
  /** Null: a share of the machine's. */
  readonly stateMemoryBytes: number | null;
  /** Null: a temporary one. */
  readonly folder: string | null;
  readonly isCompared: boolean;
  /** Null: no slot is late. */
  readonly lateMs: number | null;
}

const LOADS = {
  mainnet: MAINNET_MARKET,
  'new-wallets': NEW_WALLETS_MARKET,
  'cold-mints': COLD_MINTS_MARKET,
  hot: HOT_MARKET,
} as const satisfies Readonly<Record<string, MarketOptions>>;

const OPTIONS = {
  swaps: { type: 'string', default: '2000000' },
  'state-memory': { type: 'string' },
  folder: { type: 'string' },
  load: { type: 'string', default: 'mainnet' },
  'swaps-a-second': { type: 'string' },
  seed: { type: 'string' },
  'no-reference': { type: 'boolean', default: false },
  late: { type: 'string' },
} as const;
type OptionName = keyof typeof OPTIONS;

const SWAPS_MAX = 1_000_000_000;
const SWAPS_A_SECOND_MAX = 1_000_000;
const SEED_MAX = 2 ** 32 - 1;
/** Less does not hold what a slot uses. */
const STATE_MEMORY_MIN_BYTES = 2 ** 20;

/** Reads the command line. Throws UsageError. */
export function parseStateOptions(args: readonly string[]): StateOptions {
  const texts = textsOf(args);
  const sizeText = texts.get('state-memory');
  const lateText = texts.get('late');
  return {
    market: marketOf(texts),
    swaps: wholeNumberOf('swaps', texts.get('swaps') ?? OPTIONS.swaps.default, {
      min: 1,
      max: SWAPS_MAX,
    }),
    stateMemoryBytes: sizeText === undefined ? null : sizeOf(sizeText),
    folder: texts.get('folder') ?? null,
    isCompared: !texts.has('no-reference'),
    lateMs: lateText === undefined ? null : durationOf(lateText),
  };
}

/**
 * Values by option, "" for those without one. Not parsed strictly: sentences about a value such as
 * "-5" would be about what it could have meant.
 */
function textsOf(args: readonly string[]): ReadonlyMap<OptionName, string> {
  const { tokens } = parseArgs({ args: [...args], options: OPTIONS, strict: false, tokens: true });
  const texts = new Map<OptionName, string>();
  for (const token of tokens) {
    if (token.kind === 'positional') throw new UsageError(`"${token.value}" is no option`);
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    if (!isOptionName(name)) throw new UsageError(`there is no option ${rawName}`);
    const isFlag = OPTIONS[name].type === 'boolean';
    if (isFlag && value !== undefined) throw new UsageError(`${rawName} takes no value`);
    if (!isFlag && (value ?? '') === '') throw new UsageError(`${rawName} takes a value`);
    texts.set(name, value ?? '');
  }
  return texts;
}

function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(OPTIONS, name);
}

function marketOf(texts: ReadonlyMap<OptionName, string>): MarketOptions {
  const load = loadOf(texts.get('load') ?? OPTIONS.load.default);
  const seedText = texts.get('seed');
  const rateText = texts.get('swaps-a-second');
  const seed =
    seedText === undefined ? load.seed : wholeNumberOf('seed', seedText, { min: 0, max: SEED_MAX });
  const swapsPerSlot =
    rateText === undefined ? load.swapsPerSlot : (rateOf(rateText) * SLOT_MS) / 1_000;
  return { ...load, seed, swapsPerSlot };
}

function loadOf(name: string): MarketOptions {
  if (Object.hasOwn(LOADS, name)) return LOADS[name as keyof typeof LOADS];
  throw new UsageError(`--load takes ${Object.keys(LOADS).join(', ')}, not "${name}"`);
}

function wholeNumberOf(
  name: OptionName,
  text: string,
  { min, max }: { readonly min: number; readonly max: number },
): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new UsageError(`--${name} takes a whole number from ${min} to ${max}, not "${text}"`);
}

function rateOf(text: string): number {
  const rate = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (rate > 0 && rate <= SWAPS_A_SECOND_MAX) return rate;
  throw new UsageError(
    `--swaps-a-second takes a number above 0 and up to ${SWAPS_A_SECOND_MAX}, not "${text}"`,
  );
}

function sizeOf(text: string): number {
  const bytes = parseByteSize(text);
  if (bytes !== null && bytes >= STATE_MEMORY_MIN_BYTES) return bytes;
  throw new UsageError(
    `--state-memory takes a size of 1MiB or more, such as 256MiB or 2GiB, not "${text}"`,
  );
}

function durationOf(text: string): number {
  const ms = parseDuration(text);
  if (ms !== null) return ms;
  throw new UsageError(`--late takes a duration such as 30m or 1h, not "${text}"`);
}
