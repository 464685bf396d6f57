import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runForAccount } from '../lib/current-account.ts';
import { ApiError, StoreError } from '../model/errors.ts';
import { toFault } from './fault.ts';
import type { ApiRequest } from './messages.ts';
import { RemoteCalls } from './remote-calls.ts';

function callsOf({ openMax = 2, openPerAccountMax = 9, waitMs = 1_000, pastWaitMs = 3_000 } = {}) {
  const sent: ApiRequest[] = [];
  const limits = { openMax, openPerAccountMax, waitMs, pastWaitMs };
  const calls = new RemoteCalls(limits, (message) => sent.push(message));
  return { calls, sent };
}

/** Status of the error with which the call was rejected so far, without waiting for it. */
function outcomeOf(asked: Promise<unknown>): { status: unknown } {
  const outcome: { status: unknown } = { status: 'waits' };
  asked.then(
    () => {
      outcome.status = 'answered';
    },
    (error: unknown) => {
      outcome.status = error instanceof ApiError ? error.status : error;
    },
  );
  return outcome;
}

describe('calls to another thread', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('settle each with its own answer, regardless of the order of answers', async () => {
    const { calls, sent } = callsOf();
    const first = calls.call('past.indicators', ['a', 1]);
    const second = calls.call('chain.coverage', []);
    expect(sent).toEqual([
      {
        kind: 'call',
        id: 1,
        accountId: null,
        name: 'past.indicators',
        args: ['a', 1],
      },
      { kind: 'call', id: 2, accountId: null, name: 'chain.coverage', args: [] },
    ]);
    calls.answered(2, { slots: 3 });
    calls.answered(1, null);
    expect([await first, await second]).toEqual([null, { slots: 3 }]);
    expect(calls.openCount).toBe(0);
  });

  test('fail with the error of the other side', async () => {
    const { calls } = callsOf();
    const answer = calls.call('chain.coverage', []);
    calls.failed(1, toFault(new StoreError('The disk is full.')));
    await expect(answer).rejects.toEqual(new StoreError('The disk is full.'));
  });

  test('of one account are refused while too many of its own are open, including timed-out ones', async () => {
    const { calls } = callsOf({ openMax: 9, openPerAccountMax: 2 });
    const ask = (accountId: string | null) =>
      runForAccount(accountId, () => calls.inTime(calls.call('chain.coverage', [])));
    const late = [outcomeOf(ask('slow')), outcomeOf(ask('slow'))];
    await vi.advanceTimersByTimeAsync(1_000);
    expect(late).toMatchObject([{ status: 503 }, { status: 503 }]);
    const refused = expect(ask('slow')).rejects.toMatchObject({ status: 503 });
    expect(calls.openCount).toBe(2);
    await refused;
    const others = [ask('other'), ask(null)];
    calls.answered(3, 'three');
    calls.answered(4, 'four');
    expect(await Promise.all(others)).toEqual(['three', 'four']);
    calls.answered(1, 'one');
    const again = ask('slow');
    calls.answered(5, 'five');
    expect(await again).toBe('five');
  });

  test('for an earlier slot are waited for longer, and say that it is still being computed', async () => {
    const { calls } = callsOf({ waitMs: 1_000, pastWaitMs: 3_000 });
    const ofNow = outcomeOf(calls.inTime(calls.call('chain.coverage', [])));
    const ofThen = calls.inPastTime(calls.call('past.token', ['a', 1]));
    const late = expect(ofThen).rejects.toEqual(
      new ApiError(503, 'The state as of this slot is still being computed: try again.'),
    );
    const outcome = outcomeOf(ofThen);
    await vi.advanceTimersByTimeAsync(2_999);
    expect([ofNow.status, outcome.status]).toEqual([503, 'waits']);
    await vi.advanceTimersByTimeAsync(1);
    await late;
    expect(calls.refusals.late).toBe(2);
  });

  test('are refused with 503, and not sent, while too many are open', async () => {
    const { calls, sent } = callsOf({ openMax: 2 });
    const open = [calls.call('chain.coverage', []), calls.call('chain.readiness', [])];
    const refused = outcomeOf(calls.call('metrics.page', []));
    await vi.advanceTimersByTimeAsync(0);
    expect([refused, sent.length]).toMatchObject([{ status: 503 }, 2]);
    calls.answered(1, 'one');
    const later = calls.call('metrics.page', []);
    calls.answered(2, 'two');
    calls.answered(3, 'three');
    expect(await Promise.all([...open, later])).toEqual(['one', 'two', 'three']);
    expect(calls.refusals).toEqual({ busy: 1, late: 0 });
  });

  test('reject with 503 after the timeout, and count as open until they are answered', async () => {
    const { calls } = callsOf({ openMax: 1, waitMs: 1_000 });
    const answer = calls.call('chain.coverage', []);
    const waited = outcomeOf(calls.inTime(answer));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(waited).toMatchObject({ status: 503 });
    expect(calls.refusals).toEqual({ busy: 0, late: 1 });
    expect(calls.openCount).toBe(1);
    calls.answered(1, 'late');
    expect(await answer).toBe('late');
    expect(calls.openCount).toBe(0);
  });

  test('leave no timer behind when they are answered in time', async () => {
    const { calls } = callsOf();
    const answer = calls.inTime(calls.call('chain.coverage', []));
    calls.answered(1, 'in time');
    expect(await answer).toBe('in time');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('ignore answers without a call', () => {
    const { calls } = callsOf();
    calls.answered(7, 'what?');
    calls.failed(8, toFault(new Error('what?')));
    expect(calls.openCount).toBe(0);
  });
});
