import {
  type ConsumerMessages,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  StorageType,
  type StreamInfo,
} from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { UsageError } from '../model/errors.ts';
import {
  type Appended,
  type FollowOptions,
  type LogBounds,
  LogFull,
  LogUnavailable,
  type LogUsage,
  type StepLog,
} from './step-log.ts';
import type { StepMessage, StoredMessage } from './step-message.ts';

const HEAD = 'Mintscope-Step';
/** Attempts of a call are repeated with the same id for at most this long. */
const DUPLICATES_MS = 600_000;
const ACK_MS = 2_000;
/** A reader that hears nothing for two beats asks again. */
const PULL = { expires: 4_000, idle_heartbeat: 1_000, max_messages: 200 };
const RETRY_MS = 250;
const NANOSECONDS = 1_000_000;

export interface StreamSettings {
  readonly name: string;
  /** Servers that keep a copy of each message. */
  readonly replicas: number;
  /** Messages are removed after this long; 0: never. */
  readonly maxAgeMs: number;
}

/** The log as a JetStream stream. */
export class JetStreamStepLog implements StepLog {
  private readonly client: JetStreamClient;
  private readonly manager: JetStreamManager;
  private readonly name: string;

  private constructor(client: JetStreamClient, manager: JetStreamManager, name: string) {
    this.client = client;
    this.manager = manager;
    this.name = name;
  }

  /**
   * Opens the stream, and creates it if there is none. Waits for servers that do not answer until
   * `signal` is aborted. Throws UsageError if they cannot have such a stream.
   */
  static async open(
    connection: NatsConnection,
    settings: StreamSettings,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<JetStreamStepLog> {
    const client = jetstream(connection, { timeout: ACK_MS });
    const manager = await jetstreamManager(connection, { timeout: ACK_MS, checkAPI: false });
    await untilAnswered(() => createStream(manager, settings), signal);
    return new JetStreamStepLog(client, manager, settings.name);
  }

  /** Settings and state of the stream, for `doctor`; null if there is none. */
  static async inspect(connection: NatsConnection, name: string): Promise<StreamInfo | null> {
    const manager = await jetstreamManager(connection, { timeout: ACK_MS, checkAPI: false });
    return infoOf(manager, name);
  }

  async bounds(): Promise<LogBounds> {
    const info = await this.asked(() => this.manager.streams.info(this.name));
    const { first_seq, last_seq } = info.state;
    // An empty stream reports its next sequence, or 0 for one that never had a message.
    return { firstSeq: Math.max(1, first_seq), lastSeq: last_seq };
  }

  async usage(): Promise<LogUsage> {
    const { state, config } = await this.asked(() => this.manager.streams.info(this.name));
    return { bytes: state.bytes, bytesMax: config.max_bytes > 0 ? config.max_bytes : null };
  }

  async headAt(seq: number): Promise<string | null> {
    const stored = await this.asked(() => this.manager.streams.getMessage(this.name, { seq }));
    return stored?.header?.get(HEAD) || null;
  }

  async append(
    { head, body }: StepMessage,
    { seq, id }: { readonly seq: number; readonly id: string },
  ): Promise<Appended> {
    const marks = headers();
    marks.set(HEAD, head ?? '');
    try {
      const options = {
        msgID: id,
        headers: marks,
        expect: { lastSequence: seq },
        timeout: ACK_MS,
        retries: 0,
      };
      const ack = await this.client.publish(this.subject, body, options);
      return { kind: 'appended', seq: ack.seq };
    } catch (error) {
      if (isRefused(error)) return { kind: 'refused' };
      if (isTooLarge(error)) throw new UsageError(tooLarge(body.length), { cause: error });
      if (isFull(error)) throw new LogFull(full(this.name, error.message), { cause: error });
      throw new LogUnavailable('the NATS servers acknowledge no step', { cause: error });
    }
  }

  async *follow(fromSeq: number, options: FollowOptions): AsyncGenerator<StoredMessage> {
    const { signal } = options;
    let next = fromSeq;
    while (!signal.aborted) {
      try {
        for await (const message of this.pull(next, options)) {
          if (signal.aborted) return;
          // Delivered again after a reconnection.
          if (message.seq < next) continue;
          next = message.seq + 1;
          yield message;
        }
      } catch (error) {
        if (!isPassing(error)) throw error;
      }
      await pause(RETRY_MS, signal);
    }
  }

  private async *pull(
    fromSeq: number,
    { headsOnly = false, signal }: FollowOptions,
  ): AsyncGenerator<StoredMessage> {
    const consumer = await this.client.consumers.get(this.name, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: Math.max(1, fromSeq),
      inactive_threshold: 30_000,
      ...(headsOnly ? { headers_only: true } : {}),
    });
    const messages: ConsumerMessages = await consumer.consume(PULL);
    const close = () => void messages.close();
    signal.addEventListener('abort', close, { once: true });
    if (signal.aborted) close();
    try {
      for await (const { seq, headers: marks, data } of messages) {
        yield { seq, head: marks?.get(HEAD) || null, body: headsOnly ? NO_BODY : data };
      }
    } finally {
      signal.removeEventListener('abort', close);
      await messages.close().catch(() => undefined);
      await consumer.delete().catch(() => undefined);
    }
  }

  private get subject(): string {
    return `${this.name}.steps`;
  }

  private async asked<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    try {
      return await call();
    } catch (error) {
      throw new LogUnavailable('the NATS servers do not answer about the stream', {
        cause: error,
      });
    }
  }
}

const NO_BODY = new Uint8Array();

async function createStream(manager: JetStreamManager, settings: StreamSettings): Promise<void> {
  const { name, replicas, maxAgeMs } = settings;
  if ((await infoOf(manager, name)) !== null) return;
  await manager.streams.add({
    name,
    subjects: [`${name}.steps`],
    storage: StorageType.File,
    num_replicas: replicas,
    max_age: maxAgeMs * NANOSECONDS,
    duplicate_window: Math.min(DUPLICATES_MS, maxAgeMs || DUPLICATES_MS) * NANOSECONDS,
    discard: DiscardPolicy.Old,
    deny_delete: true,
  });
}

async function infoOf(manager: JetStreamManager, name: string): Promise<StreamInfo | null> {
  try {
    return await manager.streams.info(name);
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) {
      return null;
    }
    throw error;
  }
}

/** Tries again while servers elect, start or are silent; any other refusal is permanent. */
async function untilAnswered(call: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof JetStreamApiError && !isPassingRefusal(error, attempt)) {
        throw new UsageError(
          `The NATS servers refuse the stream: ${error.message}. A stream needs JetStream and as many servers as copies: see --nats-replicas.`,
          { cause: error },
        );
      }
      await pause(RETRY_MS, signal);
    }
  }
}

const NO_LEADER = 10008;
/** Too few servers, which may be starting. */
const NO_PEERS = 10005;
const PEERS_ATTEMPTS_MAX = 40;

function isPassingRefusal({ code, status }: JetStreamApiError, attempt: number): boolean {
  if (code === NO_PEERS) return attempt < PEERS_ATTEMPTS_MAX;
  return code === NO_LEADER || status === 503;
}

function isRefused(error: unknown): boolean {
  return error instanceof JetStreamApiError && WRONG_SEQUENCE.has(error.code);
}

const WRONG_SEQUENCE: ReadonlySet<number> = new Set([
  JetStreamApiCodes.StreamWrongLastSequence,
  JetStreamApiCodes.StreamWrongLastSequenceUnknown,
]);

/** The stream has reached its limits, or the servers or the account theirs. */
function isFull(error: unknown): error is JetStreamApiError {
  return error instanceof JetStreamApiError && NO_ROOM.has(error.code);
}

/**
 * By the numbers of NATS: resources of the account, of the servers, their storage, and the limits of
 * a stream, which are reported as a failure to store.
 */
const NO_ROOM: ReadonlySet<number> = new Set([10_002, 10_023, 10_047, 10_077]);

function full(name: string, reason: string): string {
  return `the stream ${name} takes no more steps (${reason}): raise its limit (nats stream edit ${name} --max-bytes …), or make room on the NATS servers`;
}

/** The servers, or a closed connection, did not answer; anything else is a fault of this program. */
function isPassing(error: unknown): boolean {
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError);
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && /max.?payload/i.test(error.message);
}

function tooLarge(bytes: number): string {
  return `A step has ${bytes} bytes, which is more than the NATS servers accept: set max_payload to 8MB in their configuration.`;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}
