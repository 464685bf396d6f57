import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { address } from '../../tests/support/build-transaction.ts';
import { fakeIndicators, fakePool, fakeToken } from '../../tests/support/fake-api-deps.ts';
import { asSlot } from '../model/units.ts';
import { createLiveReads } from './live-reads.ts';
import type { LiveKind, LiveRow, LiveRowName } from './live-rows.ts';
import { LiveView } from './live-view.ts';
import type { ApiRequest } from './messages.ts';
import { packHolders } from './packed-holders.ts';
import { RemoteCalls } from './remote-calls.ts';

const ADDRESSES = Array.from({ length: 12 }, (_, number) => address(`row ${number}`));

/** Every third address is unknown; every value names the slot that it is as of. */
function toRow({ kind, address: of }: LiveRowName, slot: number): LiveRow {
  const number = ADDRESSES.indexOf(of);
  const isKnown = number % 3 !== 2;
  const at = { slot: asSlot(slot) };
  // Primary pools change, but not with every slot.
  const primaryPool = ADDRESSES[(number + Math.floor(slot / 4)) % ADDRESSES.length] ?? null;
  if (kind === 'holders') {
    const holder = { mint: of, owner: of, isPool: false, firstSeenMs: null, ...at };
    const balanceRaw = BigInt(slot) as never;
    return { kind, address: of, value: packHolders(of, [{ ...holder, balanceRaw }]) };
  }
  if (!isKnown) return { kind, address: of, value: null } as LiveRow;
  if (kind === 'token') {
    return { kind, address: of, value: fakeToken({ mint: of, primaryPool, ...at }) };
  }
  if (kind === 'pool') return { kind, address: of, value: fakePool({ pool: of, ...at }) };
  return { kind, address: of, value: fakeIndicators({ pool: of, ...at }) };
}

/** Reads over a thread of rows, where each step of `answer` and `advance` is taken by the test. */
function readsOf(rowsMax: number) {
  const sent: Extract<ApiRequest, { kind: 'call' }>[] = [];
  let slot = 100;
  let watchId = 0;
  const watched = new Map<string, LiveRowName>();
  const keyOf = ({ kind, address: of }: LiveRowName) => `${kind} ${of}`;
  const limits = { token: rowsMax, pool: rowsMax, holders: rowsMax, indicators: rowsMax };
  const view = new LiveView(limits, (rows) => {
    for (const row of rows) watched.delete(keyOf(row));
  });
  const calls = new RemoteCalls(
    { openMax: 99, openPerAccountMax: 99, waitMs: 60_000, pastWaitMs: 60_000 },
    (call) => sent.push(call as never),
  );
  const publish = () =>
    view.publish({
      ...{ slot: asSlot(slot), timeMs: slot, solUsd: null, gaps: null, standstill: null },
      ...{ storedAhead: null, isReplaced: false },
      rows: [...watched.values()].map((name) => toRow(name, slot)),
    });
  publish();
  const advance = () => {
    slot++;
    publish();
  };
  const answer = () => {
    const call = sent.shift();
    if (call === undefined) return false;
    const [names] = call.args as readonly [readonly LiveRowName[]];
    for (const name of names) watched.set(keyOf(name), name);
    calls.answered(call.id, { watchId: ++watchId, rows: names.map((name) => toRow(name, slot)) });
    return true;
  };
  const { batches } = createLiveReads(view, calls);
  return { batches, calls, view, sent, advance, answer, slotOf: () => slot };
}

type Reads = ReturnType<typeof readsOf>;

/** The slots that the parts of a result are as of. */
function slotsOf(result: unknown): number[] {
  const texts = JSON.stringify(result, (_, value) =>
    typeof value === 'bigint' ? Number(value) : value,
  ).matchAll(/"(?:slot|balanceRaw)":(\d+)/g);
  return [...texts].map(([, slot]) => Number(slot));
}

const READS = ['tokenRecords', 'pricedTokens', 'tokens', 'indicators'] as const;

async function settle(reads: Reads, pending: Promise<unknown>, moves: readonly boolean[]) {
  let isDone = false;
  const done = pending.finally(() => {
    isDone = true;
  });
  for (let step = 0; !isDone && step < 100; step++) {
    if (moves[step % moves.length] === true) reads.advance();
    reads.answer();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return await done;
}

describe('batches of current rows', () => {
  test.each(READS)('%s: are in the order of the addresses, unknown ones null', async (name) => {
    const reads = readsOf(99);
    const asked = [4, 2, 0].flatMap((number) => ADDRESSES[number] ?? []);
    const pending = Promise.resolve(reads.batches[name](asked));
    const result = (await settle(reads, pending, [false])) as readonly unknown[];
    expect(result.map((one) => one !== null)).toEqual([true, false, true]);
    expect(
      JSON.stringify(result[0], (_, value) => (typeof value === 'bigint' ? 0 : value)),
    ).toContain(asked[0]);
    // All of them are in the view now.
    expect(reads.batches[name](asked)).toEqual(result);
  });

  test.each(['pools', 'wallets', 'fraudChecks'] as const)(
    'ask the other thread for %s',
    async (name) => {
      const reads = readsOf(99);
      const pending = reads.batches[name](ADDRESSES);
      expect(reads.sent).toMatchObject([{ name: `batches.${name}`, args: [ADDRESSES] }]);
      const answered = { slot: null, timeMs: null, data: [] };
      reads.calls.answered(reads.sent[0]?.id ?? 0, answered);
      expect(await pending).toBe(answered);
    },
  );

  test('fetch what is missing in one call, and what that depends on in another', async () => {
    const reads = readsOf(99);
    const kindsOf = () =>
      reads.sent.map(({ args }) => (args[0] as readonly LiveRowName[]).map(({ kind }) => kind));
    const pending = reads.batches.pricedTokens(ADDRESSES.slice(0, 3));
    expect(kindsOf()).toEqual([Array<LiveKind>(3).fill('token')]);
    reads.answer();
    await new Promise((resolve) => setImmediate(resolve));
    expect(kindsOf()).toEqual([Array<LiveKind>(2).fill('pool')]);
    reads.answer();
    expect(await pending).toHaveLength(3);
  });

  test('are as of one slot, however it moves while rows are fetched and dropped', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...READS),
        fc.array(fc.uniqueArray(fc.constantFrom(...ADDRESSES), { minLength: 1, maxLength: 6 }), {
          minLength: 1,
          maxLength: 3,
        }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
        async (name, batches, moves) => {
          // No more rows than the largest batch has: concurrent batches displace each other's rows.
          const reads = readsOf(6);
          const all = batches.map(async (asked) => {
            const result = await reads.batches[name](asked);
            const slot = reads.view.freshness().slot;
            expect(new Set(slotsOf(result)).size).toBeLessThanOrEqual(1);
            for (const one of slotsOf(result)) expect(one).toBe(slot);
            expect(result).toHaveLength(asked.length);
          });
          await settle(reads, Promise.all(all), moves);
        },
      ),
      { numRuns: 300 },
    );
  });
});
