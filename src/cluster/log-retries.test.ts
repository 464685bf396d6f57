import { describe, expect, it } from 'vitest';
import type { Clock } from '../lib/clock.ts';
import { LogRetries } from './log-retries.ts';
import { LogFull, LogUnavailable } from './step-log.ts';

/** A clock whose sleeps end at once. */
class FastClock implements Clock {
  private ms = 0;
  nowMs(): number {
    return this.ms;
  }
  async sleep(ms: number): Promise<void> {
    this.ms += ms;
  }
}

function open() {
  const said: string[] = [];
  const ending = new AbortController();
  const retries = new LogRetries({
    ...{ clock: new FastClock(), retryMs: 100, signal: ending.signal },
    onNotice: (sentence) => said.push(sentence),
    onFailure: (sentence) => said.push(sentence),
  });
  return { said, ending, retries };
}

/** Fails with each of the errors in turn, then succeeds. */
function failing(...errors: readonly Error[]) {
  const left = [...errors];
  return async () => {
    const error = left.shift();
    if (error !== undefined) throw error;
    return 'done';
  };
}

describe('calls of a log', () => {
  it('are repeated while they fail in passing, and each reason is said once', async () => {
    const { said, retries } = open();
    const [away, full] = [new LogUnavailable('no answer'), new LogFull('no room')];
    expect(await retries.call(failing(away, away, full, full, full))).toBe('done');
    expect(said).toEqual(['no answer', 'no room', 'the log answers again']);
    expect(retries.failure).toBeNull();
  });

  it('show why they fail, and since when the log has failed without a success', async () => {
    const { retries } = open();
    await retries.attempt(failing(new LogUnavailable('no answer')));
    expect(retries.failure).toEqual({ sentence: 'no answer', isFull: false, sinceMs: 0 });
    await retries.call(async () => {
      if (retries.failure?.isFull === true) return 'done';
      throw new LogFull('no room');
    });
    await retries.attempt(failing(new LogFull('no room')));
    expect(retries.failure).toEqual({ sentence: 'no room', isFull: true, sinceMs: 100 });
  });

  it('end with null once the signal is aborted, and pass on what does not pass', async () => {
    const { ending, retries } = open();
    await expect(retries.call(failing(new TypeError('a fault')))).rejects.toThrow('a fault');
    const ended = retries.call(async () => {
      ending.abort();
      throw new LogUnavailable('no answer');
    });
    expect(await ended).toBeNull();
    expect(retries.failure).toBeNull();
  });
});
