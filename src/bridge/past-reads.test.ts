import { describe, expect, test } from 'vitest';
import { address } from '../../tests/support/build-transaction.ts';
import {
  fakeIndicators,
  fakePool,
  fakeToken,
  MINT,
  POOL,
} from '../../tests/support/fake-api-deps.ts';
import type { PastOutcome } from '../ingestion/past/past-states.ts';
import type { IndicatorRecord } from '../model/indicators.ts';
import { asSlot } from '../model/units.ts';
import type { LiveEngine } from './live-rows.ts';
import { pastReads } from './past-reads.ts';

const NEWEST = asSlot(500);
const FIRST = asSlot(100);
const TIME_MS = 7_000;
const token = fakeToken();
const pool = fakePool();
const indicators = fakeIndicators();

/** Reads of an engine at slot 500, whose states are answerable from slot 100 on. */
function readsOf(given: {
  readonly outcome?: PastOutcome<never>;
  readonly minute?: IndicatorRecord;
}) {
  const asked: unknown[] = [];
  const engine: Pick<LiveEngine, 'lastSlot' | 'token' | 'pool' | 'topHolders' | 'indicators'> = {
    lastSlot: NEWEST,
    token: (mint) => (mint === MINT ? token : null),
    pool: (name) => (name === POOL ? pool : null),
    topHolders: () => [],
    indicators: () => indicators,
  };
  const bounds = { first: FIRST, newest: NEWEST };
  const reads = pastReads(
    {
      answerable: bounds,
      read: async (query, slot) => {
        asked.push([query.kind, slot]);
        return given.outcome ?? { kind: 'outside', slots: bounds };
      },
    },
    {
      current: (read) => read(engine as LiveEngine),
      asOf: (read) => ({ slot: NEWEST, timeMs: TIME_MS, data: read(engine as LiveEngine) }),
    },
    async () => ({ slot: NEWEST, timeMs: TIME_MS, data: given.minute ?? null }),
  );
  return { reads, asked };
}

const OUTSIDE = {
  status: 422,
  message: 'as_of_slot must be from 100, the oldest retained slot, to 500, the newest.',
};

describe('reads as of a slot', () => {
  test('of the newest one are answered by the engine', async () => {
    const { reads, asked } = readsOf({});
    const asOf = { slot: NEWEST, timeMs: TIME_MS };
    expect(await reads.token(MINT, NEWEST)).toEqual({ ...asOf, data: { token, holders: [] } });
    expect(await reads.indicators(POOL, NEWEST)).toEqual({ ...asOf, data: { pool, indicators } });
    expect(asked).toEqual([]);
  });

  test('of an earlier one are answered by its state', async () => {
    const answer = { slot: asSlot(299), timeMs: 1, data: null };
    const { reads, asked } = readsOf({ outcome: { kind: 'answered', answer: answer as never } });
    const page = { mint: MINT, after: null, limit: 3 };
    expect(await reads.token(MINT, asSlot(300))).toBe(answer);
    expect(await reads.holders(page, asSlot(300))).toBe(answer);
    expect(await reads.indicators(POOL, FIRST)).toBe(answer);
    expect(asked).toEqual([
      ['token', 300],
      ['holders', 300],
      ['indicators', FIRST],
    ]);
  });

  test('outside of the answerable ones are refused with both bounds', async () => {
    const { reads } = readsOf({});
    const page = { mint: MINT, after: null, limit: 3 };
    for (const slot of [asSlot(99), asSlot(501)]) {
      await expect(reads.token(MINT, slot)).rejects.toMatchObject(OUTSIDE);
      await expect(reads.holders(page, slot)).rejects.toMatchObject(OUTSIDE);
      await expect(reads.indicators(POOL, slot)).rejects.toMatchObject(OUTSIDE);
    }
  });

  test('of indicators before them are those of the last stored minute, if there is one', async () => {
    const minute = fakeIndicators({ slot: asSlot(60), createdAtMs: 4_000 });
    const { reads } = readsOf({ minute });
    expect(await reads.indicators(POOL, asSlot(99))).toEqual({
      ...{ slot: 60, timeMs: 4_000, data: { indicators: minute, pool: null } },
    });
    expect(await reads.indicators(address('unknown pool'), asSlot(99))).toMatchObject({
      data: null,
    });
  });
});
