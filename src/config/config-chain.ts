/** Settings of the followed chain, in the form of config-settings.ts. */
import { type Endpoint, parseEndpoints } from '../chain/rpc/nodes/endpoint.ts';
import { COMPARE_MODES, type CompareMode } from '../chain/rpc/nodes/testimony.ts';
import { SUBSCRIBE_MODES, type SubscribeMode } from '../chain/yellowstone/subscribe-request.ts';
import { YELLOWSTONE_CLIENTS } from '../chain/yellowstone/update-stream.ts';
import type { Setting } from './setting.ts';
import { integerBetween, oneOf, plainHttpUrl } from './setting-parsers.ts';

/** Which chain to follow, through which servers, and how closely. */
export interface ChainConfig {
  /** RPC nodes to follow, the preferred one first; null for none. */
  readonly rpcUrl: readonly Endpoint[] | null;
  /** Limit for each node. */
  readonly rpcRequestsPerSecond: number;
  /** Which blocks are compared with a second node before they are final. */
  readonly compareBlocks: CompareMode;
  /** Yellowstone server that streams new blocks; null for none. */
  readonly yellowstoneUrl: string | null;
  readonly yellowstoneToken: string | null;
  readonly yellowstoneMode: SubscribeMode;
  readonly yellowstoneClient: (typeof YELLOWSTONE_CLIENTS)[number];
  /** Server that knows which transactions were sent as one bundle; null for none. */
  readonly bundleExplorerUrl: string | null;
  readonly bundleExplorerRequestsPerSecond: number;
  /** The service is not ready while it lags further behind the chain. */
  readonly lagMaxSeconds: number;
}

type Entries = { readonly [Name in keyof ChainConfig]: Setting<ChainConfig[Name]> };

/** One entry per setting. */
export const CHAIN_SETTINGS: Entries = {
  rpcUrl: {
    description: 'Solana RPC nodes to follow, comma-separated; or SOLANA_RPC_URL',
    placeholder: 'urls',
    fallback: null,
    isSecret: true,
    commonVariable: 'SOLANA_RPC_URL',
    parse: (text) => {
      if (text.split(',').some((address) => !/^\s*https?:\/\//i.test(address))) {
        return 'must be http or https addresses with commas between them, each with http:// or https:// at its beginning';
      }
      const parsed = parseEndpoints(text);
      return parsed.status === 'ok' ? { value: parsed.endpoints } : parsed.message;
    },
  },
  rpcRequestsPerSecond: {
    description: 'maximum number of requests per second to each RPC node',
    placeholder: 'number',
    fallback: 20,
    parse: integerBetween(1, 10_000),
  },
  compareBlocks: {
    description:
      'blocks to compare with a second node before they are final, if there is one; sample: every 16th and suspicious ones',
    placeholder: COMPARE_MODES.join('|'),
    fallback: 'all',
    parse: oneOf(COMPARE_MODES),
  },
  yellowstoneUrl: {
    description: 'Yellowstone server that streams new blocks; RPC nodes fill its gaps',
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
    description: 'x-token for that server',
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
    description: 'subscription to that server: whole blocks, or transactions',
    placeholder: SUBSCRIBE_MODES.join('|'),
    fallback: 'transactions',
    parse: oneOf(SUBSCRIBE_MODES),
  },
  yellowstoneClient: {
    description: 'client for that server; "native" requires a separately installed package',
    placeholder: YELLOWSTONE_CLIENTS.join('|'),
    fallback: 'grpc-js',
    parse: oneOf(YELLOWSTONE_CLIENTS),
  },
  bundleExplorerUrl: {
    description:
      'bundle explorer that is asked for the bundles of each new slot, such as https://bundles.jito.wtf',
    placeholder: 'url',
    fallback: null,
    parse: plainHttpUrl,
  },
  bundleExplorerRequestsPerSecond: {
    description: 'maximum number of requests per second to the bundle explorer',
    placeholder: 'number',
    fallback: 4,
    parse: integerBetween(1, 1_000),
  },
  lagMaxSeconds: {
    description: 'lag behind the chain beyond which the service is not ready',
    placeholder: 'seconds',
    fallback: 60,
    parse: integerBetween(1, 999_999_999),
  },
};
