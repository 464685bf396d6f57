/** How a call ended: a code of gRPC (https://grpc.io/docs/guides/status-codes/) and its words. */
export interface StreamStatus {
  readonly code: number;
  readonly message: string;
}

export type StreamRead =
  /** A `SubscribeUpdate`, unread. */
  | { readonly kind: 'update'; readonly bytes: Uint8Array }
  | { readonly kind: 'ended'; readonly status: StreamStatus };

/** A subscription under way. Nothing is taken from the connection before it is asked for. */
export interface UpdateStream {
  /** The next message. Ask again only when it is there. Never rejects. */
  read(): Promise<StreamRead>;
  /** Sends a `SubscribeRequest`; does nothing when the call has ended. */
  write(request: Uint8Array): void;
  /** Ends the call and its connection; a read under way then ends. */
  close(): void;
}

/**
 * - `grpc-js`: works everywhere.
 * - `native`: the client of the server's makers, an optional package with a thread of its own.
 */
export const YELLOWSTONE_CLIENTS = ['grpc-js', 'native'] as const;

/** Opens subscriptions at one server, each on a connection of its own. */
export interface UpdateClient {
  /** Host and port: what may be shown of the address. */
  readonly origin: string;
  /** Never rejects: what goes wrong ends the stream. */
  open(request: Uint8Array): Promise<UpdateStream>;
}

/** What is needed to reach a server. */
export interface UpdateEndpoint {
  /** `https://host:port`, or `http://` for one without TLS. */
  readonly url: string;
  /** Sent as `x-token`, and never shown. */
  readonly token: string | null;
  /** Longest message taken. */
  readonly messageBytesMax: number;
  /** What may be under way before it is read: 1 MiB unless told, 10 MB/s over a way of 100 ms. */
  readonly windowBytes?: number;
}

/** The words of a server, without the token should they repeat it, and short. */
export function shownMessage(message: string, token: string | null): string {
  const shown = token === null || token === '' ? message : message.replaceAll(token, '***');
  return shown.slice(0, MESSAGE_LENGTH_MAX);
}

const MESSAGE_LENGTH_MAX = 300;
