import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { currentAccount } from '../../lib/current-account.ts';
import { AccountLane, type AccountLaneLimits, type PendingAnswer } from './account-lane.ts';

const LIMITS = { runningMax: 2, openPerAccountMax: 1, waitingPerAccountMax: 2, waitMs: 1_000 };

function laneOf(limits: Partial<AccountLaneLimits> = {}) {
  const lane = new AccountLane({ ...LIMITS, ...limits });
  const begun: string[] = [];
  const open = new Map<string, () => void>();
  const ask = (account: string, name: string, answer?: PendingAnswer) =>
    lane.run(
      account,
      () => {
        begun.push(name);
        return new Promise<string>((resolve) => open.set(name, () => resolve(name)));
      },
      answer,
    );
  const finish = async (name: string) => {
    open.get(name)?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { lane, begun, ask, finish };
}

/** An answer whose client receives it when the test says so. */
function answerToSend({ isHeld = true } = {}) {
  const listeners: (() => void)[] = [];
  const answer = {
    isHeld,
    isEnded: false,
    onEnd: (listener: () => void) => void listeners.push(listener),
  };
  const end = () => {
    answer.isEnded = true;
    for (const listener of listeners.splice(0)) listener();
  };
  return { answer, end };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a lane', () => {
  test('runs synchronous work synchronously', () => {
    const { lane } = laneOf();
    expect(lane.run('a', () => 7)).toBe(7);
    expect(lane.running).toBe(0);
  });

  test('runs work on behalf of its account, including after a wait', async () => {
    const { lane, ask, finish } = laneOf();
    void ask('a', 'a1');
    const later = lane.run('a', async () => currentAccount());
    await finish('a1');
    expect([await later, lane.run(null, () => currentAccount())]).toEqual(['a', null]);
  });

  test('does not delay an account by open or waiting requests of another', async () => {
    const { begun, ask } = laneOf();
    for (const name of ['a1', 'a2', 'a3']) void ask('a', name);
    void ask('b', 'b1');
    expect(begun).toEqual(['a1', 'b1']);
  });

  test('starts waiting requests in turns by account', async () => {
    const { begun, ask, finish } = laneOf({ runningMax: 1 });
    void ask('a', 'a1');
    void ask('a', 'a2');
    void ask('a', 'a3');
    void ask('b', 'b1');
    for (const name of ['a1', 'a2', 'b1']) await finish(name);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  test('refuses with 503 only the account with too many waiting requests', () => {
    const { lane, begun, ask } = laneOf();
    for (const name of ['a1', 'a2', 'a3']) void ask('a', name);
    expect(() => ask('a', 'a4')).toThrow(expect.objectContaining({ status: 503 }));
    void ask('b', 'b1');
    expect(begun).toEqual(['a1', 'b1']);
    expect(lane.refusals).toEqual({ full: 1, late: 0, gone: 0 });
  });

  test('refuses with 503 a request that waited too long', async () => {
    const { lane, begun, ask, finish } = laneOf();
    void ask('a', 'a1');
    const late = expect(ask('a', 'a2')).rejects.toMatchObject({ status: 503 });
    await vi.advanceTimersByTimeAsync(LIMITS.waitMs);
    await late;
    await finish('a1');
    expect([begun, lane.refusals.late, lane.waiting]).toEqual([['a1'], 1, 0]);
  });

  test.each([true, false])(
    'never starts a request whose client has disconnected (held: %s)',
    async (isHeld) => {
      const { lane, begun, ask, finish } = laneOf();
      const { answer, end } = answerToSend({ isHeld });
      void ask('a', 'a1');
      const left = expect(ask('a', 'a2', answer)).rejects.toMatchObject({ status: 503 });
      end();
      await finish('a1');
      expect([begun, lane.refusals.gone, vi.getTimerCount()]).toEqual([['a1'], 1, 0]);
      await left;
    },
  );

  test('counts an answer as open for its account until its client has received it', async () => {
    const { begun, ask, finish } = laneOf({ runningMax: 1 });
    const { answer, end } = answerToSend();
    void ask('a', 'a1', answer);
    void ask('a', 'a2');
    await finish('a1');
    void ask('b', 'b1');
    expect(begun).toEqual(['a1', 'b1']);
    await finish('b1');
    end();
    expect(begun).toEqual(['a1', 'b1', 'a2']);
  });

  test('counts an answer that is not held as open only while it is produced', async () => {
    const { begun, ask, finish } = laneOf();
    void ask('a', 'a1', answerToSend({ isHeld: false }).answer);
    void ask('a', 'a2');
    await finish('a1');
    expect(begun).toEqual(['a1', 'a2']);
  });

  test('has capacity again after work that throws, synchronously or later', async () => {
    const { lane } = laneOf({ runningMax: 1 });
    const thrown = () =>
      lane.run('a', () => {
        throw new RangeError('at once');
      });
    expect(thrown).toThrow('at once');
    await expect(lane.run('a', () => Promise.reject(new RangeError('later')))).rejects.toThrow();
    expect([lane.running, lane.run('a', () => 1)]).toEqual([0, 1]);
  });

  test('yields to the event loop between two pieces of blocking work', async () => {
    const { lane } = laneOf({ runningMax: 1, isBlocking: true });
    const order: string[] = [];
    void lane.run('a', () => order.push('first'));
    const second = lane.run('b', () => order.push('second'));
    order.push('others');
    await vi.advanceTimersByTimeAsync(1);
    await second;
    expect(order).toEqual(['first', 'others', 'second']);
  });
});
