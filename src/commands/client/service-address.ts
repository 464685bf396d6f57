import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { apiKeyOf } from '../../config/config.ts';
import { SETTINGS } from '../../config/config-settings.ts';
import { UsageError } from '../../model/errors.ts';

/** Where a running service is, and the key to ask it with. */
export interface ServiceAddress {
  readonly baseUrl: URL;
  readonly key: string | null;
}

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
  if (key !== null && !/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError('An API key is one word of letters, digits and signs: check the key.');
  }
  return { baseUrl: parseServiceUrl(url), key };
}

/** Throws UsageError. */
export function parseServiceUrl(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new UsageError(`--url takes an http or https address, not "${text}".`);
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
