import type { ApiKey } from '../../api-keys.ts';
import type { ApiDeps } from '../../deps.ts';
import type { Entry, StreamSource } from '../../stream-source.ts';
import type { Encoded } from '../stream-client.ts';

/** A message of a stream, as its proto file describes it. */
export type GrpcMessage = Readonly<Record<string, unknown>>;

/** What a call is answered with. */
export interface GrpcAnswer<Item> {
  readonly source: StreamSource<Item>;
  readonly encode: (entry: Entry<Item>) => readonly Encoded<GrpcMessage>[];
}

/** A service of one method that streams to its caller. */
export interface GrpcStream<Request = unknown, Item = unknown> {
  /** Below `proto/`. */
  readonly file: string;
  readonly service: string;
  readonly method: string;
  /** Throws ApiError for a request without meaning. */
  readonly open: (
    deps: Pick<ApiDeps, 'streams' | 'offchain'>,
    key: ApiKey,
    request: Request,
  ) => GrpcAnswer<Item>;
}

/** Makes the messages of an item once, however many callers they go to. */
export function sharedMessages<Item extends object>(
  encode: (item: Item) => readonly Encoded<GrpcMessage>[],
): (entry: { readonly item: Item }) => readonly Encoded<GrpcMessage>[] {
  const known = new WeakMap<Item, readonly Encoded<GrpcMessage>[]>();
  return ({ item }) => {
    const before = known.get(item);
    if (before !== undefined) return before;
    const encoded = encode(item);
    known.set(item, encoded);
    return encoded;
  };
}

/** In proto3 what is not known is left out. */
export function text(value: string | null): string {
  return value ?? '';
}

export function timestamp(timeMs: number | null) {
  if (timeMs === null) return null;
  const seconds = Math.floor(timeMs / 1_000);
  return { seconds: String(seconds), nanos: (timeMs - seconds * 1_000) * 1_000_000 };
}
