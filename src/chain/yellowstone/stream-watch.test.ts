import { describe, expect, test } from 'vitest';
import type { Clock } from '../../lib/clock.ts';
import { StreamWatch } from './stream-watch.ts';
import type { StreamRead, UpdateStream } from './update-stream.ts';

const TIMING = { pingIntervalMs: 10, silenceMs: 25, dataSilenceMs: 100 };
const UPDATE: StreamRead = { kind: 'update', bytes: Uint8Array.of(1) };

const ENDED: StreamRead = { kind: 'ended', status: { code: 1, message: 'closed' } };

/** A clock that advances on command. */
class StepClock implements Clock {
  private timeMs = 0;
  private sleepers: { readonly atMs: number; readonly wake: () => void }[] = [];

  nowMs(): number {
    return this.timeMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.sleepers.push({ atMs: this.timeMs + ms, wake: resolve });
      signal?.addEventListener('abort', () => resolve());
    });
  }

  async pass(ms: number): Promise<void> {
    for (const endMs = this.timeMs + ms; this.timeMs < endMs; this.timeMs++) {
      const due = this.sleepers.filter(({ atMs }) => atMs <= this.timeMs);
      this.sleepers = this.sleepers.filter(({ atMs }) => atMs > this.timeMs);
      for (const { wake } of due) wake();
      await new Promise(setImmediate);
    }
  }
}

class FakeStream implements UpdateStream {
  pings = 0;
  isClosed = false;
  private answer: ((read: StreamRead) => void) | null = null;

  read(): Promise<StreamRead> {
    return new Promise((resolve) => {
      if (this.isClosed) resolve(ENDED);
      else this.answer = resolve;
    });
  }

  give(): void {
    this.answer?.(UPDATE);
  }

  write(): void {
    this.pings++;
  }

  close(): void {
    this.isClosed = true;
    this.answer?.(ENDED);
  }
}

function start() {
  const clock = new StepClock();
  const stream = new FakeStream();
  const ending = new AbortController();
  return { clock, stream, ending, watch: new StreamWatch(stream, TIMING, clock, ending.signal) };
}

describe('StreamWatch', () => {
  test('pings at each interval', async () => {
    const { clock, stream } = start();
    await clock.pass(45);
    expect(stream.pings).toBe(4);
  });

  test('ends a stream that is silent for too long, and says so', async () => {
    const { clock, stream, watch } = start();
    const read = watch.read();
    await clock.pass(39);
    expect(stream.isClosed).toBe(false);
    await clock.pass(5);
    expect(stream.isClosed).toBe(true);
    expect(await read).toEqual({
      kind: 'ended',
      status: { code: 14, message: 'nothing came for 40 ms' },
    });
  });

  test('reads messages that arrived during a busy period before it reports silence', async () => {
    const { clock, stream, watch } = start();
    const read = watch.read();
    await clock.pass(35);
    stream.give();
    expect(await read).toEqual(UPDATE);
    void watch.read();
    await clock.pass(20);
    expect(stream.isClosed).toBe(false);
  });

  test('does not blame the server while the caller is busy', async () => {
    const { clock, stream, watch } = start();
    const read = watch.read();
    stream.give();
    await read;
    await clock.pass(1_000);
    expect(stream.isClosed).toBe(false);
    void watch.read();
    await clock.pass(15);
    expect(stream.isClosed).toBe(false);
  });

  test('ends a stream that delivers messages but no block', async () => {
    const { clock, stream, watch } = start();
    let status = '';
    void (async () => {
      for (;;) {
        const read = await watch.read();
        if (read.kind === 'update') continue;
        status = read.status.message;
        return;
      }
    })();
    for (let messages = 0; messages < 8; messages++) {
      await clock.pass(10);
      stream.give();
    }
    watch.noteData();
    for (let messages = 0; messages < 9; messages++) {
      await clock.pass(10);
      stream.give();
    }
    expect(stream.isClosed).toBe(false);
    for (let messages = 0; messages < 5; messages++) {
      await clock.pass(10);
      stream.give();
    }
    expect(stream.isClosed).toBe(true);
    await clock.pass(1);
    expect(status).toMatch(/^no block came for 1\d\d ms$/);
  });

  test('ends with the signal, even if it was aborted before', async () => {
    const { stream, ending } = start();
    ending.abort();
    expect(stream.isClosed).toBe(true);
    const late = new FakeStream();
    const watch = new StreamWatch(late, TIMING, new StepClock(), AbortSignal.abort());
    expect(late.isClosed).toBe(true);
    watch.close();
  });
});
