import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { fakeApiDeps, READ_KEY } from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer } from '../../../tests/support/fake-api-server.ts';
import { asSlot } from '../../model/units.ts';
import type { Coverage } from '../chain-status.ts';

const held: Coverage = {
  firstSlot: asSlot(10),
  lastSlot: asSlot(20),
  finalSlot: asSlot(19),
  logStart: asSlot(12),
  slots: 9,
  skippedSlots: 0,
  gaps: [
    {
      from: asSlot(13),
      to: asSlot(14),
      reason: 'no provider has them',
      sinceMs: Date.UTC(2025, 0, 15),
      tries: 2,
      afterMs: null,
      beforeMs: null,
    },
  ],
  unlinkedSlots: 2,
  transactions: 100,
  poolMovingTransactions: 3,
  explainedTransactions: 2,
  swaps: 40,
  inferredSwaps: 6,
  inferredPrograms: [
    { program: address('rare'), swaps: 1 },
    { program: address('b'), swaps: 2 },
    { program: address('a'), swaps: 2 },
  ],
  programs: {
    pump: { event: 4, ignored: 3, unknown: 2, malformed: 1, quarantined: 1 },
    boop: { event: 1, ignored: 0, unknown: 0, malformed: 0, quarantined: 0 },
  },
  state: digestAt(20),
  digests: [digestAt(20), digestAt(15)],
  stateStatus: {
    memory: {
      pageBytes: 2_048,
      pageBytesMax: 4_096,
      objectBytes: 10,
      objectBytesMax: Number.POSITIVE_INFINITY,
      evictedPages: 1,
      loadedPages: 2,
      indexBytes: 0,
    },
    checkpoints: {
      newest: { slot: asSlot(15), timeMs: Date.UTC(2025, 0, 15) },
      count: 3,
      fileBytes: 9_000,
      durationMs: 12,
      isNextWritten: false,
      failures: 4,
    },
  },
  agreement: {
    name: 'fold-0',
    state: 'differing' as const,
    slot: asSlot(12),
    agreedSlot: asSlot(11),
    contradictedSlot: null,
    rebuilds: 2,
    others: [{ name: 'fold-1', slot: asSlot(12), isEqual: false }],
    otherRules: ['fold-2'],
  },
  gathering: {
    isGathering: false,
    gatherer: 'fold-1',
    epoch: 7,
    messagesBehind: 3,
    receivedSeq: 40,
    storedSeq: 38,
    stopped: 'The stream begins later.',
  },
  timeMs: Date.UTC(2025, 0, 15) + 2_500,
};

function digestAt(slot: number) {
  const parts = [{ name: 'tokens', sum: `sum ${slot}` }];
  return { slot: asSlot(slot), blockhash: null, digest: `digest ${slot}`, parts };
}

function serverWith(coverage: Coverage) {
  const { chain } = fakeApiDeps();
  return fakeApiServer({ chain: { ...chain, coverage: () => coverage } });
}

describe('GET /v1/coverage', () => {
  test('returns slots, gaps, the explained share and each program by name', async () => {
    const answer = await serverWith(held).inject({
      url: '/v1/coverage',
      headers: { 'x-api-key': READ_KEY },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe(
      JSON.stringify({
        first_slot: 10,
        last_slot: 20,
        final_slot: 19,
        slots: 9,
        skipped_slots: 0,
        missing_slots: 2,
        ranges: [
          { from_slot: 15, to_slot: 20 },
          { from_slot: 10, to_slot: 12 },
        ],
        gaps: [
          {
            from_slot: 13,
            to_slot: 14,
            reason: 'no provider has them',
            since: '2025-01-15T00:00:00.000Z',
            tries: 2,
          },
        ],
        gaps_total: 1,
        unlinked_slots: 2,
        transactions: 100,
        pool_moving_transactions: 3,
        explained_transactions: 2,
        explained_share: '0.6666',
        swaps: 40,
        inferred_swaps: 6,
        inferred_share: '0.1500',
        inferred_programs: [
          { program: address('a'), swaps: 2 },
          { program: address('b'), swaps: 2 },
          { program: address('rare'), swaps: 1 },
        ],
        programs: [
          {
            program: 'boop',
            instructions: 1,
            decoded: 1,
            ignored: 0,
            unknown: 0,
            malformed: 0,
            quarantined: 0,
          },
          {
            program: 'pump',
            instructions: 10,
            decoded: 4,
            ignored: 3,
            unknown: 2,
            malformed: 1,
            quarantined: 1,
          },
        ],
        log_from_slot: 12,
        simulation: null,
        state: {
          slot: 20,
          blockhash: null,
          digest: 'digest 20',
          parts: [{ name: 'tokens', sum: 'sum 20' }],
        },
        state_digests: [
          { slot: 20, digest: 'digest 20' },
          { slot: 15, digest: 'digest 15' },
        ],
        state_memory: {
          page_bytes: 2_048,
          page_bytes_max: 4_096,
          object_bytes: 10,
          object_bytes_max: null,
        },
        state_checkpoints: {
          newest: { slot: 15, block_time: '2025-01-15T00:00:00.000Z', age_seconds: 2.5 },
          count: 3,
          disk_bytes: 9_000,
          failures: 4,
        },
        replicas: {
          name: 'fold-0',
          state: 'differing',
          slot: 12,
          agreed_slot: 11,
          contradicted_slot: null,
          rebuilds: 2,
          others: [{ name: 'fold-1', slot: 12, is_equal: false }],
          other_rules: ['fold-2'],
        },
        gathering: {
          gatherer: 'fold-1',
          epoch: 7,
          is_gathering: false,
          stored_seq: 38,
          messages_behind: 3,
          stopped: 'The stream begins later.',
        },
      }),
    );
    expect(answer.headers['x-slot']).toBeDefined();
  });

  test('says what a simulated market is generated from', async () => {
    const { chain } = fakeApiDeps();
    const simulation = { seed: 'it is seven', startMs: Date.UTC(2025, 0, 15) };
    const server = fakeApiServer({
      chain: { ...chain, coverage: () => held },
      simulation,
    });
    const headers = { 'x-api-key': READ_KEY };
    const answer = await server.inject({ url: '/v1/coverage', headers });
    expect(answer.json().simulation).toEqual({
      seed: 'it is seven',
      start_ms: 1_736_899_200_000,
    });
  });

  test('returns null for a state that is not stored and has no slot', async () => {
    const answer = await serverWith({ ...held, state: null, stateStatus: null }).inject({
      url: '/v1/coverage',
      headers: { 'x-api-key': READ_KEY },
    });
    expect(answer.json()).toMatchObject({
      state: null,
      state_memory: null,
      state_checkpoints: null,
    });
  });

  test('names no gatherer in a process that shares nothing', async () => {
    const answer = await serverWith({ ...held, gathering: null }).inject({
      url: '/v1/coverage',
      headers: { 'x-api-key': READ_KEY },
    });
    expect(answer.json()).toMatchObject({ gathering: null });
  });

  test('returns null for a share of zero', async () => {
    const nothing = { poolMovingTransactions: 0, explainedTransactions: 0, swaps: 0, programs: {} };
    const empty = { ...held, ...nothing, inferredSwaps: 0, inferredPrograms: [] };
    const answer = await serverWith(empty).inject({
      url: '/v1/coverage',
      headers: { 'x-api-key': READ_KEY },
    });
    expect(answer.json()).toMatchObject({
      explained_share: null,
      inferred_share: null,
      programs: [],
    });
  });

  test('lists the hundred programs with the most inferred swaps', async () => {
    const inferredPrograms = Array.from({ length: 130 }, (_, at) => ({
      program: address(`program ${at}`),
      swaps: at,
    }));
    const answer = await serverWith({ ...held, inferredPrograms }).inject({
      url: '/v1/coverage',
      headers: { 'x-api-key': READ_KEY },
    });
    const listed: { swaps: number }[] = answer.json().inferred_programs;
    expect(listed.map(({ swaps }) => swaps)).toEqual(
      Array.from({ length: 100 }, (_, at) => 129 - at),
    );
  });

  test('requires a key', async () => {
    expect((await serverWith(held).inject({ url: '/v1/coverage' })).statusCode).toBe(401);
  });
});
