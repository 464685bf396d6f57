import { describe, expect, test } from 'vitest';
import { signatureNamed } from '../../tests/support/made-up-units.ts';
import type { BlockStreamStatus, NodeStatus, SourceStatus } from '../chain/source-status.ts';
import type { StoredPoint } from '../model/slot-range.ts';
import { asSlot } from '../model/units.ts';
import type { VenueAlarm } from '../model/venue-change.ts';
import { createChainStatus } from './chain-status.ts';
import type { Ingestion } from './ingestion.ts';
import type { WriteFailure } from './write-recovery.ts';

const NOW_MS = 1_700_000_100_000;

const WELL: NodeStatus = {
  label: 'one.example',
  state: 'well',
  tipSlot: 990,
  requests: 40,
  openRequests: 2,
  failures: { 'http 429': 2, 'time-out': 1 },
  refutedBlocks: 0,
};

const STREAM: BlockStreamStatus = {
  origin: 'stream.example:443',
  isStreaming: true,
  attempts: 3,
  interruptions: 2,
  blocks: 100,
  duplicates: 4,
  incomplete: 0,
  lastEnd: 'stream.example:443: nothing came for 20001 ms (code 14)',
};

function sourceOf(nodes: readonly NodeStatus[], stream: BlockStreamStatus | null): SourceStatus {
  const slots = { headSlot: 998, finalSlot: 966, tipSlot: 1_000 } as Record<string, number>;
  return {
    ...(slots as Pick<SourceStatus, 'headSlot' | 'finalSlot' | 'tipSlot'>),
    finality: 'confirmed + 32 slots',
    pendingBlocks: 0,
    duplicates: 0,
    nodes,
    comparison: null,
    stream,
    outages: 0,
    isOut: false,
  };
}

interface Scene {
  readonly source: SourceStatus | null;
  readonly ageMs?: number;
  readonly lagMaxMs?: number | undefined;
  readonly stopReason?: string | null;
  readonly suspension?: string | null;
  readonly alarms?: readonly VenueAlarm[];
  readonly failure?: WriteFailure | null;
  /** Whether the stored log is applied. */
  readonly isCaughtUp?: boolean;
  /** The end of the stored rows while the state is before it. */
  readonly storedAhead?: StoredPoint | null;
}

/** Readiness of a service whose newest slot is `ageMs` old. */
async function readinessWith(
  source: SourceStatus | null,
  ageMs = 400,
  lagMaxMs?: number,
  stopReason: string | null = null,
  alarms: readonly VenueAlarm[] = [],
  failure: WriteFailure | null = null,
) {
  const chain = chainWith({ source, ageMs, lagMaxMs, stopReason, alarms, failure });
  return await chain.readiness();
}

function chainWith({ source, ageMs = 400, lagMaxMs, stopReason = null, ...rest }: Scene) {
  const { alarms = [], failure = null, isCaughtUp: isDone = true, storedAhead = null } = rest;
  const { suspension = null } = rest;
  const store = {
    health: async () => ({ isWritable: true, isReadable: true, detail: 'ok' }),
    gaps: { counts: { held: 0, skipped: 0, missing: 0 } },
  };
  const ingestion = {
    engine: { lastSlot: asSlot(998), timeMs: NOW_MS - ageMs },
    gaps: [],
    status: {
      isFollowing: source !== null,
      headSlot: source?.tipSlot ?? null,
      source,
      stopReason,
      failure,
      suspension,
      isContradicted: suspension !== null,
    },
    catchUp: { isDone, storedAhead },
  };
  return createChainStatus(
    store as unknown as Parameters<typeof createChainStatus>[0],
    ingestion as unknown as Ingestion,
    () => NOW_MS,
    { venueAlarms: () => alarms, ...(lagMaxMs === undefined ? {} : { lagMaxMs }) },
  );
}

describe('readiness', () => {
  test('reports the state, lag, open and failed requests of each node', async () => {
    const behind: NodeStatus = { ...WELL, label: 'two.example', state: 'behind', tipSlot: 900 };
    const { checks } = await readinessWith(sourceOf([WELL, behind], null));
    expect(checks.source).toEqual({
      ok: true,
      detail:
        'one.example: well, 10 slots behind, 2 requests open, 3 of 40 failed; ' +
        'two.example: far behind the others, 100 slots behind, 2 requests open, 3 of 40 failed',
    });
  });

  test('reports whether a stream delivers blocks, and otherwise why it last ended', async () => {
    const up = await readinessWith(sourceOf([], STREAM));
    expect(up.checks.source).toEqual({
      ok: true,
      detail: 'stream of stream.example:443: brings blocks, interrupted 2 times',
    });
    const down = await readinessWith(sourceOf([], { ...STREAM, isStreaming: false }));
    expect(down.checks.source?.ok).toBe(false);
    expect(down.checks.source?.detail).toContain('last ended with "stream.example:443: nothing');
  });

  test.each(['left-alone', 'other-cluster', 'behind'] as const)(
    'shows a source whose only node is %s as failing, and leaves the verdict to the lag',
    async (state) => {
      const source = sourceOf([{ ...WELL, state, tipSlot: null }], null);
      const { isReady, checks } = await readinessWith(source);
      expect(checks.source?.ok).toBe(false);
      expect(checks.source?.detail).toContain('position unknown');
      expect(isReady).toBe(true);
    },
  );

  test.each([
    [60_000, undefined, true],
    [60_001, undefined, false],
    [5_001, 5_000, false],
    [600_000, 600_000, true],
  ])(
    'with a lag of %i ms where %s are allowed (60 s by default) is %s',
    async (age, max, ready) => {
      expect((await readinessWith(sourceOf([WELL], null), age, max)).isReady).toBe(ready);
    },
  );

  test('reports changed programs, and stays ready', async () => {
    const alarm: VenueAlarm = {
      program: 'pump',
      measure: 'quarantined',
      sinceSlot: asSlot(990),
      recent: { hits: 3, total: 10 },
      past: { hits: 1, total: 400 },
      examples: [
        { what: 'vaults moved less', slot: asSlot(990), signature: signatureNamed('signature') },
      ],
    };
    const none = await readinessWith(sourceOf([WELL], null));
    expect(none.checks.venues).toEqual({ ok: true, detail: 'none changed' });
    const source = sourceOf([WELL], null);
    const { isReady, checks } = await readinessWith(source, 400, 60_000, null, [alarm]);
    expect(isReady).toBe(true);
    expect(checks.venues).toEqual({
      ok: false,
      detail:
        'pump since slot 990: 30.00 % of swaps quarantined, 0.25 % before (vaults moved less in signature)',
    });
  });

  test('reports no chain where none is followed', async () => {
    const { checks } = await readinessWith(null);
    expect(checks.source).toEqual({ ok: true, detail: 'no chain is followed' });
  });

  test('is refused with the reason once the chain is no longer followed (F-09)', async () => {
    const sentence = 'The chain leaves the log: a fork deeper than finality.';
    const { isReady, checks } = await readinessWith(null, 400, 60_000, sentence);
    expect(isReady).toBe(false);
    expect(checks.source).toEqual({ ok: false, detail: sentence });
    expect(checks.source_lag).toEqual({ ok: false, detail: 'the chain is no longer followed' });
  });
});

describe('a replica whose state was contradicted', () => {
  const source = sourceOf([WELL], null);
  const suspension = 'The state after slot 990 differed from that of most replicas.';

  test('is not ready although it follows the chain, and says why', async () => {
    const { isReady, checks } = await chainWith({ source, suspension }).readiness();
    expect(isReady).toBe(false);
    expect(checks.source).toEqual({ ok: false, detail: suspension });
    expect(checks.source_lag?.ok).toBe(true);
  });

  test.each([
    ['follows the chain', null],
    ['has stopped', 'It differs.'],
  ])('is not restarted while it %s, because that makes no state right', (_, stopReason) => {
    const chain = chainWith({ source, suspension, stopReason });
    expect(chain.standstill()).toEqual({ isLasting: false, isContradicted: true });
  });
});

describe('a period of failing writes', () => {
  const failure = {
    sinceMs: NOW_MS - 12_000,
    reason: 'Writing slot 990 and after (epoch 1) failed: No space left on device',
    attempts: 7,
  };
  const source = sourceOf([WELL], null);

  test('is reported by readiness with the failure, its start and the number of attempts', async () => {
    const { isReady, checks } = await readinessWith(source, 400, undefined, null, [], failure);
    expect(isReady).toBe(false);
    expect(checks.store_writable).toEqual({
      ok: false,
      detail:
        'since 2023-11-14T22:14:48.000Z, tried 7 times: Writing slot 990 and after (epoch 1) ' +
        'failed: No space left on device',
    });
  });

  test.each([
    ['stored and followed', {}, null, true],
    ['temporarily not stored', { failure }, { isLasting: false }, false],
    ['no longer followed', { stopReason: 'It forked.' }, { isLasting: true }, false],
    ['neither', { failure, stopReason: 'It forked.' }, { isLasting: true }, false],
  ])('makes answers incomplete: a chain that is %s', (_, state, standstill, isComplete) => {
    const chain = chainWith({ source, ...state });
    expect(chain.standstill()).toEqual(standstill);
    expect(chain.freshness().isComplete).toBe(isComplete);
  });
});

describe('while the stored log is being applied after a start', () => {
  const storedAhead = { slot: asSlot(1_200), timeMs: NOW_MS - 100 };
  const starting = { source: null, isCaughtUp: false, storedAhead };

  test('the service is not ready, and says which slot it has reached', async () => {
    const { isReady, checks } = await chainWith(starting).readiness();
    expect(isReady).toBe(false);
    expect(checks.log_applied).toEqual({
      ok: false,
      detail: 'the stored log is being applied, as after each start; slot 998 of 1200 is reached',
    });
    const last = await chainWith({ ...starting, storedAhead: null }).readiness();
    expect(last.checks.log_applied?.detail).toMatch(/; slot 998 is reached$/);
  });

  test('stored rows and the state each have their own slot and time', () => {
    const chain = chainWith(starting);
    const state = { slot: 998, timeMs: NOW_MS - 400, isComplete: true };
    expect(chain.freshness()).toEqual(state);
    expect(chain.freshness({ isStored: true })).toEqual({ ...storedAhead, isComplete: true });
  });

  test('both have the same once the state has reached the stored rows', () => {
    const chain = chainWith({ ...starting, storedAhead: null });
    expect(chain.freshness({ isStored: true })).toEqual(chain.freshness());
  });
});
