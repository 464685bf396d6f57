import type { ApiKey } from '../../api-keys.ts';
import type { ApiDeps } from '../../deps.ts';
import type { Permission } from '../../http/scopes.ts';
import type { Entry, StreamSource } from '../../stream-source.ts';
import type { Encoded } from '../stream-client.ts';

/** A stream message, as described by its proto file. */
export type GrpcMessage = Readonly<Record<string, unknown>>;

/** Source and encoding of the messages of a call. */
export interface GrpcAnswer<Item> {
  readonly source: StreamSource<Item>;
  readonly encode: (entry: Entry<Item>) => readonly Encoded<GrpcMessage>[];
}

/** A service with one server-streaming method. */
export interface GrpcStream<Request = unknown, Item = unknown> {
  /** Path below `proto/`. */
  readonly file: string;
  readonly service: string;
  readonly method: string;
  /** What the key of a call needs; `read` by default. */
  readonly permission?: Permission;
  /** Throws ApiError for an invalid request. */
  readonly open: (
    deps: Pick<ApiDeps, 'streams' | 'offchain' | 'hub'>,
    key: ApiKey,
    request: Request,
  ) => GrpcAnswer<Item>;
}

/** Encodes each item once, regardless of the number of callers. */
export function sharedMessages<Item extends object>(
  encode: (item: Item) => readonly Encoded<GrpcMessage>[],
): (entry: { readonly item: Item }) => readonly Encoded<GrpcMessage>[] {
  const known = new WeakMap<Item, readonly Encoded<GrpcMessage>[]>();
  return ({ item }) => {
    const cached = known.get(item);
    if (cached !== undefined) return cached;
    const encoded = encode(item);
    known.set(item, encoded);
    return encoded;
  };
}

/** Unknown values are omitted in proto3. */
export function text(value: string | null): string {
  return value ?? '';
}

/** The same message with unknown values as empty texts. */
export function texts<Message extends object>(message: Message): GrpcMessage {
  return Object.fromEntries(Object.entries(message).map(([name, value]) => [name, value ?? '']));
}

/** Optional fields are omitted while they are unknown. */
export function known(fields: GrpcMessage): GrpcMessage {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

export function timestamp(timeMs: number | null) {
  if (timeMs === null) return null;
  const seconds = Math.floor(timeMs / 1_000);
  return { seconds: String(seconds), nanos: (timeMs - seconds * 1_000) * 1_000_000 };
}
