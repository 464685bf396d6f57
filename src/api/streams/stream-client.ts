import type { Entry, StreamGap, StreamSource } from '../stream-source.ts';

/** A client that has this much to take is behind; when more comes then, it is let go. */
export const BUFFERED_BYTES_MAX = 1_048_576;

/** A message as it is sent, with the memory it takes until it is. */
export interface Encoded<Message> {
  readonly message: Message;
  readonly sizeBytes: number;
}

/** Where the messages of one client go. */
export interface Sink<Message> {
  /** `onSent` is called when the message has left this process, or never will. */
  send(message: Message, onSent: () => void): void;
}

export interface StreamClientOptions<Item, Message> {
  readonly source: StreamSource<Item>;
  /** The place to go on from; null for what is to come. */
  readonly since: number | null;
  readonly sink: Sink<Message>;
  /** No message for what the client did not ask for. */
  readonly encode: (entry: Entry<Item>) => readonly Encoded<Message>[];
  /** Null where a client is not told of gaps. */
  readonly encodeGap: (gap: StreamGap) => Encoded<Message> | null;
}

/** Why a client was let go by this side. */
export type StreamEnd = 'ended' | 'slow';

/**
 * Reads a stream for one client, no faster than the client takes it. Who catches up on what was
 * missed may take long; who has caught up once and then falls behind by more than the buffer is let
 * go, since it would miss more and more.
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

  /** Resolves when it was stopped or let go. Rejects when the stream cannot be read. */
  async run(): Promise<StreamEnd> {
    const { source } = this.options;
    const unwatch = source.watch(() => this.onEvents());
    try {
      let place = this.options.since ?? (await source.newest());
      this.reached = place;
      while (!this.isOver) {
        this.hasEvents = false;
        const { gap, entries, next } = await source.after(place);
        if (gap !== null) await this.put(this.options.encodeGap(gap));
        for (const entry of entries) {
          for (const encoded of this.options.encode(entry)) await this.put(encoded);
        }
        place = next;
        if (!this.isOver) this.reached = place;
        if (gap === null && entries.length === 0) await this.untilEvents();
      }
      return this.end;
    } finally {
      this.isOver = true;
      unwatch();
    }
  }

  /** Everything up to here was sent; null before it began. */
  get place(): number | null {
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
