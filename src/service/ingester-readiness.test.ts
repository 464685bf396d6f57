import { describe, expect, it } from 'vitest';
import { createMetricFamilies } from '../api/http/metrics.ts';
import type { SourceStatus } from '../chain/source-status.ts';
import { asSlot } from '../model/units.ts';
import { exposeIngester, type MeasuredIngester } from './ingester-metrics.ts';
import { ingesterReadiness } from './ingester-readiness.ts';

const SOURCE: SourceStatus = {
  ...{ headSlot: asSlot(100), finalSlot: asSlot(70), tipSlot: asSlot(104), finality: null },
  ...{ pendingBlocks: 0, duplicates: 0, nodes: [], comparison: null, stream: null },
  ...{ outages: 0, isOut: false },
};

const WRITER: MeasuredIngester = {
  status: {
    ...{ isWriting: true, lastSeq: 9, finalSlot: 70, headSlot: 100, failure: null },
    ...{ appended: 7, takeovers: 2, refused: 1 },
  },
  usage: { bytes: 5_000, bytesMax: 10_000 },
  source: SOURCE,
};

const failing = (isFull: boolean): MeasuredIngester => ({
  ...WRITER,
  status: { ...WRITER.status, failure: { sentence: 'it fails', isFull, sinceMs: 1_000 } },
});
const readiness = (ingester: MeasuredIngester) => ingesterReadiness(ingester, 5_500);

async function metricsOf(ingester: MeasuredIngester): Promise<string> {
  const families = createMetricFamilies();
  exposeIngester(families, ingester);
  return await families.render();
}

describe('an ingester', () => {
  it('is ready while it writes and keeps up, and while it waits', () => {
    expect(readiness(WRITER)).toMatchObject({
      isReady: true,
      checks: {
        log: { detail: '9 steps, 5000 of at most 10000 bytes' },
        source: { detail: '4 slots behind the nodes' },
      },
    });
    const waiting = { ...WRITER, status: { ...WRITER.status, isWriting: false }, source: null };
    expect(readiness(waiting).isReady).toBe(true);
  });

  it('is not ready while the log fails, and says since when and why', () => {
    expect(readiness(failing(true))).toMatchObject({
      isReady: false,
      checks: { log: { ok: false, detail: 'for 4 s it fails' } },
    });
  });

  it.each([
    ['no node delivers', { ...SOURCE, isOut: true }],
    ['it is a minute behind', { ...SOURCE, tipSlot: asSlot(251) }],
  ])('is not ready when it writes and %s', (_, source) => {
    expect(readiness({ ...WRITER, source }).isReady).toBe(false);
  });

  it('is not ready before the stream has answered', () => {
    expect(readiness({ ...WRITER, usage: null }).isReady).toBe(false);
  });

  it('exposes its state, its counts, the log and the lag to its nodes', async () => {
    const lines = (await metricsOf(WRITER)).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'mintscope_ingester_writing 1',
        'mintscope_ingester_sequence 9',
        'mintscope_ingester_head_slot 100',
        'mintscope_ingester_final_slot 70',
        'mintscope_ingester_lag_slots 4',
        'mintscope_ingester_appends_total 7',
        'mintscope_ingester_takeovers_total 2',
        'mintscope_ingester_refused_appends_total 1',
        'mintscope_step_log_bytes 5000',
        'mintscope_step_log_max_bytes 10000',
      ]),
    );
  });

  it.each([
    [true, ['1', '0']],
    [false, ['0', '1']],
  ])('tells a full log (%s) from one that does not answer', async (isFull, [full, unavailable]) => {
    const page = await metricsOf(failing(isFull));
    expect(page).toContain(`mintscope_ingester_log_failing{reason="full"} ${full}\n`);
    expect(page).toContain(`mintscope_ingester_log_failing{reason="unavailable"} ${unavailable}\n`);
  });

  it('shows no lag while it waits, because no node is asked', async () => {
    const waiting = { ...WRITER, status: { ...WRITER.status, isWriting: false }, source: null };
    expect(await metricsOf(waiting)).toMatch(/^mintscope_ingester_lag_slots 0$/m);
  });
});
