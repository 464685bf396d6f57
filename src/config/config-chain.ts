/** Settings of the chain that is followed, one entry each as in config-settings.ts. */
import { type Endpoint, parseEndpoints } from '../chain/rpc/nodes/endpoint.ts';
import { COMPARE_MODES, type CompareMode } from '../chain/rpc/nodes/testimony.ts';
import { SUBSCRIBE_MODES, type SubscribeMode } from '../chain/yellowstone/subscribe-request.ts';
import { YELLOWSTONE_CLIENTS } from '../chain/yellowstone/update-stream.ts';
import type { Setting } from './setting.ts';
import { integerBetween, oneOf } from './setting-parsers.ts';

/** Which chain is followed, through whom, and how closely. */
export interface ChainConfig {
  /** Nodes whose chain is followed, the preferred one first; null for none. */
  readonly rpcUrl: readonly Endpoint[] | null;
  /** Of each of them. */
  readonly rpcRequestsPerSecond: number;
  /** Which blocks are asked of a second node before they are final. */
  readonly compareBlocks: CompareMode;
  /** Yellowstone server that brings new blocks; null for none. */
  readonly yellowstoneUrl: string | null;
  readonly yellowstoneToken: string | null;
  readonly yellowstoneMode: SubscribeMode;
  readonly yellowstoneClient: (typeof YELLOWSTONE_CLIENTS)[number];
  /** A service that is further behind the chain it follows gets no work. */
  readonly lagMaxSeconds: number;
}

type Entries = { readonly [Name in keyof ChainConfig]: Setting<ChainConfig[Name]> };

/** An entry for each of them. */
export const CHAIN_SETTINGS: Entries = {
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
  compareBlocks: {
    description:
      'which blocks a second node is asked for before they are final, where there is one; sample: every 16th, and odd ones',
    placeholder: COMPARE_MODES.join('|'),
    fallback: 'all',
    parse: oneOf(COMPARE_MODES),
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
};
