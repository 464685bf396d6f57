import { setTimeout as delay } from 'node:timers/promises';
import { isTopic } from '../../api/streams/topics/topic-parameters.ts';
import { displayText } from '../../lib/terminal/display-text.ts';
import { ServiceError } from '../../model/errors.ts';
import type { StreamTopic } from '../../model/slot-frame.ts';
import { askService } from './ask-service.ts';
import type { ServiceAddress } from './service-address.ts';
import { openStream, type StreamConnection } from './stream-connection.ts';
import type { StreamMessage } from './watch-line.ts';

/** A topic to subscribe to, with its parameters as text. */
export interface WatchedTopic {
  readonly topic: StreamTopic;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface StreamWatchOptions {
  readonly address: ServiceAddress;
  readonly topics: readonly WatchedTopic[];
  readonly signal: AbortSignal;
  /** Receives each message with data, and its text as the service sent it, one after the other. */
  readonly onMessage: (message: StreamMessage, text: string) => void | Promise<void>;
  /** Receives each report of messages that are no longer available, as the service sent it. */
  readonly onGap: (text: string) => void;
  /** Receives what happened to the connection, in a sentence for people. */
  readonly onNotice: (sentence: string) => void;
  /** Time before the first repeated attempt; each later one waits twice as long. */
  readonly retryMs?: number;
}

const SIMULATED = 'The chain is simulated: nothing here is on a real one.';
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 30_000;

/**
 * Watches topics of the filtered stream until the signal. After a lost connection it connects again
 * and resumes each subscription after the last message that it received. Throws ServiceError if the
 * first connection fails, or if the service refuses what is watched.
 */
export async function watchStream(options: StreamWatchOptions): Promise<void> {
  const { signal, onNotice, retryMs = RETRY_MS } = options;
  const positions = new Positions(options.topics);
  let connection = await connectFirst(options);
  let waitMs = retryMs;
  while (!signal.aborted) {
    if (connection !== null) {
      const before = positions.received;
      const reason = await readStream(connection, positions, options);
      if (signal.aborted) return;
      if (positions.received > before) waitMs = retryMs;
      onNotice(`${reason} Trying again in ${waitMs / 1_000} s.`);
    }
    await delay(waitMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    waitMs = Math.min(RETRY_MS_MAX, waitMs * 2);
    connection = await reconnect(options);
  }
}

/** Null after the signal. */
async function connectFirst(options: StreamWatchOptions): Promise<StreamConnection | null> {
  const { address, signal, onNotice } = options;
  try {
    // The handshake of a stream does not say whether the chain is simulated.
    const { headers } = await askService(address, { path: '/livez', signal });
    if (headers.get('x-simulated') === 'true') onNotice(SIMULATED);
    return await openStream(address, signal);
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

/** Null while the service cannot be reached. Throws ServiceError if it refuses the key. */
async function reconnect({
  address,
  signal,
}: StreamWatchOptions): Promise<StreamConnection | null> {
  try {
    return await openStream(address, signal);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.isPermanent) throw error;
    return null;
  }
}

/** Where each subscription is. Its ID is its place in the list of topics. */
class Positions {
  received = 0;
  private readonly topics: readonly WatchedTopic[];
  private readonly sinceById = new Map<number, number>();

  constructor(topics: readonly WatchedTopic[]) {
    this.topics = topics;
  }

  subscriptions(): readonly object[] {
    return this.topics.map((topic, id) => {
      const since = this.sinceById.get(id);
      return { op: 'subscribe', id, ...topic, ...(since === undefined ? {} : { since }) };
    });
  }

  /** A subscription begins, after the position that it resumes from if there is one. */
  begin(id: unknown, seq: unknown): void {
    if (typeof id === 'number' && !this.sinceById.has(id)) this.advance(id, seq);
    else this.received++;
  }

  /** `id` is null for all subscriptions. */
  advance(id: unknown, seq: unknown): void {
    if (typeof seq !== 'number' || !Number.isSafeInteger(seq)) return;
    this.received++;
    const ids = id === null ? this.topics.keys() : [id];
    for (const each of ids) if (typeof each === 'number') this.sinceById.set(each, seq);
  }
}

/** Resolves with the reason when the connection has ended. */
async function readStream(
  connection: StreamConnection,
  positions: Positions,
  { onMessage, onGap, signal }: StreamWatchOptions,
): Promise<string> {
  for (const subscription of positions.subscriptions())
    connection.send(JSON.stringify(subscription));
  for await (const text of connection.texts(signal)) {
    const message = parseMessage(text);
    if (message === null) return `${connection.host} sent what is no message of the stream.`;
    const { op, id, seq } = message;
    if (op === 'error') {
      const refused = refusedSubscription(message);
      if (refused.isPermanent) throw refused;
      return refused.message;
    }
    if (op === 'ack') positions.begin(id, seq);
    if (op === 'gap') {
      onGap(text);
      positions.advance(id, seq);
    }
    if (op === undefined) {
      const { topic, slot, data, undo } = message;
      await onMessage({ topic, seq, slot, data, isUndo: undo === true } as StreamMessage, text);
      positions.advance(id, seq);
    }
  }
  return connection.endReason();
}

function refusedSubscription({ code, message }: Message): ServiceError {
  const isPermanent = code !== 429 && !(typeof code === 'number' && code >= 500);
  return new ServiceError(displayText(String(message)), { isPermanent });
}

type Message = Readonly<Record<string, unknown>>;

/** Null for what no service of this version sends. */
function parseMessage(text: string): Message | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    const message = value as Message;
    const isData = message.op === undefined;
    return isData && !(isTopic(message.topic) && Number.isSafeInteger(message.slot))
      ? null
      : message;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
