import { signal } from '@preact/signals';
import { session } from './session-state.ts';

/** State of the page's connection: `stale` after several failed attempts or without a session. */
export type Connection = 'live' | 'reconnecting' | 'stale';

export const connection = signal<Connection>('reconnecting');

/** Newest slot that the stream has shown; null before the first message. */
export const streamSlot = signal<number | null>(null);

/** Topics of `/v1/stream` (docs/products/stream.md). */
export type Topic =
  | 'pool'
  | 'token'
  | 'wallet'
  | 'trades'
  | 'candles'
  | 'indicators'
  | 'findings'
  | 'new_tokens'
  | 'signals'
  | 'triggers'
  | 'chain';

export interface StreamHandlers<Data> {
  /** Data of a slot: new, or changed. Applied by its identity, it may be repeated. */
  readonly onItem: (data: Data, slot: number) => void;
  /** What was sent for a slot is taken back by a fork. `data` is null if it is not known. */
  readonly onUndo?: (data: Data | null, slot: number) => void;
  /** Messages were missed, as after sleep or a restart: read the current state again. */
  readonly onGap?: () => void;
  /** The subscription begins: a read as of `slot` or later and all items after it are complete. */
  readonly onReady?: (slot: number | null) => void;
  /** The subscription is refused, with a sentence for people. */
  readonly onRefused?: (message: string) => void;
}

interface Subscription {
  readonly id: string;
  readonly topic: Topic;
  readonly params: Readonly<Record<string, string>>;
  readonly handlers: StreamHandlers<unknown>;
  /** Position to resume from; null before the first ack. */
  since: number | null;
}

const PING_MS = 10_000;
/** Without any message for this time after a ping, the connection is taken for lost. */
const SILENCE_MS = 25_000;
const FIRST_DELAY_MS = 500;
const DELAY_MAX_MS = 15_000;
const FAILURES_UNTIL_STALE = 3;
/** A timer that is this late was stopped by the machine's sleep. */
const SLEPT_MS = 30_000;

/**
 * The page's only WebSocket. It is opened by the first subscription with the session's cookie,
 * reconnects with growing delays, and resumes each subscription after the last message received.
 */
class PageStream {
  private readonly subscriptions = new Map<string, Subscription>();
  private socket: WebSocket | null = null;
  private failures = 0;
  private retry: ReturnType<typeof setTimeout> | null = null;
  private lastMessageMs = 0;
  private lastTickMs = 0;
  private nextId = 1;

  constructor() {
    setInterval(() => this.tick(), PING_MS);
    addEventListener('online', () => this.reconnectNow());
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.tick();
    });
    session.subscribe((state) => {
      if (state === 'open') this.reconnectNow();
      else connection.value = 'stale';
    });
  }

  subscribe(
    topic: Topic,
    params: Readonly<Record<string, string>>,
    handlers: StreamHandlers<unknown>,
  ): () => void {
    const subscription = { id: `s${this.nextId++}`, topic, params, handlers, since: null };
    this.subscriptions.set(subscription.id, subscription);
    if (this.socket === null) this.connect();
    else this.announce(subscription);
    return () => {
      if (!this.subscriptions.delete(subscription.id)) return;
      this.send({ op: 'unsubscribe', id: subscription.id });
    };
  }

  private connect(): void {
    if (this.socket !== null || session.value !== 'open' || this.subscriptions.size === 0) return;
    if (this.retry !== null) clearTimeout(this.retry);
    this.retry = null;
    const protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(`${protocol}//${location.host}/v1/stream`);
    this.socket = socket;
    this.lastMessageMs = Date.now();
    socket.onopen = () => {
      this.failures = 0;
      connection.value = 'live';
      for (const subscription of this.subscriptions.values()) this.announce(subscription);
    };
    socket.onmessage = ({ data }) => {
      if (socket === this.socket) this.take(String(data));
    };
    socket.onclose = () => {
      if (socket === this.socket) this.lost();
    };
  }

  private lost(): void {
    this.socket = null;
    this.failures++;
    if (session.value !== 'open') return;
    connection.value = this.failures > FAILURES_UNTIL_STALE ? 'stale' : 'reconnecting';
    const grownMs = Math.min(DELAY_MAX_MS, FIRST_DELAY_MS * 2 ** (this.failures - 1));
    // Pages that lost the same service do not return all at once.
    this.retry = setTimeout(() => this.connect(), grownMs * (0.5 + Math.random() / 2));
  }

  private reconnectNow(): void {
    if (this.socket === null) this.connect();
  }

  private tick(): void {
    const nowMs = Date.now();
    const hasSlept = this.lastTickMs !== 0 && nowMs - this.lastTickMs > PING_MS + SLEPT_MS;
    this.lastTickMs = nowMs;
    if (this.socket === null) {
      this.connect();
    } else if (hasSlept || nowMs - this.lastMessageMs > SILENCE_MS) {
      const dead = this.socket;
      this.socket = null;
      dead.close();
      connection.value = 'reconnecting';
      this.connect();
    } else this.send({ op: 'ping' });
  }

  private announce({ id, topic, params, since }: Subscription): void {
    this.send({ op: 'subscribe', id, topic, params, ...(since === null ? {} : { since }) });
  }

  private send(operation: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(operation));
  }

  private take(text: string): void {
    this.lastMessageMs = Date.now();
    const message = JSON.parse(text) as Message;
    if (message.op === undefined) this.deliver(message);
    else if (message.op === 'gap') this.reportGap(message);
    else if (message.op === 'ack') this.acknowledge(message);
    else if (message.op === 'error') this.refuse(message);
  }

  private deliver({ id, seq, slot: given, data, undo }: Message): void {
    const slot = given ?? 0;
    if (slot > (streamSlot.peek() ?? 0)) streamSlot.value = slot;
    const subscription = this.subscriptions.get(id ?? '');
    if (subscription === undefined) return;
    if (seq !== undefined) subscription.since = seq;
    if (undo === true) subscription.handlers.onUndo?.(data, slot);
    else subscription.handlers.onItem(data, slot);
  }

  private acknowledge({ id, seq, slot = null }: Message): void {
    const subscription = this.subscriptions.get(id ?? '');
    if (subscription === undefined || subscription.since !== null) return;
    subscription.since = seq ?? null;
    subscription.handlers.onReady?.(slot);
  }

  private reportGap({ id = null, seq }: Message): void {
    for (const subscription of this.subscriptions.values()) {
      if (id !== null && id !== subscription.id) continue;
      if (seq !== undefined) subscription.since = seq;
      subscription.handlers.onGap?.();
    }
  }

  private refuse({ id, message = 'The subscription was refused.' }: Message): void {
    const subscription = this.subscriptions.get(id ?? '');
    if (subscription === undefined) return;
    this.subscriptions.delete(subscription.id);
    subscription.handlers.onRefused?.(message);
  }
}

interface Message {
  readonly op?: string;
  readonly id?: string | null;
  readonly seq?: number;
  readonly slot?: number | null | undefined;
  readonly data?: unknown;
  readonly undo?: boolean;
  readonly message?: string;
}

let stream: PageStream | null = null;

/**
 * Follows a topic of `/v1/stream` until the returned function is called. `Data` is the shape of the
 * items of the topic, that of the answers of the other endpoints.
 */
export function subscribe<Data>(
  topic: Topic,
  params: Readonly<Record<string, string>>,
  handlers: StreamHandlers<Data>,
): () => void {
  stream ??= new PageStream();
  return stream.subscribe(topic, params, handlers as StreamHandlers<unknown>);
}
