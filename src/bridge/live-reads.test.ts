import { describe, expect, test, vi } from 'vitest';
import {
  fakeIndicators,
  fakePool,
  fakeToken,
  MINT,
  POOL,
} from '../../tests/support/fake-api-deps.ts';
import { asSlot } from '../model/units.ts';
import { createLiveReads } from './live-reads.ts';
import type { LiveRow, LiveRowName } from './live-rows.ts';
import { LiveView } from './live-view.ts';
import type { ApiRequest } from './messages.ts';
import { packHolders } from './packed-holders.ts';
import { RemoteCalls } from './remote-calls.ts';

type RowsCall = Extract<ApiRequest, { kind: 'call' }> & {
  readonly args: readonly [readonly LiveRowName[]];
};

const VALUES = {
  token: fakeToken(),
  pool: fakePool(),
  holders: packHolders(MINT, []),
  indicators: fakeIndicators(),
} as const satisfies { [Kind in LiveRow['kind']]: unknown };

/** Reads whose calls wait until the test answers them. */
function readsOf() {
  const sent: RowsCall[] = [];
  const limits = { token: 9, pool: 9, holders: 9, indicators: 9 };
  const view = new LiveView(limits, () => undefined);
  const callLimits = { openMax: 9, openPerAccountMax: 9, waitMs: 1_000, pastWaitMs: 2_000 };
  const calls = new RemoteCalls(callLimits, (call) => sent.push(call as RowsCall));
  const rowsOf = (call: RowsCall | undefined) => ({
    watchId: call?.id ?? 0,
    rows: call?.args[0].map(({ kind, address }) => ({ kind, address, value: VALUES[kind] })),
  });
  const answer = (index: number, given?: null) =>
    calls.answered(sent[index]?.id ?? 0, given === null ? null : rowsOf(sent[index]));
  return { reads: createLiveReads(view, calls), view, sent, answer };
}

describe('reads of current rows', () => {
  test('fetch a missing row once, and return synchronously from then on', async () => {
    const { reads, sent, answer } = readsOf();
    const asked = reads.tokens.withHolders(MINT);
    expect(sent.map(({ args }) => args[0])).toEqual([
      [
        { kind: 'token', address: MINT },
        { kind: 'holders', address: MINT },
      ],
    ]);
    answer(0);
    expect(await asked).toEqual({ token: VALUES.token, holders: [] });
    expect(reads.tokens.withHolders(MINT)).toEqual({ token: VALUES.token, holders: [] });
    expect(reads.tokens.find(MINT)).toBe(VALUES.token);
    expect(sent).toHaveLength(1);
  });

  test('fetch a row once for concurrent reads', async () => {
    const { reads, sent, answer } = readsOf();
    const all = Promise.all([reads.pools.find(POOL), reads.pools.find(POOL)]);
    const token = reads.tokens.find(MINT);
    const both = reads.tokens.withHolders(MINT);
    expect(sent.map(({ args }) => args[0].map(({ kind }) => kind))).toEqual([
      ['pool'],
      ['token'],
      ['holders'],
    ]);
    for (const index of [0, 1, 2]) answer(index);
    expect(await all).toEqual([VALUES.pool, VALUES.pool]);
    expect([await token, await both]).toEqual([VALUES.token, { token: VALUES.token, holders: [] }]);
  });

  test('fetch a pool and its figures in one call', async () => {
    const { reads, sent, answer } = readsOf();
    const asked = reads.pools.withIndicators(POOL);
    expect(sent.map(({ args }) => args[0])).toEqual([
      [
        { kind: 'pool', address: POOL },
        { kind: 'indicators', address: POOL },
      ],
    ]);
    answer(0);
    const both = { pool: VALUES.pool, indicators: VALUES.indicators };
    expect(await asked).toEqual(both);
    expect(reads.pools.withIndicators(POOL)).toEqual(both);
  });

  test('fetch figures once, and return the published updates with the pool of the same slot', async () => {
    const { reads, view, sent, answer } = readsOf();
    const first = reads.pools.withIndicators(POOL);
    answer(0);
    await first;
    const newer = fakePool({ swapCount: 99 });
    const figures = fakeIndicators({ slot: asSlot(99) });
    view.publish({
      slot: null,
      timeMs: null,
      solUsd: null,
      gaps: null,
      standstill: null,
      storedAhead: null,
      isReplaced: false,
      rows: [
        { kind: 'pool', address: POOL, value: newer },
        { kind: 'indicators', address: POOL, value: figures },
      ],
    });
    expect(reads.pools.withIndicators(POOL)).toEqual({ pool: newer, indicators: figures });
    expect(sent).toHaveLength(1);
  });

  test.each([
    ['a page of holders', 'tokens.holderPage', () => ({ mint: MINT, after: null, limit: 2 })],
    ['a wallet', 'wallets.find', () => POOL],
  ] as const)('ask the other thread for %s', async (_, name, ask) => {
    const { reads, sent, answer } = readsOf();
    const asked =
      name === 'wallets.find'
        ? reads.wallets.find(POOL)
        : reads.tokens.holderPage({ mint: MINT, after: null, limit: 2 });
    expect(sent).toMatchObject([{ name, args: [ask()] }]);
    answer(0, null);
    expect(await asked).toBeNull();
  });

  test('cache an answer that is too late for its reader', async () => {
    vi.useFakeTimers();
    try {
      const { reads, sent, answer } = readsOf();
      const late = expect(reads.pools.find(POOL)).rejects.toMatchObject({ status: 503 });
      await vi.advanceTimersByTimeAsync(1_000);
      await late;
      const again = reads.pools.find(POOL);
      expect(sent).toHaveLength(1);
      answer(0);
      expect(await again).toBe(VALUES.pool);
      expect(reads.pools.find(POOL)).toBe(VALUES.pool);
    } finally {
      vi.useRealTimers();
    }
  });
});
