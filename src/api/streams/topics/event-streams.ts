import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKeys } from '../../api-keys.ts';
import { keyOf } from '../../http/admission.ts';
import { type PresentedKey, presentedKeyOf } from '../../http/presented-key.ts';
import type { StreamLimit } from '../stream-limit.ts';
import { Outbox } from './outbox.ts';
import { TopicClient } from './topic-client.ts';
import type { TopicHub, TopicRequest } from './topic-hub.ts';
import type { MessageWriter } from './topic-messages.ts';

/** Comments keep the connection from being idle: proxies close idle ones after 30 s or more. */
export const COMMENT_MS = 15_000;
/** Interval at which the validity of the keys of open streams is checked. */
const KEY_CHECK_MS = 2_500;
/** Some proxies and browsers pass nothing on before they have this much. */
const PADDING_BYTES = 2_048;
/** Time after which a browser reconnects. */
const RETRY_MS = 2_000;

const COMMENT = Buffer.from(':\n\n');
const OPENING = Buffer.from(`:${' '.repeat(PADDING_BYTES)}\n\nretry: ${RETRY_MS}\n\n`);

/** Headers that keep proxies from collecting, compressing or storing the events. */
const EVENT_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-store, no-transform',
  'x-accel-buffering': 'no',
};

export interface EventStream {
  readonly hub: TopicHub;
  readonly request: TopicRequest;
  readonly writer: MessageWriter;
}

interface Client {
  readonly outbox: Outbox;
  readonly presented: PresentedKey;
  readonly end: () => void;
}

/** Server-sent events, each connection with one subscription. */
export class EventStreams {
  private readonly keys: ApiKeys;
  private readonly limit: StreamLimit;
  private readonly clients = new Set<Client>();
  private readonly comments: NodeJS.Timeout;
  private readonly keyChecks: NodeJS.Timeout;

  constructor(app: FastifyInstance, keys: ApiKeys) {
    this.keys = keys;
    this.limit = app.limits.streams;
    this.comments = setInterval(() => this.comment(), COMMENT_MS).unref();
    this.keyChecks = setInterval(() => this.dropKeyless(), KEY_CHECK_MS).unref();
    app.addHook('preClose', (done) => {
      this.close();
      done();
    });
  }

  get size(): number {
    return this.clients.size;
  }

  open(request: FastifyRequest, reply: FastifyReply, stream: EventStream): void {
    const leave = this.limit.enter(keyOf(request).accountId);
    const { raw } = reply;
    reply.hijack();
    raw.once('close', leave);
    // A connection error closes that connection only.
    raw.on('error', () => raw.destroy());
    raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...EVENT_HEADERS });
    const outbox = new Outbox({
      send: (bytes, onSent) => raw.write(bytes, onSent),
      // The client resumes with the last event that it received.
      onSlow: () => raw.destroy(),
      onRoom: () => subscriptions.resume(),
    });
    const subscriptions = new TopicClient(stream.hub, outbox, stream.writer);
    const client = { outbox, presented: presentedKeyOf(request), end: () => raw.end() };
    this.clients.add(client);
    raw.once('close', () => {
      this.clients.delete(client);
      subscriptions.end();
    });
    outbox.send(OPENING);
    subscriptions.subscribe(0, stream.request);
  }

  private comment(): void {
    for (const { outbox } of this.clients) outbox.send(COMMENT);
  }

  /** Ends the streams of keys and sessions that are no longer valid. */
  private dropKeyless(): void {
    for (const { presented, end } of this.clients) {
      if (!presented.isOpen() || this.keys.authenticate(presented.text) === null) end();
    }
  }

  private close(): void {
    clearInterval(this.comments);
    clearInterval(this.keyChecks);
    for (const { end } of this.clients) end();
  }
}
