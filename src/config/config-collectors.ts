/** Settings of the collectors of posts, one entry each as in config.ts. */
import {
  COLLECTOR_DEFAULTS,
  type CollectorSettings,
  X_MODES,
} from '../social/collectors/registry.ts';

/** As in the configuration, where the pace is named by what it paces. */
export type CollectorConfig = Omit<CollectorSettings, 'pollSeconds'> & {
  readonly socialPollSeconds: number;
};

interface CollectorSetting<Value> {
  readonly description: string;
  readonly placeholder: string;
  readonly fallback: Value;
  readonly isSecret?: boolean;
  readonly hasNoFlag?: boolean;
  readonly parse: (text: string) => { readonly value: Value } | string;
}

type Entries = {
  readonly [Name in keyof CollectorConfig]: CollectorSetting<CollectorConfig[Name]>;
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
        : 'must be wss or ws addresses, with commas between them';
    },
  },
  blueskyAppviewUrl: url('AppView of Bluesky that tells followers', 'blueskyAppviewUrl'),
  xBearerToken: secret('app-only bearer token of X', 'xBearerToken'),
  xMode: {
    description: 'whether X is searched or streams what matches rules',
    placeholder: X_MODES.join('|'),
    fallback: DEFAULTS.xMode,
    parse: (text) => {
      const value = X_MODES.find((mode) => mode === text);
      return value === undefined ? `must be one of ${X_MODES.join(', ')}` : { value };
    },
  },
  xPostsPerMonth: number('most posts that X is asked for in a month', 'xPostsPerMonth', {
    least: 100,
    most: 100_000_000,
  }),
  xBackfillMinutes: number(
    'minutes that the stream of X replays after a break, where the plan has it',
    'xBackfillMinutes',
    { least: 0, most: 5 },
  ),
  xBaseUrl: url('where the API of X is', 'xBaseUrl'),
  telegramBotToken: secret('token of a Telegram bot in the channels', 'telegramBotToken'),
  telegramBaseUrl: url('where the bot API of Telegram is', 'telegramBaseUrl'),
  farcasterApiKey: secret('API key of Neynar, for Farcaster', 'farcasterApiKey'),
  farcasterBaseUrl: url('where the API of Neynar is', 'farcasterBaseUrl'),
  redditClientId: {
    description: 'id of a Reddit application',
    placeholder: 'id',
    fallback: DEFAULTS.redditClientId,
    parse: printable,
  },
  redditClientSecret: secret('secret of the Reddit application', 'redditClientSecret'),
  redditUserAgent: {
    description: 'who asks Reddit, as its rules want it: <platform>:<app>:<version> (by /u/<name>)',
    placeholder: 'text',
    fallback: DEFAULTS.redditUserAgent,
    parse: (text) =>
      /^[\x20-\x7e]{1,200}$/.test(text) ? { value: text } : 'must be 1 to 200 printable characters',
  },
  redditCommunities: {
    description: 'communities of Reddit that are read whole, with commas between them',
    placeholder: 'names',
    fallback: DEFAULTS.redditCommunities,
    parse: (text) => {
      const names = text.split(',').map((part) => part.trim().replace(/^r\//, ''));
      return names.every((name) => /^[A-Za-z0-9_]{2,21}$/.test(name))
        ? { value: names }
        : 'must be names of communities, with commas between them';
    },
  },
  redditAuthBaseUrl: url('where Reddit gives out access', 'redditAuthBaseUrl'),
  redditApiBaseUrl: url('where the API of Reddit is', 'redditApiBaseUrl'),
  socialPollSeconds: {
    description: 'seconds between two rounds of asking platforms for posts',
    placeholder: 'number',
    fallback: pollSeconds,
    parse: (text) => integer(text, { least: 5, most: 86_400 }),
  },
};

/** What the registry of collectors takes. */
export function collectorSettingsOf(config: CollectorConfig): CollectorSettings {
  const names = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[];
  const given = Object.fromEntries(names.map((name) => [name, config[name]]));
  return { ...COLLECTOR_DEFAULTS, ...given, pollSeconds: config.socialPollSeconds };
}

/** Names of settings with a default of a kind. */
type NameOf<Value> = {
  [Name in keyof typeof DEFAULTS]: (typeof DEFAULTS)[Name] extends Value ? Name : never;
}[keyof typeof DEFAULTS];

function secret<Name extends NameOf<string | null>>(description: string, name: Name) {
  return {
    description,
    placeholder: 'text',
    fallback: DEFAULTS[name],
    ...{ isSecret: true, hasNoFlag: true },
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

function number<Name extends NameOf<number>>(description: string, name: Name, range: Range) {
  return {
    description,
    placeholder: 'number',
    fallback: DEFAULTS[name],
    parse: (text: string) => integer(text, range),
  };
}

interface Range {
  readonly least: number;
  readonly most: number;
}

function integer(text: string, { least, most }: Range) {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most
    ? { value }
    : `must be a whole number from ${least} to ${most}`;
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
