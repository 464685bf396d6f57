import { readFileSync } from 'node:fs';
import { parseDecimal } from './lib/decimal.ts';
import { UsageError } from './model/errors.ts';
import { PRICE_SCALE, type PriceE18 } from './model/units.ts';
import { type Endpoint, parseEndpoints } from './sources/rpc/endpoint.ts';
import { SUBSCRIBE_MODES, type SubscribeMode } from './sources/yellowstone/subscribe-request.ts';
import { YELLOWSTONE_CLIENTS } from './sources/yellowstone/update-stream.ts';

/**
 * The only reader of environment and configuration file.
 *
 * Each setting has one name in three spellings: `MINTSCOPE_DATA_DIR` in the environment,
 * `--data-dir` on the command line, `dataDir` in the JSON file that `MINTSCOPE_CONFIG` or
 * `--config` names. Flags win over the environment, the environment over the file. Some secrets have
 * no flag: whoever lists processes reads command lines.
 */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly bootstrapKey: string | null;
  readonly logLevel: LogLevel;
  readonly solUsdFallback: PriceE18 | null;
  readonly rateLimitPerMinute: number;
  readonly rateLimitBurst: number;
  readonly openOps: boolean;
  readonly clickhouseUrl: string | null;
  readonly clickhouseUser: string;
  readonly clickhousePassword: string | null;
  /** Null: as many as pay on this machine. */
  readonly decodeWorkers: number | null;
  /** Nodes whose chain is followed, the preferred one first; null for none. */
  readonly rpcUrl: readonly Endpoint[] | null;
  /** Of each of them. */
  readonly rpcRequestsPerSecond: number;
  /** Yellowstone server that brings new blocks; null for none. */
  readonly yellowstoneUrl: string | null;
  readonly yellowstoneToken: string | null;
  readonly yellowstoneMode: SubscribeMode;
  readonly yellowstoneClient: (typeof YELLOWSTONE_CLIENTS)[number];
  /** A service that is further behind the chain it follows gets no work. */
  readonly lagMaxSeconds: number;
  /** Profiles of wallets in memory; the others lie in a file. */
  readonly profilesMax: number;
}

export type LogLevel = (typeof LOG_LEVELS)[number];
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

interface Setting<Value> {
  readonly description: string;
  /** What stands for the value in help texts. */
  readonly placeholder: string;
  readonly fallback: Value;
  readonly isSecret?: boolean;
  /** Not taken from the command line. */
  readonly hasNoFlag?: boolean;
  /** A variable of the environment that other tools read for the same; ours wins over it. */
  readonly commonVariable?: string;
  /** The value, or a sentence fragment saying what it must be. */
  readonly parse: (text: string) => { readonly value: Value } | string;
}

type Settings = { readonly [Name in keyof Config]: Setting<Config[Name]> };

export const SETTINGS: Settings = {
  host: {
    description: 'address to listen on',
    placeholder: 'address',
    fallback: '127.0.0.1',
    parse: nonEmpty('an address or host name'),
  },
  port: {
    description: 'port to listen on; 0 takes a free one',
    placeholder: 'number',
    fallback: 8080,
    parse: integerBetween(0, 65_535),
  },
  dataDir: {
    description: 'folder that holds everything the service keeps',
    placeholder: 'folder',
    fallback: 'data',
    parse: nonEmpty('a folder'),
  },
  bootstrapKey: {
    description: 'API key to install at start, with every scope',
    placeholder: 'key',
    fallback: null,
    isSecret: true,
    parse: (text) =>
      /^[\x21-\x7e]{8,200}$/.test(text)
        ? { value: text }
        : 'must be 8 to 200 printable characters without spaces',
  },
  logLevel: {
    description: 'least level of the log lines on standard error',
    placeholder: LOG_LEVELS.join('|'),
    fallback: 'info',
    parse: oneOf(LOG_LEVELS),
  },
  solUsdFallback: {
    description: 'SOL price in USD while the chain shows none',
    placeholder: 'usd',
    fallback: null,
    parse: (text) => {
      const value = parseDecimal(text, PRICE_SCALE);
      return value === null || value <= 0n
        ? 'must be a positive decimal number'
        : { value: value as PriceE18 };
    },
  },
  rateLimitPerMinute: {
    description: 'requests per minute and key',
    placeholder: 'number',
    fallback: 600,
    parse: integerBetween(1, 10_000_000),
  },
  rateLimitBurst: {
    description: 'requests a key may send at once',
    placeholder: 'number',
    fallback: 100,
    parse: integerBetween(1, 10_000_000),
  },
  openOps: {
    description: 'answer /readyz and /metrics without a key to other machines too',
    placeholder: 'true|false',
    fallback: false,
    parse: (text) =>
      text === 'true' || text === 'false' ? { value: text === 'true' } : 'must be true or false',
  },
  clickhouseUrl: {
    description: 'ClickHouse server to use instead of the embedded engine',
    placeholder: 'url',
    fallback: null,
    parse: (text) =>
      URL.canParse(text) && /^https?:/.test(text)
        ? { value: text }
        : 'must be an http or https address',
  },
  clickhouseUser: {
    description: 'user on that server',
    placeholder: 'name',
    fallback: 'default',
    parse: nonEmpty('a user name'),
  },
  clickhousePassword: {
    description: 'password of that user',
    placeholder: 'password',
    fallback: null,
    isSecret: true,
    parse: (text) => ({ value: text }),
  },
  decodeWorkers: {
    description:
      'threads that decode recorded blocks; 0 decodes on the main thread, without it as many as pay',
    placeholder: 'number',
    fallback: null,
    parse: integerBetween(0, 64),
  },
  rpcUrl: {
    description: 'Solana RPC nodes to follow, with commas between them; or SOLANA_RPC_URL',
    placeholder: 'urls',
    fallback: null,
    isSecret: true,
    commonVariable: 'SOLANA_RPC_URL',
    parse: (text) => {
      const parsed = parseEndpoints(text);
      return parsed.status === 'ok' ? { value: parsed.endpoints } : parsed.message;
    },
  },
  rpcRequestsPerSecond: {
    description: 'most requests a second to each RPC node',
    placeholder: 'number',
    fallback: 20,
    parse: integerBetween(1, 10_000),
  },
  yellowstoneUrl: {
    description: 'Yellowstone server that streams new blocks; RPC nodes fill what it leaves out',
    placeholder: 'url',
    fallback: null,
    isSecret: true,
    parse: (text) => {
      const url = URL.canParse(text) ? new URL(text) : null;
      return url !== null &&
        /^https?:$/.test(url.protocol) &&
        `${url.username}${url.password}` === ''
        ? { value: url.origin }
        : 'must be an http or https address without a name or password in it';
    },
  },
  yellowstoneToken: {
    description: 'what that server wants as x-token',
    placeholder: 'token',
    fallback: null,
    isSecret: true,
    hasNoFlag: true,
    parse: (text) =>
      /^[\x21-\x7e]{1,1000}$/.test(text)
        ? { value: text }
        : 'must be 1 to 1000 printable characters without spaces',
  },
  yellowstoneMode: {
    description: 'how that server is asked for blocks: whole, or by their transactions',
    placeholder: SUBSCRIBE_MODES.join('|'),
    fallback: 'transactions',
    parse: oneOf(SUBSCRIBE_MODES),
  },
  yellowstoneClient: {
    description: 'client for that server; "native" is a package to be installed beside this one',
    placeholder: YELLOWSTONE_CLIENTS.join('|'),
    fallback: 'grpc-js',
    parse: oneOf(YELLOWSTONE_CLIENTS),
  },
  lagMaxSeconds: {
    description: 'further behind the chain it follows, the service is not ready',
    placeholder: 'seconds',
    fallback: 60,
    parse: integerBetween(1, 999_999_999),
  },
  profilesMax: {
    description: 'wallet profiles held in memory; the others lie in a file of the data folder',
    placeholder: 'number',
    fallback: 1_000_000,
    parse: integerBetween(1_000, 100_000_000),
  },
};

export const SETTING_NAMES = Object.keys(SETTINGS) as (keyof Config)[];

const PREFIX = 'MINTSCOPE_';
const CONFIG_FILE = 'MINTSCOPE_CONFIG';
/** Read by the tests, not by the service. */
const FOREIGN = new Set([CONFIG_FILE, 'MINTSCOPE_TEST_DATA']);

/**
 * Reads the configuration. Throws UsageError naming the setting, where it came from and what it
 * must be. `flags` are by setting name, undefined where not given.
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Record<string, string | undefined>>,
): Config {
  const file = readConfigFile(flags.config ?? environment[CONFIG_FILE]);
  refuseUnknown(environment, file);
  const config: Record<string, unknown> = {};
  for (const name of SETTING_NAMES) {
    const { commonVariable = '', hasNoFlag } = SETTINGS[name];
    const given = firstGiven([
      [hasNoFlag === true ? undefined : flags[name], flagOf(name)],
      [environment[environmentName(name)], environmentName(name)],
      [environment[commonVariable], commonVariable],
      [file.get(name), originInFile(name)],
    ]);
    config[name] = given === null ? SETTINGS[name].fallback : parseSetting(name, ...given);
  }
  return Object.freeze(config) as unknown as Config;
}

/** `dataDir` → `MINTSCOPE_DATA_DIR`. */
export function environmentName(name: keyof Config): string {
  return PREFIX + name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** `dataDir` → `--data-dir`. */
export function flagOf(name: keyof Config): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function parseSetting(name: keyof Config, text: string, origin: string): unknown {
  const setting = SETTINGS[name];
  const parsed = setting.parse(text);
  if (typeof parsed !== 'string') return parsed.value;
  const shown = setting.isSecret === true ? '' : `, not "${text}"`;
  throw new UsageError(`${origin} ${parsed}${shown}.`);
}

function firstGiven(
  candidates: readonly (readonly [string | undefined, string])[],
): readonly [string, string] | null {
  for (const [text, origin] of candidates) if (text !== undefined) return [text, origin];
  return null;
}

function readConfigFile(path: string | undefined): ReadonlyMap<string, string> {
  if (path === undefined) return new Map();
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`Cannot read the configuration file ${path}: ${reason}.`, {
      cause: error,
    });
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new UsageError(`The configuration file ${path} must hold one JSON object.`);
  }
  return new Map(Object.entries(content).map(([name, value]) => [name, textOf(name, value)]));
}

/** A value of the file as a flag would spell it. Says only the kind of a wrong one: it may be secret. */
function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const kind = value === null ? 'null' : Array.isArray(value) ? 'an array' : 'an object';
  throw new UsageError(
    `${originInFile(name)} must be a string, a number or a boolean, not ${kind}.`,
  );
}

function originInFile(name: string): string {
  return `"${name}" in the configuration file`;
}

function refuseUnknown(
  environment: Readonly<Record<string, string | undefined>>,
  file: ReadonlyMap<string, string>,
): void {
  const variables = SETTING_NAMES.map(environmentName);
  for (const name of Object.keys(environment)) {
    if (name.startsWith(PREFIX) && !variables.includes(name) && !FOREIGN.has(name)) {
      throw new UsageError(unknownSetting(name, 'environment variable', variables));
    }
  }
  for (const name of file.keys()) {
    if (!SETTING_NAMES.includes(name as keyof Config)) {
      throw new UsageError(unknownSetting(name, 'setting', SETTING_NAMES));
    }
  }
}

function unknownSetting(name: string, what: string, known: readonly string[]): string {
  const near = known
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .sort((one, other) => one.distance - other.distance)[0];
  // The prefix says nothing of what was meant.
  const ownLength = name.length - (name.startsWith(PREFIX) ? PREFIX.length : 0);
  const isNear = near !== undefined && near.distance * 3 <= ownLength;
  const hint = isNear ? ` Did you mean ${near.candidate}?` : '';
  return `Unknown ${what} ${name}.${hint}`;
}

/** Letters to replace, add, drop or swap with their neighbour (optimal string alignment). */
function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] as number) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwap ? (before[j - 2] as number) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    before = row;
    row = next;
  }
  return row[other.length] as number;
}

function nonEmpty(what: string) {
  return (text: string) => (text.trim() === '' ? `must be ${what}` : { value: text });
}

function oneOf<Value extends string>(values: readonly Value[]) {
  return (text: string) => {
    const value = values.find((known) => known === text);
    return value === undefined ? `must be one of ${values.join(', ')}` : { value };
  };
}

function integerBetween(least: number, most: number) {
  return (text: string) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most
      ? { value }
      : `must be a whole number from ${least} to ${most}`;
  };
}
