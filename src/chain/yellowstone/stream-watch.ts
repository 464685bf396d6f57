import type { Clock } from '../../lib/clock.ts';
import { encodePing } from './subscribe-request.ts';
import type { StreamRead, StreamStatus, UpdateStream } from './update-stream.ts';

export interface WatchTiming {
  readonly pingIntervalMs: number;
  /** Longest wait for any message; pings are answered, so a live server is never silent. */
  readonly silenceMs: number;
  /** Longest wait for a block on a live connection. */
  readonly dataSilenceMs: number;
}

/** UNAVAILABLE: the server may recover. */
const SILENT = 14;

/**
 * Reads a stream, sends pings, and ends it when it falls silent. Silence is measured only during a
 * pending read: a busy caller is not the server's fault.
 */
export class StreamWatch {
  private readonly stream: UpdateStream;
  private readonly timing: WatchTiming;
  private readonly clock: Clock;
  private readonly closing = new AbortController();
  private waitingSinceMs: number | null = null;
  /** Time spent waiting since the last block. */
  private waitedMs = 0;
  private silence: StreamStatus | null = null;

  /** The stream is closed with the signal. */
  constructor(stream: UpdateStream, timing: WatchTiming, clock: Clock, signal: AbortSignal) {
    this.stream = stream;
    this.timing = timing;
    this.clock = clock;
    const close = () => this.close();
    signal.addEventListener('abort', close, { once: true, signal: this.closing.signal });
    if (signal.aborted) close();
    void this.watch();
  }

  async read(): Promise<StreamRead> {
    const startMs = this.clock.nowMs();
    this.waitingSinceMs = startMs;
    const read = await this.stream.read();
    this.waitingSinceMs = null;
    this.waitedMs += this.clock.nowMs() - startMs;
    return read.kind === 'ended' ? { ...read, status: this.silence ?? read.status } : read;
  }

  /** Records that a block arrived. */
  noteData(): void {
    this.waitedMs = 0;
  }

  close(): void {
    if (this.closing.signal.aborted) return;
    this.closing.abort();
    this.stream.close();
  }

  private async watch(): Promise<void> {
    const { signal } = this.closing;
    let isSuspect = false;
    for (let id = 1; ; id++) {
      await this.clock.sleep(this.timing.pingIntervalMs, signal);
      if (signal.aborted) return;
      const silence = this.silenceNow();
      if (silence !== null && isSuspect) {
        this.silence = silence;
        this.close();
        return;
      }
      // Messages that arrived while this process was busy are read before the next check.
      isSuspect = silence !== null;
      this.stream.write(encodePing(id));
    }
  }

  private silenceNow(): StreamStatus | null {
    const { waitingSinceMs, timing } = this;
    const silentMs = waitingSinceMs === null ? 0 : this.clock.nowMs() - waitingSinceMs;
    if (silentMs > timing.silenceMs) {
      return { code: SILENT, message: `nothing came for ${Math.round(silentMs)} ms` };
    }
    const withoutDataMs = this.waitedMs + silentMs;
    if (withoutDataMs <= timing.dataSilenceMs) return null;
    return { code: SILENT, message: `no block came for ${Math.round(withoutDataMs)} ms` };
  }
}
