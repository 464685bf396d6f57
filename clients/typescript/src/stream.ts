import { ApiError, ConnectionError } from './errors.ts';
import { StreamSession } from './stream-session.ts';
import { StreamSocket } from './stream-socket.ts';
import type { StreamEvent, StreamSettings, Subscription, Topic } from './stream-types.ts';
import { backoffMs, wait } from './wait.ts';

export interface StreamConnector {
  /** Address of the WebSocket with a ticket that opens it. */
  readonly address: (signal: AbortSignal | undefined) => Promise<string>;
  readonly createSocket: (url: string) => WebSocket;
}

const RECONNECT_MS = [250, 10_000] as const;

/**
 * The events of subscriptions, each message exactly once over all connections that it takes. Ends
 * only by `break`, by the signal (whose reason is thrown), or when the service refuses.
 */
export async function* streamEvents<T extends Topic>(
  connector: StreamConnector,
  subscriptions: readonly Subscription<T>[],
  settings: StreamSettings,
): AsyncGenerator<StreamEvent<T>, void, undefined> {
  const { signal, reconnectMs = RECONNECT_MS, onDisconnect } = settings;
  const session = new StreamSession(subscriptions as readonly Subscription[]);
  for (let failures = 0; ; failures++) {
    signal?.throwIfAborted();
    let reason: string;
    try {
      const socket = await connect(connector, settings);
      for await (const event of eventsOf(socket, session)) {
        failures = 0;
        yield event as StreamEvent<T>;
      }
      signal?.throwIfAborted();
      reason = socket.reason;
    } catch (error) {
      if (!isPassing(error)) throw error;
      reason = error.message;
    }
    onDisconnect?.(reason);
    await wait(backoffMs(failures, ...reconnectMs), signal);
  }
}

async function connect(
  { address, createSocket }: StreamConnector,
  { signal, pingMs = 15_000, silenceMs = 40_000, waitingMax = 10_000 }: StreamSettings,
): Promise<StreamSocket> {
  const url = await address(signal);
  return StreamSocket.open(createSocket, url, { pingMs, silenceMs, waitingMax, signal });
}

/** The events of one connection. */
async function* eventsOf(
  socket: StreamSocket,
  session: StreamSession,
): AsyncGenerator<StreamEvent, void, undefined> {
  for await (const text of socket.texts()) {
    const events = session.take(text);
    if (events === 'later') return;
    if (events === 'hello') {
      for (const operation of session.operations()) socket.send(operation);
    } else yield* events;
  }
}

/** Failures of a service that is away for a while, as it is when it is restarted. */
function isPassing(error: unknown): error is Error {
  if (error instanceof ConnectionError) return true;
  return error instanceof ApiError && (error.status === 429 || error.status >= 500);
}
