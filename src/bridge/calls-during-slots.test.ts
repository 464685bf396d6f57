import { describe, expect, test, vi } from 'vitest';
import { CallQueue } from './call-queue.ts';
import {
  BUDGET_MS,
  BUDGET_SHARE,
  CallsDuringSlots,
  LIKELY_MS,
  PAUSE_MS,
  POLL_MS,
} from './calls-during-slots.ts';
import type { ApiRequest, ServiceMessage } from './messages.ts';
import type { ServiceAnswers } from './service-reads.ts';

/** Messages that arrive while a slot is applied; each read takes `readMs` of the test's clock. */
function stage(readMs = 0) {
  const clock = { nowMs: 0 };
  const arrived: ApiRequest[] = [];
  const handled: string[] = [];
  const posted: ServiceMessage[] = [];
  let state = 'half applied';
  const answers = {
    rows: {
      current: (names: unknown) => {
        clock.nowMs += readMs;
        return { names, state };
      },
    },
    chain: { coverage: () => state },
  } as unknown as ServiceAnswers;
  const calls = new CallQueue(answers, (message) => posted.push(message));
  const during = new CallsDuringSlots({
    receive: () => arrived.shift() ?? null,
    handle: (message) => {
      handled.push(message.kind === 'call' ? message.name : message.kind);
      if (message.kind === 'call') calls.push(message);
    },
    calls,
    nowMs: () => clock.nowMs,
  });
  let id = 0;
  const call = (name = 'rows.current', accountId: string | null = null): ApiRequest => {
    id++;
    return { kind: 'call', id, accountId, name, args: [id] };
  };
  /** A pause of a slot, after some time of it. */
  const pause = (afterMs = POLL_MS) => {
    clock.nowMs += afterMs;
    during.answer((read) => {
      state = 'as of the last slot';
      const result = read();
      state = 'half applied';
      return result;
    });
  };
  const answered = () =>
    posted.map((message) => (message.kind === 'answer' ? message.answer : null));
  return { clock, arrived, handled, during, call, pause, answered };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('calls that arrive while a slot is applied', () => {
  test('are answered at the next pause as of the last slot, without a turn of the event loop', () => {
    const { arrived, call, pause, answered, during } = stage();
    pause();
    arrived.push(call());
    pause();
    expect(answered()).toEqual([{ names: 1, state: 'as of the last slot' }]);
    expect(during.answered).toBe(1);
  });

  test('wait for the end of the slot if they are no reads of the state, in order', async () => {
    const { arrived, call, pause, handled, answered } = stage();
    arrived.push(call('rules.publish'), { kind: 'seen' }, call(), call('chain.coverage'));
    pause();
    expect(handled).toEqual([]);
    expect(answered()).toHaveLength(1);
    await turn();
    expect(handled).toEqual(['rules.publish', 'seen', 'chain.coverage']);
  });

  test('come before messages that arrive after the slot', async () => {
    const { arrived, call, pause, handled, during } = stage();
    arrived.push(call('rules.publish'));
    pause();
    during.take({ kind: 'seen' });
    expect(handled).toEqual(['rules.publish', 'seen']);
    await turn();
    expect(handled).toHaveLength(2);
  });

  test('watch a row again that was let go by an earlier message', () => {
    const { arrived, call, pause, handled, answered } = stage();
    arrived.push({ kind: 'unwatch', rows: [] }, call());
    pause();
    expect(handled).toEqual(['unwatch']);
    expect(answered()).toHaveLength(1);
  });

  test('get a slice of each pause in turns of accounts, and the slot its share of the time', async () => {
    const { arrived, call, pause, answered, during, clock } = stage(PAUSE_MS / 2);
    for (let count = 0; count < 6; count++) arrived.push(call('rows.current', 'a'));
    arrived.push(call('rows.current', 'b'));
    pause();
    expect(answered()).toHaveLength(2);
    expect(answered()[1]).toEqual({ names: 7, state: 'as of the last slot' });
    const before = clock.nowMs;
    pause(POLL_MS / 2);
    expect(clock.nowMs - before).toBe(POLL_MS / 2);
    pause();
    expect(answered()).toHaveLength(4);
    await vi.waitFor(() => expect(answered()).toHaveLength(7));
    expect(during.answered).toBe(4);
  });

  test('leave a third of the time to the slot, also when one read takes long', () => {
    const { arrived, call, pause, answered } = stage(BUDGET_MS / 2);
    arrived.push(call(), call());
    pause();
    expect(answered()).toHaveLength(1);
    pause(BUDGET_MS / 4 - 1);
    expect(answered()).toHaveLength(1);
    pause(1);
    expect(answered()).toHaveLength(2);
  });

  test('leave most of the time to the slot once they took as much as they may at once', () => {
    const { arrived, call, pause, answered } = stage(BUDGET_MS + 10);
    arrived.push(call(), call());
    pause();
    expect(answered()).toHaveLength(1);
    pause(10 / BUDGET_SHARE - 1);
    expect(answered()).toHaveLength(1);
    pause(1);
    expect(answered()).toHaveLength(2);
    // Messages of the port are not even taken until then.
    arrived.push(call());
    pause((BUDGET_MS + 10) / BUDGET_SHARE - 1);
    expect(arrived).toHaveLength(1);
    pause(1);
    expect(answered()).toHaveLength(3);
  });

  test('are likely for some seconds after a read', () => {
    const { during, call, clock } = stage();
    expect(during.areLikely).toBe(false);
    during.take(call('chain.coverage'));
    expect(during.areLikely).toBe(false);
    during.take(call());
    expect(during.areLikely).toBe(true);
    clock.nowMs += LIKELY_MS;
    expect(during.areLikely).toBe(false);
  });
});
