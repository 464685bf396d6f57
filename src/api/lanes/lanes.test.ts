import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type AccountLanes, createAccountLanes, LANE_NAMES, type LaneName } from './lanes.ts';

/** Limits of calls to the engine thread, in total and per account: src/bridge/create-api.ts. */
const CALLS_MAX = 256;
const CALLS_PER_ACCOUNT_MAX = 64;

/**
 * Makes more requests than the lane allows an account; none of them ends. Returns how many started.
 */
function fill(lanes: AccountLanes, name: LaneName, account: string): number {
  let begun = 0;
  const work = () => {
    begun++;
    return new Promise<void>(() => undefined);
  };
  for (let count = 0; count < 300; count++) {
    try {
      Promise.resolve(lanes[name].run(account, work)).catch(() => undefined);
    } catch {
      break;
    }
  }
  return begun;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the lanes of all accounts', () => {
  test('never have more open requests in total than allowed calls', () => {
    const lanes = createAccountLanes();
    let own = 0;
    for (const name of LANE_NAMES) own += fill(lanes, name, 'a');
    expect(own).toBeLessThanOrEqual(CALLS_PER_ACCOUNT_MAX);
    for (let account = 0; account < 300; account++) {
      for (const name of LANE_NAMES) fill(lanes, name, `account-${account}`);
    }
    const running = LANE_NAMES.reduce((sum, name) => sum + lanes[name].running, 0);
    expect(running).toBeGreaterThan(own);
    expect(running).toBeLessThanOrEqual(CALLS_MAX);
  });

  test('leave capacity for others, regardless of the requests of one account', () => {
    const lanes = createAccountLanes();
    for (const name of LANE_NAMES) {
      fill(lanes, name, 'a');
      // Lanes with one running request are busy with the first.
      const isShared = name !== 'statistics' && name !== 'export';
      expect([name, fill(lanes, name, 'b') > 0]).toEqual([name, isShared]);
    }
  });

  test('let the loop turn between two exports', async () => {
    const lanes = createAccountLanes();
    const order: string[] = [];
    void lanes.export.run('a', () => order.push('first'));
    const second = lanes.export.run('b', () => order.push('second'));
    order.push('others');
    await vi.advanceTimersByTimeAsync(1);
    await second;
    expect(order).toEqual(['first', 'others', 'second']);
  });
});
