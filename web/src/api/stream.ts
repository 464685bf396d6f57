import { signal } from '@preact/signals';
import { checkSession } from './client.ts';
import { session } from './session-state.ts';
import type { StreamMessage, Topic } from './stream-messages.ts';

/** State of the page's connection: `stale` after several failed attempts or without a session. */
export type Connection = 'live' | 'reconnecting' | 'stale';

export const connection = signal<Connection>('reconnecting');

/** Newest slot that the connection has shown; null before the first message. */
export const streamSlot = signal<number | null>(null);

/** A time of which messages were missed, as after a restart of the service. */
export interface MissedTime {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What was missed last; null if nothing was, and after it was dismissed. */
export const missed = signal<MissedTime | null>(null);

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
const ANSWER_MS = 15_000;
/** The same when the machine has slept: most connections do not survive that. */
const ANSWER_AFTER_SLEEP_MS = 3_000;
/** A timer that is this late was stopped by sleep, of the machine or of a page out of sight. */
const SLEPT_MS = 30_000;
const FIRST_DELAY_MS = 500;
const DELAY_MAX_MS = 15_000;
const FAILURES_UNTIL_STALE = 3;
/** A connection that lasted this long did not fail. */
const LASTING_MS = 5_000;
/** A refusal for now, as while the service computes its state again, is repeated after this. */
const REFUSED_DELAY_MS = 3_000;

/**
 * The page's only WebSocket. It is opened by the first subscription with the session's cookie,
 * reconnects with growing delays, and resumes each subscription after the last message received.
 */
class PageStream {
  private readonly subscriptions = new Map<string, Subscription>();
  private socket: WebSocket | null = null;
  private failures = 0;
  private retry: ReturnType<typeof setTimeout> | null = null;
  private answer: ReturnType<typeof setTimeout> | null = null;
  private openedMs = 0;
  private lastMessageMs = Date.now();
  private lastTickMs = 0;
  /** Time of the last message before the connection was lost. */
  private lostMs: number | null = null;
  private nextId = 1;

  constructor() {
    setInterval(() => this.tick(), PING_MS);
    addEventListener('online', () => this.returned());
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.returned();
    });
    session.subscribe((state) => {
      if (state === 'open') this.connect();
      else this.leave();
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
    this.openedMs = 0;
    socket.onopen = () => {
      if (socket === this.socket) this.opened();
    };
    socket.onmessage = ({ data }) => {
      if (socket === this.socket) this.take(String(data));
    };
    socket.onclose = () => {
      if (socket === this.socket) this.lost();
    };
  }

  private opened(): void {
    this.openedMs = Date.now();
    connection.value = 'live';
    // After a restart the service may be behind the slot that was shown.
    streamSlot.value = null;
    for (const subscription of this.subscriptions.values()) this.announce(subscription);
  }

  private lost(): void {
    const hasOpened = this.openedMs !== 0;
    const hasLasted = hasOpened && Date.now() - this.openedMs >= LASTING_MS;
    this.failures = hasLasted ? 1 : this.failures + 1;
    this.abandon();
    if (session.value !== 'open') return;
    connection.value = this.failures > FAILURES_UNTIL_STALE ? 'stale' : 'reconnecting';
    const grownMs = Math.min(DELAY_MAX_MS, FIRST_DELAY_MS * 2 ** (this.failures - 1));
    // Pages that lost the same service do not return all at once.
    this.retry = setTimeout(() => this.connect(), grownMs * (0.5 + Math.random() / 2));
    // A refused connection does not say why: a restart of the service ends all sessions.
    if (!hasOpened) void this.connectWithNewSession();
  }

  private async connectWithNewSession(): Promise<void> {
    if (await checkSession()) this.connect();
  }

  /** Forgets the socket, and since when messages may be missed. */
  private abandon(): void {
    if (this.answer !== null) clearTimeout(this.answer);
    this.answer = null;
    if (this.socket !== null && this.openedMs !== 0) this.lostMs = this.lastMessageMs;
    this.socket = null;
  }

  private leave(): void {
    const { socket } = this;
    this.abandon();
    socket?.close();
    connection.value = 'stale';
  }

  private tick(): void {
    const nowMs = Date.now();
    const hasSlept = this.lastTickMs !== 0 && nowMs - this.lastTickMs > PING_MS + SLEPT_MS;
    this.lastTickMs = nowMs;
    // Gaps are reported when subscriptions resume: a later one is of a time after that.
    if (this.openedMs !== 0 && nowMs - this.openedMs > LASTING_MS) this.lostMs = null;
    if (this.socket !== null) this.ping(this.socket, hasSlept ? ANSWER_AFTER_SLEEP_MS : ANSWER_MS);
    else if (this.retry === null || hasSlept) this.connect();
  }

  /** The network or the reader is back: an attempt does not wait for the rest of its pause. */
  private returned(): void {
    this.connect();
    this.tick();
  }

  /** Any message shows that the connection lives; without one in time another is opened. */
  private ping(socket: WebSocket, answerMs: number): void {
    if (socket.readyState === WebSocket.OPEN) this.send({ op: 'ping' });
    if (this.answer !== null && answerMs === ANSWER_MS) return;
    if (this.answer !== null) clearTimeout(this.answer);
    const sentMs = Date.now();
    this.answer = setTimeout(() => {
      this.answer = null;
      if (socket !== this.socket || this.lastMessageMs >= sentMs) return;
      this.abandon();
      socket.close();
      connection.value = 'reconnecting';
      this.connect();
    }, answerMs);
  }

  private announce({ id, topic, params, since }: Subscription): void {
    this.send({ op: 'subscribe', id, topic, params, ...(since === null ? {} : { since }) });
  }

  private send(operation: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(operation));
  }

  private take(text: string): void {
    this.lastMessageMs = Date.now();
    const message = JSON.parse(text) as StreamMessage;
    if (message.op === undefined) this.deliver(message);
    else if (message.op === 'gap') this.reportGap(message);
    else if (message.op === 'ack') this.acknowledge(message);
    else if (message.op === 'error') this.refuse(message);
  }

  private deliver({ id, seq, slot: given, data, undo }: StreamMessage): void {
    const slot = given ?? 0;
    if (slot > (streamSlot.peek() ?? 0)) streamSlot.value = slot;
    const subscription = this.subscriptions.get(id ?? '');
    if (subscription === undefined) return;
    if (seq !== undefined) subscription.since = seq;
    if (undo === true) subscription.handlers.onUndo?.(data, slot);
    else subscription.handlers.onItem(data, slot);
  }

  private acknowledge({ id, seq, slot = null }: StreamMessage): void {
    const subscription = this.subscriptions.get(id ?? '');
    if (subscription === undefined || subscription.since !== null) return;
    subscription.since = seq ?? null;
    subscription.handlers.onReady?.(slot);
  }

  private reportGap({ id = null, seq }: StreamMessage): void {
    const toMs = Date.now();
    missed.value = { fromMs: this.lostMs ?? toMs, toMs };
    for (const subscription of this.subscriptions.values()) {
      if (id !== null && id !== subscription.id) continue;
      if (seq !== undefined) subscription.since = seq;
      subscription.handlers.onGap?.();
    }
  }

  private refuse({ id, code, message = 'The subscription was refused.' }: StreamMessage): void {
    const subscription = this.subscriptions.get(id ?? '');
    if (subscription === undefined) return;
    // It was announced twice: on the connection, and again after a refusal for now.
    if (code === 409) return;
    if (code === 503 || code === 429) {
      setTimeout(() => {
        if (this.subscriptions.has(subscription.id)) this.announce(subscription);
      }, REFUSED_DELAY_MS);
      return;
    }
    this.subscriptions.delete(subscription.id);
    subscription.handlers.onRefused?.(message);
  }
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
