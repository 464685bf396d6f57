import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { asSlot } from '../../model/units.ts';
import { MintRequests } from './mint-requests.ts';

const [one, two, three] = [address('one'), address('two'), address('three')];

/** Without jitter each wait is the full bound. */
function newRequests(limits: { waitingMax?: number; rememberedMax?: number } = {}) {
  return new MintRequests({
    random: () => 1,
    waitingMax: 100,
    rememberedMax: 100,
    triesMax: 3,
    backoffMs: 100,
    backoffMaxMs: 300,
    ...limits,
  });
}

const takeOne = (requests: MintRequests, nowMs: number) => {
  const [request] = requests.take(nowMs, 1);
  if (request === undefined) throw new Error('nothing is due');
  return request;
};

describe('requests for mints', () => {
  test('are made once per mint, in the order of their first offer', () => {
    const requests = newRequests();
    for (const mint of [one, two, one, one]) requests.offer(mint, asSlot(5));
    expect(requests.take(0, 9).map(({ mint }) => mint)).toEqual([one, two]);
    requests.offer(one, asSlot(6));
    expect(requests.size).toBe(0);
  });

  test('wait twice as long after each failed call, up to a bound, and are never dropped for it', () => {
    const requests = newRequests();
    requests.offer(one, asSlot(5));
    let nowMs = 0;
    for (const waitMs of [100, 200, 300, 300, 300]) {
      requests.delay(takeOne(requests, nowMs), nowMs);
      expect(requests.take(nowMs + waitMs - 1, 1)).toEqual([]);
      nowMs += waitMs;
    }
    expect([requests.size, requests.droppedCount]).toEqual([1, 0]);
  });

  test('are dropped, with the reason, after three answers without the mint', () => {
    const requests = newRequests();
    requests.offer(one, asSlot(5));
    for (const nowMs of [0, 1_000, 2_000]) {
      requests.fail(takeOne(requests, nowMs), 'there is no such account', nowMs);
    }
    expect(requests.droppedMints).toEqual([{ mint: one, reason: 'there is no such account' }]);
    requests.offer(one, asSlot(6));
    expect(requests.size).toBe(0);
  });

  test('that exceed the bound are counted and can be offered again', () => {
    const requests = newRequests({ waitingMax: 1 });
    requests.offer(one, asSlot(5));
    requests.offer(two, asSlot(5));
    expect([requests.size, requests.refusedCount]).toEqual([1, 1]);
    requests.take(0, 9);
    requests.offer(two, asSlot(6));
    expect(takeOne(requests, 0)).toMatchObject({ mint: two, sinceSlot: 6 });
  });

  test('forget the least recently offered mint', () => {
    const requests = newRequests({ rememberedMax: 2 });
    for (const mint of [one, two, one, three]) requests.offer(mint, asSlot(5));
    requests.take(0, 9);
    requests.offer(one, asSlot(6));
    expect(requests.size).toBe(0);
    requests.offer(two, asSlot(6));
    expect(takeOne(requests, 0).mint).toBe(two);
  });

  test('that are offered again use the later slot, independent of the call in flight', () => {
    const requests = newRequests();
    requests.offer(one, asSlot(5));
    const inFlight = takeOne(requests, 0);
    requests.offerAgain(one, asSlot(9));
    requests.delay(inFlight, 0);
    expect(takeOne(requests, 0)).toMatchObject({ mint: one, sinceSlot: 9, delays: 0 });
    expect(requests.size).toBe(0);
  });
});
