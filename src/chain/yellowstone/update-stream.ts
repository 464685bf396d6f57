/** How a call ended: a gRPC code (https://grpc.io/docs/guides/status-codes/) and its message. */
export interface StreamStatus {
  readonly code: number;
  readonly message: string;
}

export type StreamRead =
  /** A `SubscribeUpdate`, not parsed. */
  | { readonly kind: 'update'; readonly bytes: Uint8Array }
  | { readonly kind: 'ended'; readonly status: StreamStatus };

/** An open subscription. Nothing is taken from the connection before it is requested. */
export interface UpdateStream {
  /** The next message. Call again only after it has resolved. Never rejects. */
  read(): Promise<StreamRead>;
  /** Sends a `SubscribeRequest`; does nothing when the call has ended. */
  write(request: Uint8Array): void;
  /** Ends the call and its connection; a pending read then ends. */
  close(): void;
}

/**
 * - `grpc-js`: works on every platform.
 * - `native`: the client of the server's vendor, an optional package with its own thread.
 */
export const YELLOWSTONE_CLIENTS = ['grpc-js', 'native'] as const;

/** Opens subscriptions at one server, each on its own connection. */
export interface UpdateClient {
  /** Host and port: the part of the address that may be shown. */
  readonly origin: string;
  /** Never rejects: a failure ends the stream. */
  open(request: Uint8Array): Promise<UpdateStream>;
}

/** How to reach a server. */
export interface UpdateEndpoint {
  /** `https://host:port`, or `http://` for one without TLS. */
  readonly url: string;
  /** Sent as `x-token`, and never shown. */
  readonly token: string | null;
  /** Longest message accepted. */
  readonly messageBytesMax: number;
  /** Bound on unread data in flight; default 1 MiB, enough for 10 MB/s at 100 ms latency. */
  readonly windowBytes?: number;
}

/** The server's message, truncated and without the token if it repeats it. */
export function shownMessage(message: string, token: string | null): string {
  const shown = token === null || token === '' ? message : message.replaceAll(token, '***');
  return shown.slice(0, MESSAGE_LENGTH_MAX);
}

const MESSAGE_LENGTH_MAX = 300;
