import type { Clock } from '../../lib/clock.ts';
import type { BlockStream, StreamUse } from '../block-stream.ts';
import type { RawBlockDecoder } from '../recorded/raw-block.ts';
import { loadNativeClient } from './native-client.ts';
import type { SubscribeMode } from './subscribe-request.ts';
import type { UpdateClient, UpdateEndpoint, YELLOWSTONE_CLIENTS } from './update-stream.ts';
import { type FeedTiming, YellowstoneFeed } from './yellowstone-feed.ts';

export interface YellowstoneOptions {
  /** `https://host:port`, or `http://` for one without TLS. */
  readonly url: string;
  /** Sent as `x-token`, and never shown. */
  readonly token: string | null;
  readonly mode: SubscribeMode;
  readonly client: (typeof YELLOWSTONE_CLIENTS)[number];
  readonly clock: Clock;
  /** Returns numbers in [0, 1); spreads reconnections. */
  readonly random: () => number;
  readonly timing?: Partial<FeedTiming>;
  readonly decoder?: RawBlockDecoder | null;
}

export type YellowstoneOpening =
  | { readonly kind: 'opened'; readonly stream: (use: StreamUse) => BlockStream }
  /** The client cannot be loaded; the message says what to do. */
  | { readonly kind: 'unavailable'; readonly message: string };

/** A whole block of the largest size, plus its envelope. */
const MESSAGE_BYTES_MAX = 128 * 2 ** 20;

/** Loads only the client that is configured. */
export async function openYellowstone(options: YellowstoneOptions): Promise<YellowstoneOpening> {
  const { url, token, mode, clock, random, timing = {}, decoder = null } = options;
  const endpoint = { url, token, messageBytesMax: MESSAGE_BYTES_MAX };
  const loading = await loadClient(options.client, endpoint);
  if (loading.kind === 'unavailable') return loading;
  const { client } = loading;
  const stream = (use: StreamUse) =>
    new YellowstoneFeed({ client, mode, clock, random, timing, decoder, ...use });
  return { kind: 'opened', stream };
}

async function loadClient(name: YellowstoneOptions['client'], endpoint: UpdateEndpoint) {
  if (name === 'native') return await loadNativeClient(endpoint);
  const { createGrpcClient } = await import('./grpc-client.ts');
  const client: UpdateClient = createGrpcClient(endpoint);
  return { kind: 'loaded', client } as const;
}
