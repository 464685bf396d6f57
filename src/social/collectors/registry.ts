import type { Collector } from '../collecting/collector.ts';
import { createBlueskyCollector } from './bluesky/bluesky-collector.ts';
import { createFarcasterCollector } from './farcaster/farcaster-collector.ts';
import { createRedditCollector } from './reddit/reddit-collector.ts';
import { createTelegramCollector } from './telegram/telegram-collector.ts';
import { createXSearch } from './x/x-search.ts';
import { createXStream } from './x/x-stream.ts';

/**
 * Which collectors run, and how. A platform is enabled by its setting: Bluesky needs only a URL,
 * all others a credential. Base URLs are for gateways and tests.
 */
export interface CollectorSettings {
  /** Jetstream servers, the preferred one first; null or empty disables Bluesky. */
  readonly blueskyJetstreamUrls: readonly string[] | null;
  /** AppView that provides followers; null leaves them unknown. */
  readonly blueskyAppviewUrl: string | null;
  /** Bearer token of an app (OAuth 2.0 app-only); null disables X. Secret. */
  readonly xBearerToken: string | null;
  /** Every plan has the search; only some have the stream. */
  readonly xMode: XMode;
  /** Maximum posts read from X in a month (UTC), since X bills each of them. */
  readonly xPostsPerMonth: number;
  /**
   * Minutes that the stream replays after an interruption: 0 to 5, 0 for plans without backfill.
   */
  readonly xBackfillMinutes: number;
  readonly xBaseUrl: string;
  /** Token of a bot that is a member of the channels; null disables Telegram. Secret. */
  readonly telegramBotToken: string | null;
  readonly telegramBaseUrl: string;
  /** API key of Neynar; null disables Farcaster. Secret. */
  readonly farcasterApiKey: string | null;
  readonly farcasterBaseUrl: string;
  /** Id and secret of an application; null disables Reddit. The client secret is secret. */
  readonly redditClientId: string | null;
  readonly redditClientSecret: string | null;
  /** User agent in Reddit's form: `<platform>:<app id>:<version> (by /u/<name>)`. */
  readonly redditUserAgent: string;
  /** Communities, without `r/`, whose posts are all read; all others are searched. */
  readonly redditCommunities: readonly string[];
  readonly redditAuthBaseUrl: string;
  readonly redditApiBaseUrl: string;
  /** Pause between two rounds of the polled platforms. */
  readonly pollSeconds: number;
}

export const X_MODES = ['search', 'stream'] as const;

export type XMode = (typeof X_MODES)[number];

/** Nothing is collected by default: every platform has its own terms and prices. */
export const COLLECTOR_DEFAULTS: CollectorSettings = {
  blueskyJetstreamUrls: null,
  blueskyAppviewUrl: 'https://public.api.bsky.app',
  xBearerToken: null,
  xMode: 'search',
  xPostsPerMonth: 10_000,
  xBackfillMinutes: 0,
  xBaseUrl: 'https://api.x.com',
  telegramBotToken: null,
  telegramBaseUrl: 'https://api.telegram.org',
  farcasterApiKey: null,
  farcasterBaseUrl: 'https://api.neynar.com',
  redditClientId: null,
  redditClientSecret: null,
  redditUserAgent: 'server:mintscope:v0.1.0 (self-hosted)',
  redditCommunities: [],
  redditAuthBaseUrl: 'https://www.reddit.com',
  redditApiBaseUrl: 'https://oauth.reddit.com',
  pollSeconds: 60,
};

const SILENCE_MS = 60_000;
const PING_MS = 20_000;
const BATCH_MS = 250;
/** X sends data every 20 seconds; missing twice means that the connection is lost. */
const X_SILENCE_MS = 45_000;
const X_QUERY_LENGTH_MAX = 512;
const X_QUERIES_MAX = 50;
const X_RULE_LENGTH_MAX = 1_024;
const X_RULES_MAX = 1_000;
/** An app may send 450 requests in 15 minutes. */
const X_REQUESTS_PER_MINUTE = 25;
const QUERIES_MAX = 50;
const RECHECK_MS = 5 * 60_000;

/** One per enabled platform, in a fixed order. Throws TypeError for an invalid URL. */
export function createCollectors(settings: CollectorSettings): readonly Collector[] {
  return [bluesky, x, telegram, farcaster, reddit].flatMap((create) => create(settings) ?? []);
}

function bluesky(settings: CollectorSettings): Collector | null {
  const { blueskyJetstreamUrls: jetstreamUrls, blueskyAppviewUrl: baseUrl } = settings;
  if (jetstreamUrls === null || jetstreamUrls.length === 0) return null;
  for (const url of jetstreamUrls) new URL(url);
  return createBlueskyCollector({
    jetstreamUrls,
    profiles: baseUrl === null ? null : { baseUrl, requestsPerMinute: 300 },
    silenceMs: SILENCE_MS,
    pingMs: PING_MS,
    batchMs: BATCH_MS,
  });
}

function x(settings: CollectorSettings): Collector | null {
  const { xBearerToken: bearerToken, xBaseUrl: baseUrl, xPostsPerMonth: postsPerMonth } = settings;
  if (bearerToken === null) return null;
  const common = { baseUrl, bearerToken, postsPerMonth, requestsPerMinute: X_REQUESTS_PER_MINUTE };
  if (settings.xMode === 'search') {
    return createXSearch({
      ...common,
      pollMs: settings.pollSeconds * 1_000,
      queryLengthMax: X_QUERY_LENGTH_MAX,
      queriesMax: X_QUERIES_MAX,
    });
  }
  return createXStream({
    ...common,
    ruleLengthMax: X_RULE_LENGTH_MAX,
    rulesMax: X_RULES_MAX,
    backfillMinutesMax: Math.min(5, settings.xBackfillMinutes),
    silenceMs: X_SILENCE_MS,
    rulesMs: settings.pollSeconds * 1_000,
  });
}

function telegram({ telegramBotToken: botToken, telegramBaseUrl }: CollectorSettings) {
  if (botToken === null) return null;
  return createTelegramCollector({
    baseUrl: telegramBaseUrl,
    botToken,
    longPollSeconds: 50,
    requestsPerMinute: 120,
  });
}

function farcaster({ farcasterApiKey, farcasterBaseUrl, pollSeconds }: CollectorSettings) {
  if (farcasterApiKey === null) return null;
  return createFarcasterCollector({
    baseUrl: farcasterBaseUrl,
    apiKey: farcasterApiKey,
    pollMs: pollSeconds * 1_000,
    requestsPerMinute: 60,
    queriesMax: QUERIES_MAX,
  });
}

function reddit(settings: CollectorSettings): Collector | null {
  const { redditClientId: clientId, redditClientSecret: clientSecret } = settings;
  if (clientId === null || clientSecret === null) return null;
  return createRedditCollector({
    clientId,
    clientSecret,
    userAgent: settings.redditUserAgent,
    communities: settings.redditCommunities,
    authBaseUrl: settings.redditAuthBaseUrl,
    apiBaseUrl: settings.redditApiBaseUrl,
    requestsPerMinute: 60,
    pollMs: settings.pollSeconds * 1_000,
    queriesMax: QUERIES_MAX,
    recheckMs: RECHECK_MS,
  });
}
