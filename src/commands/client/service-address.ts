import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { API_KEY, apiKeyOf, WITH_API_KEY } from '../../config/config.ts';
import { SETTINGS } from '../../config/config-settings.ts';
import { UsageError } from '../../model/errors.ts';

/** Where a running service is, and the key to ask it with. */
export interface ServiceAddress {
  readonly baseUrl: URL;
  readonly key: string | null;
  /** What advice about the service names; `ONLY_SERVICE` if omitted. */
  readonly named?: ServiceNaming;
}

/** The option of the address of a service, and the variable of its key. */
export interface ServiceNaming {
  readonly option: string;
  readonly keyVariable: typeof API_KEY | typeof WITH_API_KEY;
}

export const ONLY_SERVICE: ServiceNaming = { option: '--url', keyVariable: API_KEY };
/** Of a command that compares two services. */
export const SECOND_SERVICE: ServiceNaming = { option: '--with', keyVariable: WITH_API_KEY };

const DEFAULT_URL = `http://${SETTINGS.host.fallback}:${SETTINGS.port.fallback}`;
/** Longer than every key. */
const KEY_FILE_CHARACTERS_MAX = 1_000;

/**
 * Options of commands that ask a running service. No option takes the key itself: everybody on the
 * machine can see the arguments of a process.
 */
export function addServiceOptions(command: Command): Command {
  return addUrlAndKeyOptions(command).option('--json', 'print what the service answers, unchanged');
}

/** Those of where the service is, for a command whose output is not for people. */
export function addUrlAndKeyOptions(command: Command): Command {
  return command
    .addOption(new Option('--url <url>', 'address of the service').default(DEFAULT_URL))
    .option('--key-file <file>', 'file that contains the API key; default MINTSCOPE_API_KEY');
}

export interface ServiceOptions {
  readonly url: string;
  readonly keyFile?: string;
  readonly json?: true;
}

/** Throws UsageError for an address or a file that cannot be one. */
export function serviceAddressOf({ url, keyFile }: ServiceOptions): ServiceAddress {
  const key = keyFile === undefined ? apiKeyOf(process.env) || null : readKeyFile(keyFile);
  assertKey(key);
  return { baseUrl: parseServiceUrl(url), key };
}

/** The address of a service whose key is in the environment. Throws UsageError. */
export function environmentAddress(
  url: string,
  named: ServiceNaming,
  environment: Readonly<Record<string, string | undefined>>,
): ServiceAddress {
  const baseUrl = parseServiceUrl(url, named);
  const key = apiKeyOf(environment, named.keyVariable) || null;
  assertKey(key);
  return { baseUrl, key, named };
}

/** The refusal of a header that cannot be sent would print the key. */
function assertKey(key: string | null): void {
  if (key === null || /^[\x21-\x7e]+$/.test(key)) return;
  throw new UsageError('An API key is one word of letters, digits and signs: check the key.');
}

/** Throws UsageError. */
function parseServiceUrl(text: string, { option, keyVariable } = ONLY_SERVICE): URL {
  const url = URL.parse(text);
  if (url !== null && url.username + url.password !== '') {
    throw new UsageError(
      `${option} takes an address without user name and password: set ${keyVariable} to an API key.`,
    );
  }
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new UsageError(`${option} takes an http or https address, not "${text}".`);
}

function readKeyFile(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').slice(0, KEY_FILE_CHARACTERS_MAX).trim();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new UsageError(`The key file cannot be read: ${error.message}.`, { cause: error });
  }
  if (text === '') throw new UsageError(`${path} contains no API key: write one into it.`);
  return text;
}
