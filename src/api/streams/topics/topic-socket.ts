import { ApiError } from '../../../model/errors.ts';
import { isObject } from '../../requests/request-schema.ts';
import { BUFFERED_BYTES_MAX } from '../stream-client.ts';
import { type Dialog, type DialogSocket, OPERATION_BYTES_MAX } from '../web-sockets.ts';
import { Outbox } from './outbox.ts';
import { SUBSCRIPTIONS_PER_CLIENT_MAX, TopicClient } from './topic-client.ts';
import { RETAINED_MS, type TopicHub } from './topic-hub.ts';
import {
  createSocketWriter,
  encodeJson,
  type MessageWriter,
  type PresentItem,
  type SubscriptionId,
} from './topic-messages.ts';
import { isTopic, parseTopicParameters, toTopicRequest } from './topic-parameters.ts';

/** Operations that a client may send at once, and per second afterwards. */
export const OPERATIONS_BURST = 1_000;
const OPERATIONS_PER_SECOND = 50;
const ID_LENGTH_MAX = 64;

export interface TopicSocketOptions extends DialogSocket {
  readonly hub: TopicHub;
  readonly present: PresentItem;
  readonly accountId: string;
  readonly nowMs: () => number;
}

type Operation = Readonly<Record<string, unknown>>;

/** The operations and subscriptions of one WebSocket of the filtered stream. */
export class TopicSocket implements Dialog {
  private readonly options: TopicSocketOptions;
  private readonly outbox: Outbox;
  private readonly writer: MessageWriter;
  private readonly client: TopicClient;
  private operationsLeft = OPERATIONS_BURST;
  private lastOperationMs: number;

  constructor(options: TopicSocketOptions) {
    this.options = options;
    const { send, onSlow, hub, present, nowMs } = options;
    this.outbox = new Outbox({ send, onSlow, onRoom: () => this.client.resume() });
    this.writer = createSocketWriter(present);
    this.client = new TopicClient(hub, this.outbox, this.writer);
    this.lastOperationMs = nowMs();
  }

  /** Sends the first message. */
  greet(): void {
    const limits = {
      subscriptions: SUBSCRIPTIONS_PER_CLIENT_MAX,
      operation_bytes: OPERATION_BYTES_MAX,
      operations_burst: OPERATIONS_BURST,
      operations_per_second: OPERATIONS_PER_SECOND,
      buffered_bytes: BUFFERED_BYTES_MAX,
      retained_seconds: RETAINED_MS / 1_000,
    };
    this.outbox.send(encodeJson({ op: 'hello', seq: this.options.hub.newest, limits }));
  }

  /** Handles a message of the client. */
  take(data: Buffer, isBinary: boolean): void {
    if (!this.isAllowed()) {
      this.options.onTooMany();
      return;
    }
    let id: SubscriptionId | null = null;
    try {
      const operation = parseOperation(data, isBinary);
      id = idOf(operation);
      this.handle(operation, id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.outbox.send(this.writer.error(id, error));
    }
  }

  end(): void {
    this.client.end();
  }

  private handle(operation: Operation, id: SubscriptionId | null): void {
    const { op } = operation;
    if (op === 'ping') {
      this.outbox.send(encodeJson({ op: 'pong', id, seq: this.options.hub.newest }));
    } else if (op === 'subscribe') this.subscribe(operation, required(id));
    else if (op === 'unsubscribe') this.unsubscribe(required(id));
    else throw new ApiError(422, 'op must be subscribe, unsubscribe or ping.');
  }

  private subscribe({ topic, params = {}, since = null }: Operation, id: SubscriptionId): void {
    if (this.client.has(id)) throw new ApiError(409, 'This id is in use on this connection.');
    if (this.client.size >= SUBSCRIPTIONS_PER_CLIENT_MAX) {
      throw new ApiError(
        429,
        `This connection has ${SUBSCRIPTIONS_PER_CLIENT_MAX} subscriptions, the maximum.`,
      );
    }
    if (!isTopic(topic)) throw new ApiError(422, 'There is no such topic.');
    if (!isObject(params)) throw new ApiError(422, 'params must be an object.');
    if (since !== null && !isPosition(since)) {
      throw new ApiError(422, 'since must be the seq of a message.');
    }
    const values = parseTopicParameters(topic, params);
    const request = toTopicRequest(topic, values, this.options.accountId);
    this.client.subscribe(id, { ...request, since });
  }

  private unsubscribe(id: SubscriptionId): void {
    if (!this.client.unsubscribe(id)) throw new ApiError(404, 'There is no such subscription.');
    this.outbox.send(encodeJson({ op: 'ack', id, seq: this.options.hub.newest }));
  }

  /** Spends one of the operations of the client. */
  private isAllowed(): boolean {
    const nowMs = this.options.nowMs();
    const earned = ((nowMs - this.lastOperationMs) / 1_000) * OPERATIONS_PER_SECOND;
    this.lastOperationMs = nowMs;
    this.operationsLeft = Math.min(OPERATIONS_BURST, this.operationsLeft + Math.max(0, earned)) - 1;
    return this.operationsLeft >= 0;
  }
}

function parseOperation(data: Buffer, isBinary: boolean): Operation {
  if (isBinary) throw new ApiError(400, 'Messages must be text.');
  const operation = parseJson(data.toString());
  if (!isObject(operation)) throw new ApiError(400, 'A message must be a JSON object.');
  return operation;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new ApiError(400, 'A message must be valid JSON.');
    throw error;
  }
}

/** Null without an id. Throws ApiError 422 for an invalid one. */
function idOf({ id = null }: Operation): SubscriptionId | null {
  if (id === null || Number.isSafeInteger(id)) return id as number | null;
  if (typeof id === 'string' && id !== '' && id.length <= ID_LENGTH_MAX) return id;
  throw new ApiError(422, `id must be a text of 1 to ${ID_LENGTH_MAX} characters or an integer.`);
}

function required(id: SubscriptionId | null): SubscriptionId {
  if (id === null) throw new ApiError(422, 'id is required.');
  return id;
}

function isPosition(since: unknown): since is number {
  return Number.isSafeInteger(since) && (since as number) >= 0;
}
