import { type RawData, WebSocket } from 'ws';

export interface SocketOptions {
  readonly frameBytesMax: number;
  /** Unread frames at which the connection is paused. */
  readonly framesMax: number;
  /** After this time without data a connection is dead, even if it answers pings. */
  readonly silenceMs: number;
  /** Interval between pings; a connection that does not answer before the next one is dead. */
  readonly pingMs: number;
}

/** Why a connection ended. `too-large`: a frame exceeded the maximum size. */
export interface SocketEnd {
  readonly kind: 'ended';
  readonly reason: 'closed' | 'silent' | 'too-large';
  /** Does not contain the URL. */
  readonly message: string;
}

const HANDSHAKE_MS = 10_000;
const FRAME_TOO_LARGE = 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';

/** One WebSocket connection as text frames in order; binary frames are ignored. */
export class SocketFrames {
  private readonly socket: WebSocket;
  private readonly options: SocketOptions;
  private frames: string[] = [];
  private end: SocketEnd | null = null;
  private wake: (() => void) | null = null;
  private readonly silence: NodeJS.Timeout;
  private readonly pinging: NodeJS.Timeout;
  private hasAnswered = true;

  constructor(url: string, options: SocketOptions) {
    this.options = options;
    this.socket = new WebSocket(url, {
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: options.frameBytesMax,
      perMessageDeflate: false,
      followRedirects: false,
    });
    this.silence = setTimeout(() => this.noteSilence(), options.silenceMs);
    this.pinging = setInterval(() => this.ping(), options.pingMs);
    this.socket.on('message', (data, isBinary) => {
      this.hasAnswered = true;
      this.silence.refresh();
      if (!isBinary) this.push(data);
    });
    this.socket.on('pong', () => {
      this.hasAnswered = true;
    });
    this.socket.on('unexpected-response', (request, response) => {
      this.finish('closed', `the server answered with status ${response.statusCode ?? 0}`);
      request.destroy();
    });
    // Every error is followed by a close event, which ends this connection.
    this.socket.on('error', (error) => {
      const code = 'code' in error ? String(error.code) : '';
      if (code === FRAME_TOO_LARGE) this.finish('too-large', 'a frame was larger than allowed');
      else
        this.finish(
          'closed',
          `the connection failed (${/^[A-Z_]{3,40}$/.exec(code)?.[0] ?? 'closed'})`,
        );
    });
    this.socket.on('close', (code) => this.finish('closed', `the server closed (${code})`));
  }

  /** Waits for frames and returns all since the last call; returns the end after the last frame. */
  async next(): Promise<readonly string[] | SocketEnd> {
    while (this.frames.length === 0 && this.end === null) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    const { frames, end } = this;
    this.frames = [];
    if (frames.length > 0) {
      this.socket.resume();
      return frames;
    }
    return end ?? { kind: 'ended', reason: 'closed', message: 'the connection is over' };
  }

  /** Ends the connection. Frames received before are still returned. */
  terminate(): void {
    this.finish('closed', 'the connection was ended here');
  }

  private push(data: RawData): void {
    this.frames.push(String(data));
    if (this.frames.length >= this.options.framesMax) this.socket.pause();
    this.wake?.();
  }

  private finish(reason: SocketEnd['reason'], message: string): void {
    this.end ??= { kind: 'ended', reason, message };
    clearTimeout(this.silence);
    clearInterval(this.pinging);
    this.socket.terminate();
    this.wake?.();
  }

  /** While the connection is paused, the server is not responsible for the silence. */
  private noteSilence(): void {
    if (this.socket.isPaused) this.silence.refresh();
    else this.finish('silent', `nothing came for ${this.options.silenceMs} ms`);
  }

  private ping(): void {
    if (this.socket.isPaused || this.socket.readyState !== WebSocket.OPEN) return;
    if (!this.hasAnswered) this.finish('silent', `no answer within ${this.options.pingMs} ms`);
    else {
      this.hasAnswered = false;
      this.socket.ping();
    }
  }
}
