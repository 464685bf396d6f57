/** Settings of several machines, in the form of config-settings.ts. */
import { hostname } from 'node:os';
import type { NatsServers } from '../cluster/nats-connection.ts';
import type { Setting } from './setting.ts';
import { durationFrom, integerBetween, oneOf } from './setting-parsers.ts';

/** The part that a process has among several machines, and where they meet. */
export interface ClusterConfig {
  /**
   * `ingest` appends the chain to a stream, `fold` serves what the stream has, `gather` does so to
   * gather off-chain facts and delivers no webhooks, `api` answers from replicas; `all` does all
   * without a stream.
   */
  readonly role: (typeof ROLES)[number];
  /** Null for none, which only the role `all` allows. */
  readonly natsUrl: NatsServers | null;
  readonly natsStream: string;
  /** Servers that keep each message of the stream. */
  readonly natsReplicas: number;
  /** Milliseconds for which the stream keeps messages. */
  readonly natsStreamAge: number;
  /** Whether servers are accepted that are too old for production. */
  readonly natsOldServers: 'refuse' | 'allow';
  /** Slot that an empty stream begins with; null for the newest final one. */
  readonly fromSlot: number | null;
  /** Origins of the replicas that a process of the role `api` asks. */
  readonly replicas: readonly string[];
  /** Name of this process among the others. */
  readonly replicaName: string;
}

const ROLES = ['all', 'ingest', 'fold', 'gather', 'api'] as const;
const REPLICAS_MAX = 16;
const ADDRESSES_MAX = 16;
const DEFAULT_PORT = '4222';
const WEEK_MS = 7 * 24 * 60 * 60_000;

type Entries = { readonly [Name in keyof ClusterConfig]: Setting<ClusterConfig[Name]> };

/** One entry per setting. */
export const CLUSTER_SETTINGS: Entries = {
  role: {
    description:
      'part of this process among several machines: follow the chain into a stream, serve what the stream has, do so to gather off-chain facts, answer from replicas, or all in one without a stream',
    placeholder: ROLES.join('|'),
    fallback: 'all',
    parse: oneOf(ROLES),
  },
  natsUrl: {
    description:
      'NATS servers of the stream, comma-separated, such as nats://user:password@host:4222',
    placeholder: 'urls',
    fallback: null,
    isSecret: true,
    parse: parseNatsServers,
  },
  natsStream: {
    description: 'name of the stream',
    placeholder: 'name',
    fallback: 'mintscope',
    parse: (text) =>
      /^[A-Za-z0-9_-]{1,64}$/.test(text)
        ? { value: text }
        : 'must be at most 64 letters, digits, underscores and hyphens',
  },
  natsReplicas: {
    description: 'NATS servers that keep each message of the stream, when it is created',
    placeholder: 'number',
    fallback: 3,
    parse: integerBetween(1, 5),
  },
  natsStreamAge: {
    description: 'time for which the stream keeps messages, such as 7d, when it is created',
    placeholder: 'duration',
    fallback: WEEK_MS,
    parse: durationFrom('1h'),
  },
  natsOldServers: {
    description: 'whether NATS servers are accepted that are too old for production; for trials',
    placeholder: 'refuse|allow',
    fallback: 'refuse',
    parse: oneOf(['refuse', 'allow'] as const),
  },
  fromSlot: {
    description:
      'slot that an empty stream begins with, fetched from RPC nodes; the newest final one if omitted',
    placeholder: 'slot',
    fallback: null,
    parse: integerBetween(0, Number.MAX_SAFE_INTEGER),
  },
  replicas: {
    description:
      'replicas that a process of the role api asks, comma-separated, such as http://fold-1:8080',
    placeholder: 'origins',
    fallback: [],
    parse: parseReplicas,
  },
  replicaName: {
    description: 'name of this process among the others; the host name if omitted',
    placeholder: 'name',
    fallback: hostname().slice(0, 64),
    parse: (text) =>
      /^[\x21-\x7e]{1,64}$/.test(text)
        ? { value: text }
        : 'must be at most 64 printable characters',
  },
};

/** Whether a process of a role holds the state that the stream has. */
export function isReplicaRole(role: ClusterConfig['role']): boolean {
  return role === 'fold' || role === 'gather';
}

/** Each origin is that of one replica, not of a balancer before several. */
function parseReplicas(text: string): { readonly value: readonly string[] } | string {
  const urls = text.split(',').map((part) => URL.parse(part.trim()));
  const isUsable = (url: URL | null): url is URL =>
    url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (!urls.every(isUsable) || urls.length > REPLICAS_MAX) {
    return `must be http or https addresses without a path, with commas between them, at most ${REPLICAS_MAX}`;
  }
  const origins = urls.map(({ origin }) => origin);
  return new Set(origins).size === origins.length ? { value: origins } : 'must not name one twice';
}

/** All addresses must have the same credentials, which may be a user and password or a token. */
function parseNatsServers(text: string): { readonly value: NatsServers } | string {
  const urls = text.split(',').map((part) => URL.parse(part.trim()));
  const isUsable = (url: URL | null): url is URL =>
    url !== null &&
    /^(nats|tls):$/.test(url.protocol) &&
    url.hostname !== '' &&
    /^\/?$/.test(url.pathname) &&
    `${url.search}${url.hash}` === '';
  if (!urls.every(isUsable) || urls.length > ADDRESSES_MAX) {
    return 'must be nats or tls addresses without a path, with commas between them, at most 16';
  }
  const [first] = urls;
  if (first === undefined) return 'must be at least one address';
  const { username, password, protocol } = first;
  const isSame = urls.every(
    (url) => url.username === username && url.password === password && url.protocol === protocol,
  );
  if (!isSame) return 'must have the same protocol, user and password in each address';
  const isToken = username !== '' && password === '';
  return {
    value: {
      addresses: urls.map(
        ({ hostname, port }) => `${hostname}:${port === '' ? DEFAULT_PORT : port}`,
      ),
      user: username === '' || isToken ? null : decodeURIComponent(username),
      password: password === '' ? null : decodeURIComponent(password),
      token: isToken ? decodeURIComponent(username) : null,
      isEncrypted: protocol === 'tls:',
    },
  };
}
