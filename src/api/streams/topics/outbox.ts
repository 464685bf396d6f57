import { BUFFERED_BYTES_MAX } from '../stream-client.ts';

/** A replay waits while more than this is buffered, so that current messages always have room. */
const REPLAY_BYTES_MAX = BUFFERED_BYTES_MAX / 2;

export interface OutboxOptions {
  /** `onSent` is called when the bytes have left the process, or never will. */
  readonly send: (bytes: Uint8Array, onSent: () => void) => void;
  /** The client reads too slowly; nothing more is sent. */
  readonly onSlow: () => void;
  /** There is room for a replay again. */
  readonly onRoom: () => void;
}

/** The messages of one client that were not received yet, with a bound on their bytes. */
export class Outbox {
  private readonly options: OutboxOptions;
  private bufferedBytes = 0;
  private isOver = false;
  private isFull = false;

  constructor(options: OutboxOptions) {
    this.options = options;
  }

  get hasRoom(): boolean {
    return !this.isOver && this.bufferedBytes < REPLAY_BYTES_MAX;
  }

  send(bytes: Uint8Array): void {
    if (this.isOver) return;
    if (this.bufferedBytes >= BUFFERED_BYTES_MAX) {
      this.isOver = true;
      this.options.onSlow();
      return;
    }
    this.bufferedBytes += bytes.length;
    this.isFull ||= !this.hasRoom;
    this.options.send(bytes, () => this.sent(bytes.length));
  }

  /** Nothing more is sent. */
  end(): void {
    this.isOver = true;
  }

  private sent(sizeBytes: number): void {
    this.bufferedBytes -= sizeBytes;
    if (!this.isFull || !this.hasRoom) return;
    this.isFull = false;
    this.options.onRoom();
  }
}
