export interface Received {
  /** What the client is sent; null for nothing. */
  readonly text: string | null;
  /** Slot that the message names; null without one. */
  readonly slot: number | null;
}

/** What a WebSocket relay needs to know of the two sides' messages, to go on at another replica. */
export interface SocketSession {
  /** Notes a message of the client, which is sent on as it is. */
  sent(text: string): void;
  /** A message of the replica. */
  received(text: string): Received;
  /** Begins at another replica; the messages to send it first. */
  resume(): readonly string[];
  /** Messages that let another replica keep what this client wants; none if nothing is new. */
  unprepared(isAll: boolean): readonly string[];
  /** The path to open there. */
  path(): string;
}

interface Subscription {
  readonly operation: Readonly<Record<string, unknown>>;
  /** Position after the last message; null before the subscription was confirmed. */
  position: number | null;
  isPrepared: boolean;
}

type Id = string | number;
type Message = Readonly<Record<string, unknown>>;

/** The subscriptions of a client of the filtered stream, and where each is. */
export class DialogSession implements SocketSession {
  private readonly url: string;
  private readonly subscriptions = new Map<Id, Subscription>();
  /** Operations that were not answered yet, in order. */
  private unanswered: Message[] = [];
  /** Subscriptions whose confirmation by another replica the client does not want. */
  private readonly resumed = new Map<Id, number>();
  private isGreeted = false;

  constructor(url: string) {
    this.url = url;
  }

  path(): string {
    return this.url;
  }

  sent(text: string): void {
    const operation = objectOf(text);
    if (operation === null) return;
    this.unanswered.push(operation);
    const { op, id } = operation;
    if (op === 'subscribe' && isId(id) && !this.subscriptions.has(id)) {
      this.subscriptions.set(id, { operation, position: null, isPrepared: false });
    }
  }

  received(text: string): Received {
    const message = objectOf(text);
    if (message === null) return { text, slot: null };
    const { op, id, seq, slot } = message;
    const passed = this.passed(text, message);
    if (typeof op === 'string' && op !== 'gap') this.answered(message, isId(id) ? id : null);
    if (typeof seq === 'number') this.reach(op, isId(id) ? id : null, seq);
    return { text: passed, slot: typeof slot === 'number' ? slot : null };
  }

  resume(): readonly string[] {
    const confirmed: string[] = [];
    this.resumed.clear();
    for (const [id, { operation, position }] of this.subscriptions) {
      if (position === null) continue;
      this.resumed.set(id, position);
      const since = hasOwnNumbers(operation) ? undefined : position;
      confirmed.push(JSON.stringify({ ...operation, since }));
    }
    const again = this.unanswered.filter(({ op, id }) => !(op === 'subscribe' && this.has(id)));
    return [...confirmed, ...again.map((operation) => JSON.stringify(operation))];
  }

  unprepared(isAll: boolean): readonly string[] {
    const wanted: string[] = [];
    for (const subscription of this.subscriptions.values()) {
      const { position, isPrepared, operation } = subscription;
      if (position === null || (isPrepared && !isAll)) continue;
      subscription.isPrepared = true;
      wanted.push(JSON.stringify({ ...operation, since: undefined }));
    }
    return wanted;
  }

  private has(id: unknown): boolean {
    return isId(id) && this.resumed.has(id);
  }

  /** The first greeting is passed on, and what answers the client. */
  private passed(text: string, { op, id, seq }: Message): string | null {
    if (op === 'hello') {
      const isFirst = !this.isGreeted;
      this.isGreeted = true;
      return isFirst ? text : null;
    }
    const position = op === 'ack' && isId(id) ? this.resumed.get(id) : undefined;
    if (position === undefined || !isId(id)) return text;
    this.resumed.delete(id);
    const operation = this.subscriptions.get(id)?.operation;
    if (operation === undefined || !hasOwnNumbers(operation)) return null;
    const gap = { from_seq: position + 1, to_seq: Math.max(position + 1, Number(seq)) };
    return JSON.stringify({ op: 'gap', id, ...gap, seq: gap.to_seq });
  }

  private answered({ op, ...message }: Message, id: Id | null): void {
    // Only the confirmation of a subscription names a slot: one that ended before has none.
    const isEnd = op === 'ack' && !('slot' in message);
    const at = this.unanswered.findIndex(
      (operation) => (operation.id ?? null) === id && (!isEnd || operation.op === 'unsubscribe'),
    );
    const [operation] = at < 0 ? [] : this.unanswered.splice(at, 1);
    if (id === null || operation === undefined) return;
    const isRefused = operation.op === 'subscribe' && op === 'error';
    const known = this.subscriptions.get(id);
    if (!isEnd && !(isRefused && known?.operation === operation)) return;
    this.subscriptions.delete(id);
    this.unanswered = this.unanswered.filter((other) => !isEnd || other !== known?.operation);
  }

  private reach(op: unknown, id: Id | null, seq: number): void {
    if (id === null && op === 'gap') {
      for (const one of this.subscriptions.values()) advance(one, seq);
      return;
    }
    const subscription = id === null ? undefined : this.subscriptions.get(id);
    if (subscription !== undefined && op !== 'pong') advance(subscription, seq);
  }
}

/** A stream that goes one way: where it is. */
export class OneWaySession implements SocketSession {
  private readonly url: string;
  private position: number | null = null;
  private isGreeted = false;

  constructor(url: string) {
    this.url = url;
  }

  path(): string {
    if (this.position === null) return this.url;
    const [path = '', query = ''] = this.url.split('?', 2);
    const parameters = new URLSearchParams(query);
    parameters.set('since', String(this.position));
    return `${path}?${parameters}`;
  }

  sent(): void {
    // Nothing that a client sends is answered.
  }

  received(text: string): Received {
    const message = objectOf(text);
    if (message === null) return { text, slot: null };
    if (typeof message.seq === 'number') this.position = message.seq;
    const slot = typeof message.block_number === 'number' ? message.block_number : null;
    const isGreeting = message.type === 'connected';
    const isRepeated = isGreeting && this.isGreeted;
    if (isGreeting) this.isGreeted = true;
    return { text: isRepeated ? null : text, slot };
  }

  resume(): readonly string[] {
    return [];
  }

  unprepared(): readonly string[] {
    return [];
  }
}

/** Firings are stored, and numbered in the stream, by each replica at a moment of its own. */
function hasOwnNumbers({ topic }: Message): boolean {
  return topic === 'triggers';
}

function advance(subscription: Subscription, seq: number): void {
  subscription.position = Math.max(subscription.position ?? 0, seq);
}

function objectOf(text: string): Message | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Message) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isId(id: unknown): id is Id {
  return typeof id === 'string' || typeof id === 'number';
}
