import { expect, test, vi } from 'vitest';
import { currentAccount } from '../lib/current-account.ts';
import { type Call, CallQueue, SLICE_MS } from './call-queue.ts';
import type { ServiceAnswers } from './service-reads.ts';

/** Calls that each take half a slice of the test's clock; records the order of accounts. */
function queueOf() {
  let nowMs = 0;
  const begun: (string | null)[] = [];
  const answers = {
    chain: {
      coverage: () => {
        begun.push(currentAccount());
        nowMs += SLICE_MS / 2;
        return null;
      },
    },
  } as unknown as ServiceAnswers;
  const queue = new CallQueue(
    answers,
    () => undefined,
    () => nowMs,
  );
  let id = 0;
  const push = (accountId: string | null) =>
    queue.push({
      kind: 'call',
      id: ++id,
      accountId,
      name: 'chain.coverage',
      args: [],
    } satisfies Call);
  return { queue, begun, push };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('calls get a slice of each turn of the event loop, regardless of their number', async () => {
  const { queue, begun, push } = queueOf();
  for (let count = 0; count < 10; count++) push('a');
  expect(begun).toHaveLength(2);
  await turn();
  expect([begun.length, queue.size]).toEqual([4, 6]);
  await vi.waitFor(() => expect(queue.size).toBe(0));
  expect(begun).toHaveLength(10);
});

test('waiting calls are started in turns by account, each on behalf of its account', async () => {
  const { begun, push } = queueOf();
  for (let count = 0; count < 6; count++) push('a');
  push('b');
  push(null);
  await vi.waitFor(() => expect(begun).toHaveLength(8));
  expect(begun).toEqual(['a', 'a', 'a', 'b', null, 'a', 'a', 'a']);
});

test('a single call is answered in the turn in which it arrives', () => {
  const { begun, push } = queueOf();
  push('a');
  expect(begun).toEqual(['a']);
});
