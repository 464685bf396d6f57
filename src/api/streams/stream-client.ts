import type { Entry, StreamGap, StreamSource } from '../stream-source.ts';

/**
 * Buffer limit of a client. A client whose buffer is full when new entries arrive is disconnected.
 */
export const BUFFERED_BYTES_MAX = 1_048_576;

/** An encoded message, and the memory it uses until it is sent. */
export interface Encoded<Message> {
  readonly message: Message;
  readonly sizeBytes: number;
}

/** Destination of the messages of one client. */
export interface Sink<Message> {
  /** `onSent` is called when the message has left the process, or never will. */
  send(message: Message, onSent: () => void): void;
}

export interface StreamClientOptions<Item, Message> {
  readonly source: StreamSource<Item>;
  /** Position to resume from; null to receive only new entries. */
  readonly since: number | null;
  readonly sink: Sink<Message>;
  /** Returns no messages for an entry that the client did not select. */
  readonly encode: (entry: Entry<Item>) => readonly Encoded<Message>[];
  /** Returns null if the client is not notified of gaps. */
  readonly encodeGap: (gap: StreamGap) => Encoded<Message> | null;
}

/** Why the stream ended on this side. */
export type StreamEnd = 'ended' | 'slow';

/**
 * Reads a stream for one client, at the speed at which the client receives it. A client may take
 * any time to catch up on missed entries. Once it has caught up, it is disconnected if it falls
 * behind by more than the buffer, since it would only fall behind further.
 */
export class StreamClient<Item, Message> {
  private readonly options: StreamClientOptions<Item, Message>;
  private bufferedBytes = 0;
  private hasCaughtUp = false;
  private hasEvents = false;
  private isOver = false;
  private end: StreamEnd = 'ended';
  private reached: number | null = null;
  private wake: () => void = () => undefined;

  constructor(options: StreamClientOptions<Item, Message>) {
    this.options = options;
  }

  /** Resolves when the client was stopped or disconnected. Rejects if the stream cannot be read. */
  async run(): Promise<StreamEnd> {
    const { source } = this.options;
    const unwatch = source.watch(() => this.onEvents());
    try {
      let position = this.options.since ?? (await source.newest());
      this.reached = position;
      while (!this.isOver) {
        this.hasEvents = false;
        const { gap, entries, next } = await source.after(position);
        if (gap !== null) await this.put(this.options.encodeGap(gap));
        for (const entry of entries) {
          for (const encoded of this.options.encode(entry)) await this.put(encoded);
        }
        position = next;
        if (!this.isOver) this.reached = position;
        if (gap === null && entries.length === 0) await this.untilEvents();
      }
      return this.end;
    } finally {
      this.isOver = true;
      unwatch();
    }
  }

  /** Everything up to this position was sent; null before the start. */
  get position(): number | null {
    return this.reached;
  }

  stop(): void {
    this.isOver = true;
    this.wake();
  }

  private onEvents(): void {
    this.hasEvents = true;
    if (this.hasCaughtUp && this.bufferedBytes >= BUFFERED_BYTES_MAX) {
      this.end = 'slow';
      this.isOver = true;
    }
    this.wake();
  }

  private async untilEvents(): Promise<void> {
    this.hasCaughtUp = true;
    while (!this.hasEvents && !this.isOver) await this.sleep();
  }

  private async put(encoded: Encoded<Message> | null): Promise<void> {
    while (this.bufferedBytes >= BUFFERED_BYTES_MAX && !this.isOver) await this.sleep();
    if (encoded === null || this.isOver) return;
    const { message, sizeBytes } = encoded;
    this.bufferedBytes += sizeBytes;
    this.options.sink.send(message, () => {
      this.bufferedBytes -= sizeBytes;
      this.wake();
    });
  }

  private sleep(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }
}
