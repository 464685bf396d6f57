import { BadAnswerError, ConnectionError } from './errors.ts';

export interface SocketSettings {
  readonly pingMs: number;
  readonly silenceMs: number;
  readonly waitingMax: number;
  readonly signal: AbortSignal | undefined;
}

const PING = '{"op":"ping"}';
const CONNECT_MS = 10_000;
const MESSAGE_LENGTH_MAX = 16 * 2 ** 20;

/**
 * The texts of one WebSocket in order, until it ends. Sockets cannot be paused: one whose reader is
 * too slow is closed once too many texts wait, and those that wait are still returned.
 */
export class StreamSocket {
  private readonly socket: WebSocket;
  private readonly settings: SocketSettings;
  private waiting: string[] = [];
  /** Texts of `waiting` that have been taken. */
  private taken = 0;
  private wake: () => void = () => undefined;
  private ended: string | null = null;
  private fault: BadAnswerError | null = null;
  private heardMs = Date.now();
  private isPinged = false;
  private readonly watch: ReturnType<typeof setInterval>;

  /** Resolves once it is open; throws ConnectionError if it does not open. */
  static async open(
    create: (url: string) => WebSocket,
    url: string,
    settings: SocketSettings,
  ): Promise<StreamSocket> {
    const socket = create(url);
    await new Promise<void>((resolve, reject) => {
      const { signal } = settings;
      const finish = (error?: unknown) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        if (error === undefined) resolve();
        else {
          socket.close();
          reject(error);
        }
      };
      const onAbort = () => finish(signal?.reason);
      const timer = setTimeout(
        () => finish(new ConnectionError('The WebSocket did not open in time.')),
        CONNECT_MS,
      );
      signal?.addEventListener('abort', onAbort, { once: true });
      socket.onopen = () => finish();
      socket.onerror = () => finish(new ConnectionError('The WebSocket could not be opened.'));
      socket.onclose = () => finish(new ConnectionError('The WebSocket was refused.'));
    });
    return new StreamSocket(socket, settings);
  }

  private constructor(socket: WebSocket, settings: SocketSettings) {
    this.socket = socket;
    this.settings = settings;
    socket.onmessage = ({ data }: { readonly data: unknown }) => this.take(data);
    socket.onerror = () => this.end('the connection failed');
    socket.onclose = ({ code, reason }) => this.end(reason || `closed with ${code}`);
    const period = Math.max(5, Math.min(settings.pingMs, settings.silenceMs) / 4);
    this.watch = setInterval(() => this.check(), period);
    settings.signal?.addEventListener('abort', this.onAbort, { once: true });
  }

  /** Why it ended. */
  get reason(): string {
    return this.ended ?? 'open';
  }

  send(message: object): void {
    if (this.ended === null) this.socket.send(JSON.stringify(message));
  }

  /** Ends with the connection. Throws the reason of the signal once it is aborted. */
  async *texts(): AsyncGenerator<string, void, undefined> {
    try {
      for (;;) {
        this.settings.signal?.throwIfAborted();
        const text = this.waiting[this.taken];
        if (text !== undefined) {
          this.taken++;
          yield text;
          continue;
        }
        this.waiting = [];
        this.taken = 0;
        if (this.fault !== null) throw this.fault;
        if (this.ended !== null) return;
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
    } finally {
      this.end('no longer read');
    }
  }

  private readonly onAbort = () => this.end('aborted');

  private take(data: unknown): void {
    this.heardMs = Date.now();
    this.isPinged = false;
    if (typeof data !== 'string' || data.length > MESSAGE_LENGTH_MAX) {
      this.fault = new BadAnswerError('A message of the stream is not a text, or too long.');
      this.end('not a stream');
      return;
    }
    this.waiting.push(data);
    if (this.waiting.length - this.taken >= this.settings.waitingMax) {
      this.end('too many messages wait to be read');
    }
    this.wake();
  }

  /** A connection whose other side is gone looks open: only an answer shows that it is. */
  private check(): void {
    const silentMs = Date.now() - this.heardMs;
    if (silentMs >= this.settings.silenceMs) this.end('the service is silent');
    else if (silentMs >= this.settings.pingMs && !this.isPinged) {
      this.isPinged = true;
      this.socket.send(PING);
    }
  }

  private end(reason: string): void {
    if (this.ended === null) {
      this.ended = reason;
      clearInterval(this.watch);
      this.settings.signal?.removeEventListener('abort', this.onAbort);
      this.socket.onmessage = null;
      // An error after this one has no listener that acts on it.
      this.socket.onerror = () => undefined;
      this.socket.onclose = null;
      this.socket.close();
    }
    this.wake();
  }
}
