import { type PrivateOrigins, parseOrigins } from '../alerts/webhooks/webhook-target.ts';
import { parseDecimal } from '../lib/decimal.ts';
import { SAFE_FETCH_DEFAULTS } from '../lib/safe-fetch/safe-fetch.ts';
import { isStrongSecret, SECRET_RULE } from '../lib/secret-strength.ts';
import { asPriceE18, PRICE_SCALE, type PriceE18 } from '../model/units.ts';
import { BACKUP_SETTINGS, type BackupConfig } from './config-backup.ts';
import { CHAIN_SETTINGS, type ChainConfig } from './config-chain.ts';
import { CLUSTER_SETTINGS, type ClusterConfig } from './config-cluster.ts';
import { COLLECTOR_SETTINGS, type CollectorConfig } from './config-collectors.ts';
import { DETECTOR_SETTINGS, type DetectorConfig } from './config-detectors.ts';
import type { Setting } from './setting.ts';
import {
  byteSizeFrom,
  durationFrom,
  integerBetween,
  nonEmpty,
  oneOf,
  plainHttpUrl,
  sqlName,
} from './setting-parsers.ts';

/**
 * All settings of the service: purpose, default and parser of each. `config.ts` defines where they
 * can be set.
 */
export interface Config
  extends BackupConfig,
    ChainConfig,
    ClusterConfig,
    CollectorConfig,
    DetectorConfig {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly bootstrapKey: string | null;
  readonly logLevel: LogLevel;
  readonly solUsdFallback: PriceE18 | null;
  readonly rateLimitPerMinute: number;
  readonly rateLimitBurst: number;
  readonly openOps: boolean;
  /** Origins whose pages may use the API with a key of their own. */
  readonly corsOrigins: readonly string[];
  /** Port of the gRPC listener; null for none. */
  readonly grpcPort: number | null;
  readonly grpcTlsCertFile: string | null;
  readonly grpcTlsKeyFile: string | null;
  readonly clickhouseUrl: string | null;
  readonly clickhouseUser: string;
  readonly clickhousePassword: string | null;
  readonly clickhouseDatabase: string;
  readonly clickhouseCluster: string | null;
  /** Null for an automatic number based on the machine. */
  readonly decodeWorkers: number | null;
  /** Bytes of memory for the folded state; null for a share of the machine's memory. */
  readonly stateMemory: number | null;
  /** Milliseconds of the chain that the log retains; null to drop nothing. */
  readonly logRetention: number | null;
  /**
   * Whether metadata, pictures, links and posts are gathered; auto: while a chain is followed;
   * follow: by another replica only.
   */
  readonly offchain: (typeof OFFCHAIN_MODES)[number];
  /** IPFS gateways, in order of preference. */
  readonly ipfsGateways: readonly string[];
  readonly arweaveGateways: readonly string[];
  /** Total rate of requests for metadata, pictures and links. */
  readonly offchainRequestsPerSecond: number;
  /** Folder with rule files of the operator; null for none. */
  readonly rulesFolder: string | null;
  /** Origins that webhooks may use in addition to the public internet. */
  readonly webhookPrivateOrigins: PrivateOrigins;
  /** Address of an OpenTelemetry collector; null for no traces. */
  readonly otlpEndpoint: string | null;
}

/** From the most to the least verbose. */
export type LogLevel = (typeof LOG_LEVELS)[number];
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
const OFFCHAIN_MODES = ['auto', 'on', 'off', 'follow'] as const;
const { ipfs: IPFS_GATEWAYS, arweave: ARWEAVE_GATEWAYS } = SAFE_FETCH_DEFAULTS.gateways;

type Settings = { readonly [Name in keyof Config]: Setting<Config[Name]> };

/** Settings of earlier versions, and why they can be removed from where they are set. */
export const REMOVED_SETTINGS: Readonly<Record<string, string>> = {
  profilesMax: 'wallet profiles leave memory with the rest of the state',
};

/** One entry per setting, in the order of the help texts. */
export const SETTINGS: Settings = {
  host: {
    description: 'address to listen on',
    placeholder: 'address',
    fallback: '127.0.0.1',
    parse: nonEmpty('an address or host name'),
  },
  port: {
    description: 'port to listen on; 0 selects a free port',
    placeholder: 'number',
    fallback: 8080,
    parse: integerBetween(0, 65_535),
  },
  dataDir: {
    description: 'folder for all data of the service',
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
      isStrongSecret(text)
        ? { value: text }
        : `must be ${SECRET_RULE}; "openssl rand -base64 24" generates one`,
  },
  logLevel: {
    description: 'minimum level of log lines on standard error',
    placeholder: LOG_LEVELS.join('|'),
    fallback: 'info',
    parse: oneOf(LOG_LEVELS),
  },
  solUsdFallback: {
    description: 'SOL price in USD until one is known from the chain',
    placeholder: 'usd',
    fallback: null,
    parse: (text) => {
      const value = parseDecimal(text, PRICE_SCALE);
      return value === null || value <= 0n
        ? 'must be a positive decimal number'
        : { value: asPriceE18(value) };
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
  corsOrigins: {
    description: 'web pages of other hosts that may use the API with a key, comma-separated',
    placeholder: 'origins',
    fallback: [],
    parse: originList,
  },
  grpcPort: {
    description: 'port for gRPC streams; 0 selects a free port; no gRPC if omitted',
    placeholder: 'number',
    fallback: null,
    parse: integerBetween(0, 65_535),
  },
  grpcTlsCertFile: {
    description: 'PEM certificate chain of the gRPC port; connections are not encrypted without it',
    placeholder: 'file',
    fallback: null,
    parse: nonEmpty('a file'),
  },
  grpcTlsKeyFile: {
    description: 'PEM private key of that certificate',
    placeholder: 'file',
    fallback: null,
    parse: nonEmpty('a file'),
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
  clickhouseDatabase: {
    description: 'database on that server; each data folder needs its own',
    placeholder: 'name',
    fallback: 'mintscope',
    parse: sqlName,
  },
  clickhouseCluster: {
    description: 'cluster of that server over which tables are replicated and sharded',
    placeholder: 'name',
    fallback: null,
    parse: sqlName,
  },
  decodeWorkers: {
    description: 'threads that decode blocks; 0 decodes on the main thread; automatic if omitted',
    placeholder: 'number',
    fallback: null,
    parse: integerBetween(0, 64),
  },
  ...CHAIN_SETTINGS,
  stateMemory: {
    description:
      'memory for the folded state, such as 8GiB; the rest of it is on disk; a third of the memory of the machine if omitted',
    placeholder: 'size',
    fallback: null,
    parse: byteSizeFrom('1MiB'),
  },
  logRetention: {
    description:
      'drop decoded slots that are older, such as 30d, while a chain is followed; figures stay; nothing is dropped if omitted',
    placeholder: 'duration',
    fallback: null,
    // Longer than the time for which states are retained, so that a slot can arrive an hour late.
    parse: durationFrom('6h'),
  },
  offchain: {
    description:
      'gather metadata, pictures, links and posts; auto: while a chain is followed or simulated; follow: store what another replica gathers',
    placeholder: OFFCHAIN_MODES.join('|'),
    fallback: 'auto',
    parse: oneOf(OFFCHAIN_MODES),
  },
  ipfsGateways: {
    description: 'IPFS gateways in order of preference, comma-separated',
    placeholder: 'origins',
    fallback: IPFS_GATEWAYS,
    parse: gateways,
  },
  arweaveGateways: {
    description: 'Arweave gateways in order of preference, comma-separated',
    placeholder: 'origins',
    fallback: ARWEAVE_GATEWAYS,
    parse: gateways,
  },
  offchainRequestsPerSecond: {
    description: 'maximum requests per second for metadata, pictures and links',
    placeholder: 'number',
    fallback: 20,
    parse: integerBetween(1, 1_000),
  },
  ...COLLECTOR_SETTINGS,
  rulesFolder: {
    description:
      'folder of rule files (*.yaml) that are judged for all accounts, see docs/rules.md',
    placeholder: 'folder',
    fallback: null,
    parse: nonEmpty('a folder'),
  },
  ...DETECTOR_SETTINGS,
  webhookPrivateOrigins: {
    description:
      'private webhook receivers to allow, such as http://10.0.0.7:9000, comma-separated',
    placeholder: 'origins',
    fallback: [],
    parse: originList,
  },
  otlpEndpoint: {
    description:
      'address of an OpenTelemetry collector (OTLP over HTTP) that gets traces of slots and requests',
    placeholder: 'url',
    fallback: null,
    parse: plainHttpUrl,
  },
  ...CLUSTER_SETTINGS,
  ...BACKUP_SETTINGS,
};

function gateways(text: string) {
  const origins = text.split(',').map((part) => URL.parse(part.trim()));
  const isUsable = (url: URL | null): url is URL =>
    url?.protocol === 'https:' && url.href === `${url.origin}/`;
  return origins.every(isUsable)
    ? { value: origins.map(({ origin }) => origin) }
    : 'must be comma-separated https addresses without a path';
}

function originList(text: string) {
  const origins = parseOrigins(text);
  return origins === null
    ? 'must be comma-separated http or https addresses without a path'
    : { value: origins };
}
