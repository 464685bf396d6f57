import { readFileSync } from 'node:fs';
import { nearestName } from '../lib/nearest-name.ts';
import { UsageError } from '../model/errors.ts';
import { type Config, REMOVED_SETTINGS, SETTINGS } from './config-settings.ts';

/**
 * The only module that reads the environment and the configuration file.
 *
 * Each setting has one name in three spellings: `MINTSCOPE_DATA_DIR` in the environment,
 * `--data-dir` on the command line, `dataDir` in the JSON file named by `MINTSCOPE_CONFIG` or
 * `--config`. Flags take precedence over the environment, and the environment over the file. Some
 * secrets have no flag, because command lines are visible in process lists.
 */
export const SETTING_NAMES = Object.keys(SETTINGS) as (keyof Config)[];

const PREFIX = 'MINTSCOPE_';
const CONFIG_FILE = 'MINTSCOPE_CONFIG';
/** The key of a command that asks a service. */
export const API_KEY = 'MINTSCOPE_API_KEY';
/** The key of the second service, for a command that asks two. */
export const WITH_API_KEY = 'MINTSCOPE_WITH_API_KEY';
/** Variables with the prefix that are not settings. */
const FOREIGN = new Set([CONFIG_FILE, API_KEY, WITH_API_KEY]);
/** Begins the variables of test runs, which what a test starts inherits. */
const TEST_PREFIX = `${PREFIX}TEST_`;

/**
 * Reads the configuration. Throws UsageError naming the setting, its origin and the expected value.
 * `flags` are keyed by setting name, undefined if not given.
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Record<string, string | undefined>>,
): Config {
  const config: Record<string, unknown> = {};
  for (const [name, given] of givenSettings(environment, flags)) {
    config[name] = given === null ? SETTINGS[name].fallback : parseSetting(name, ...given);
  }
  return Object.freeze(config) as unknown as Config;
}

/** The text of each setting and its origin, as it was given; null for its default. */
export function givenSettings(
  environment: Environment,
  flags: Environment,
): ReadonlyMap<keyof Config, readonly [text: string, origin: string] | null> {
  const file = readConfigFile(flags.config ?? environment[CONFIG_FILE]);
  refuseUnknown(environment, file);
  return new Map(
    SETTING_NAMES.map((name) => {
      const { commonVariable = '', hasNoFlag } = SETTINGS[name];
      const given = firstGiven([
        [hasNoFlag === true ? undefined : flags[name], flagOf(name)],
        [environment[environmentName(name)], environmentName(name)],
        [environment[commonVariable], commonVariable],
        [file.get(name), originInFile(name)],
      ]);
      return [name, given];
    }),
  );
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The API key with which commands ask a service; null if none is set. */
export function apiKeyOf(
  environment: Readonly<Record<string, string | undefined>>,
  variable: typeof API_KEY | typeof WITH_API_KEY = API_KEY,
): string | null {
  return environment[variable] ?? null;
}

/** `dataDir` → `MINTSCOPE_DATA_DIR`. */
export function environmentName(name: string): string {
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
    throw new UsageError(`The configuration file ${path} must contain one JSON object.`);
  }
  return new Map(Object.entries(content).map(([name, value]) => [name, textOf(name, value)]));
}

/**
 * Converts a value of the file to its flag spelling. Errors contain only the type of the value,
 * which may be secret.
 */
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
    refuseRemoved(name, name, environmentName);
    if (!name.startsWith(PREFIX) || name.startsWith(TEST_PREFIX)) continue;
    if (!variables.includes(name) && !FOREIGN.has(name)) {
      throw new UsageError(unknownSetting(name, 'environment variable', variables));
    }
  }
  for (const name of file.keys()) {
    refuseRemoved(name, originInFile(name), (setting) => setting);
    if (!SETTING_NAMES.includes(name as keyof Config)) {
      throw new UsageError(unknownSetting(name, 'setting', SETTING_NAMES));
    }
  }
}

function refuseRemoved(
  name: string,
  origin: string,
  spellingOf: (setting: string) => string,
): void {
  for (const [setting, reason] of Object.entries(REMOVED_SETTINGS)) {
    if (spellingOf(setting) !== name) continue;
    throw new UsageError(`${origin} no longer exists: ${reason}. Remove it.`);
  }
}

function unknownSetting(name: string, kind: string, known: readonly string[]): string {
  // The common prefix does not indicate similarity.
  const ownLength = name.length - (name.startsWith(PREFIX) ? PREFIX.length : 0);
  const near = nearestName(name, known, Math.floor(ownLength / 3));
  const hint = near === null ? '' : ` Did you mean ${near}?`;
  return `Unknown ${kind} ${name}.${hint}`;
}
