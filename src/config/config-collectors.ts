/** Settings of the post collectors, in the form of config-settings.ts. */
import {
  COLLECTOR_DEFAULTS,
  type CollectorSettings,
  X_MODES,
} from '../social/collectors/registry.ts';
import type { Setting } from './setting.ts';
import { integerBetween, oneOf } from './setting-parsers.ts';

/** CollectorSettings as in the configuration, where the poll interval has a longer name. */
export type CollectorConfig = Omit<CollectorSettings, 'pollSeconds'> & {
  readonly socialPollSeconds: number;
};

type Entries = {
  readonly [Name in keyof CollectorConfig]: Setting<CollectorConfig[Name]>;
};

const { pollSeconds, ...DEFAULTS } = COLLECTOR_DEFAULTS;

export const COLLECTOR_SETTINGS: Entries = {
  blueskyJetstreamUrls: {
    description: 'Jetstream servers of Bluesky, such as wss://jetstream2.us-east.bsky.network',
    placeholder: 'urls',
    fallback: DEFAULTS.blueskyJetstreamUrls,
    parse: (text) => {
      const urls = text.split(',').map((part) => part.trim());
      return urls.every((url) => isUrl(url, ['wss:', 'ws:']))
        ? { value: urls }
        : 'must be wss or ws addresses, comma-separated';
    },
  },
  blueskyAppviewUrl: url('AppView of Bluesky, for follower counts', 'blueskyAppviewUrl'),
  xBearerToken: secret('app-only bearer token of X', 'xBearerToken'),
  xMode: {
    description: 'search X, or stream posts that match rules',
    placeholder: X_MODES.join('|'),
    fallback: DEFAULTS.xMode,
    parse: oneOf(X_MODES),
  },
  xPostsPerMonth: number(
    'maximum number of posts requested from X per month',
    'xPostsPerMonth',
    integerBetween(100, 100_000_000),
  ),
  xBackfillMinutes: number(
    'minutes the stream of X replays after an interruption, if the plan includes it',
    'xBackfillMinutes',
    integerBetween(0, 5),
  ),
  xBaseUrl: url('base URL of the X API', 'xBaseUrl'),
  telegramBotToken: secret('token of a Telegram bot in the channels', 'telegramBotToken'),
  telegramBaseUrl: url('base URL of the Telegram bot API', 'telegramBaseUrl'),
  farcasterApiKey: secret('Neynar API key, for Farcaster', 'farcasterApiKey'),
  farcasterBaseUrl: url('base URL of the Neynar API', 'farcasterBaseUrl'),
  redditClientId: {
    description: 'ID of a Reddit application',
    placeholder: 'id',
    fallback: DEFAULTS.redditClientId,
    parse: printable,
  },
  redditClientSecret: secret('secret of the Reddit application', 'redditClientSecret'),
  redditUserAgent: {
    description: 'user agent for Reddit: <platform>:<app>:<version> (by /u/<name>)',
    placeholder: 'text',
    fallback: DEFAULTS.redditUserAgent,
    parse: (text) =>
      /^[\x20-\x7e]{1,200}$/.test(text) ? { value: text } : 'must be 1 to 200 printable characters',
  },
  redditCommunities: {
    description: 'Reddit communities to read completely, comma-separated',
    placeholder: 'names',
    fallback: DEFAULTS.redditCommunities,
    parse: (text) => {
      const names = text.split(',').map((part) => part.trim().replace(/^r\//, ''));
      return names.every((name) => /^[A-Za-z0-9_]{2,21}$/.test(name))
        ? { value: names }
        : 'must be names of communities, comma-separated';
    },
  },
  redditAuthBaseUrl: url('base URL of Reddit authentication', 'redditAuthBaseUrl'),
  redditApiBaseUrl: url('base URL of the Reddit API', 'redditApiBaseUrl'),
  socialPollSeconds: {
    description: 'seconds between two polls of the platforms',
    placeholder: 'number',
    fallback: pollSeconds,
    parse: integerBetween(5, 86_400),
  },
};

/** Converts the configuration to the settings of the collector registry. */
export function collectorSettingsOf(config: CollectorConfig): CollectorSettings {
  const names = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[];
  const given = Object.fromEntries(names.map((name) => [name, config[name]]));
  return { ...COLLECTOR_DEFAULTS, ...given, pollSeconds: config.socialPollSeconds };
}

/** Names of settings whose default has a given type. */
type NameOf<Value> = {
  [Name in keyof typeof DEFAULTS]: (typeof DEFAULTS)[Name] extends Value ? Name : never;
}[keyof typeof DEFAULTS];

function secret<Name extends NameOf<string | null>>(description: string, name: Name) {
  return {
    description,
    placeholder: 'text',
    fallback: DEFAULTS[name],
    isSecret: true,
    hasNoFlag: true,
    parse: printable,
  };
}

function url<Name extends NameOf<string | null>>(description: string, name: Name) {
  return {
    description,
    placeholder: 'url',
    fallback: DEFAULTS[name],
    parse: (text: string) =>
      isUrl(text, ['https:', 'http:']) ? { value: text } : 'must be an https or http address',
  };
}

function number<Name extends NameOf<number>>(
  description: string,
  name: Name,
  parse: Setting<number>['parse'],
) {
  return {
    description,
    placeholder: 'number',
    fallback: DEFAULTS[name],
    parse,
  };
}

function printable(text: string) {
  return /^[\x21-\x7e]{1,2000}$/.test(text)
    ? { value: text }
    : 'must be printable characters without spaces';
}

function isUrl(text: string, protocols: readonly string[]): boolean {
  const parsed = URL.parse(text);
  return parsed !== null && protocols.includes(parsed.protocol);
}
