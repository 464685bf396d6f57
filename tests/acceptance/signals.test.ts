import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import type { FoldListener } from '../../src/ingestion/fold-listener.ts';
import type { SlotChanges } from '../../src/model/derived.ts';
import type { Slot } from '../../src/model/units.ts';
import { openService, type Service } from '../../src/service/app.ts';
import { apiInThread } from '../support/api-in-thread.ts';
import { buildChanges } from '../support/build-records.ts';
import { buildOutcome, buildSignal } from '../support/build-signal.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { StreamReader } from '../support/stream-reader.ts';

const KEY = 'signals-acceptance-test-secret';
const E9 = 1_000_000_000n;
const DAY = Date.UTC(2025, 0, 15);
const RANGE = 'from_date=2025-01-15&to_date=2025-01-20';

const signalAt = (rowId: number, slot: number, model: 'organic_momentum' | 'random_minute') =>
  buildSignal({ rowId, model, slot: slot as Slot, createdAtMs: DAY + slot * 1_000 });
const outcomeAt = (rowId: number, slot: number, percent: bigint) =>
  buildOutcome({ rowId, slot: slot as Slot, roiE9: percent * E9 });

/** A service whose fold is simulated by the test: stored, unwritten and published slots. */
describe('signals of a service', () => {
  const dataDir = temporaryFolder();
  const tail: { readonly changes: SlotChanges }[] = [];
  let lastSlot = 0;
  let listener: FoldListener;
  let service: Service;
  let app: FastifyInstance;

  async function store(changes: SlotChanges) {
    await service.store.writer.writeBatch({ slots: [], changes: [changes], epoch: 1 });
    service.store.cursor.write({ epoch: 1, slot: changes.slot, isDirty: false });
  }

  function fold(changes: SlotChanges) {
    lastSlot = changes.slot;
    tail.push({ changes });
    listener.onApplied(changes);
  }

  async function get(path: string) {
    const { port } = app.server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { 'x-api-key': KEY },
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }

  beforeAll(async () => {
    service = await openService(readConfig({}, { dataDir, port: '0', logLevel: 'silent' }));
    service.store.keys.installBootstrap(KEY);
    const engine = Object.create(service.ingestion.engine, { lastSlot: { get: () => lastSlot } });
    const ingestion = Object.create(service.ingestion, {
      point: {
        get: () => ({
          ...service.ingestion.point,
          newest: { slot: lastSlot, timeMs: null },
          unwritten: tail,
        }),
      },
      engine: { get: () => engine },
      listen: {
        value: (given: FoldListener) => {
          listener = given;
        },
      },
    });
    app = await apiInThread({ ...service, ingestion });
    await app.listen({ port: 0, host: '127.0.0.1' });
    await store(
      buildChanges(10, {
        signals: [signalAt(1, 10, 'organic_momentum'), signalAt(2, 10, 'random_minute')],
        outcomes: [outcomeAt(1, 10, 50n), outcomeAt(2, 10, 5n)],
      }),
    );
  });

  afterAll(async () => {
    await app.close();
    await service.close();
  });

  const roiOf = async () => {
    const { body } = await get(`/v1/signals?${RANGE}`);
    const signals = body.signals as { row_id: number; roi_percentage: string }[];
    return signals.map((signal) => [signal.row_id, signal.roi_percentage]);
  };
  const meanOf = async () => {
    const { body } = await get(`/v1/signals/statistics?${RANGE}`);
    const { avg_max_roi: mean } = body.roi_statistics as { avg_max_roi: string };
    return [body.total_signals, mean];
  };

  test('are published when they are given, and read with their outcomes', async () => {
    expect([await roiOf(), await meanOf()]).toEqual([[[1, '50.0000']], [1, '50.000000000']]);
    const { port } = app.server.address() as AddressInfo;
    const reader = await StreamReader.open(`ws://127.0.0.1:${port}/v1/signals/ws`, KEY);
    // The API thread requests signals only while a client reads; wait until it is connected.
    await get('/v1/signals/1');
    fold(
      buildChanges(20, {
        signals: [signalAt(3, 20, 'organic_momentum'), signalAt(4, 20, 'random_minute')],
        outcomes: [outcomeAt(1, 20, 70n), outcomeAt(3, 20, -20n), outcomeAt(4, 20, 1n)],
      }),
    );
    const [message] = await reader.until(1);
    expect(message).toMatchObject({ row_id: 3, roi_percentage: '-20.0000' });
    const { signals } = (await get(`/v1/signals?${RANGE}`)).body as { signals: object[] };
    expect(JSON.stringify(message)).toBe(JSON.stringify({ ...signals[0], seq: message?.seq }));
    await reader.close();
    expect(await roiOf()).toEqual([
      [3, '-20.0000'],
      [1, '70.0000'],
    ]);
    expect(await meanOf()).toEqual([2, '25.000000000']);
    expect((await get('/v1/signals/3')).body).toMatchObject({ row_id: 3, slot: 20 });
    for (const rowId of [2, 4, 5]) expect((await get(`/v1/signals/${rowId}`)).status).toBe(404);
  });

  test('are removed with the slot that gave them', async () => {
    const undone = tail.pop();
    if (undone === undefined) throw new Error('nothing was applied');
    lastSlot = 10;
    listener.onReverted(undone.changes);
    expect([await roiOf(), await meanOf()]).toEqual([[[1, '50.0000']], [1, '50.000000000']]);
    expect((await get('/v1/signals/3')).status).toBe(404);
  });

  test('stay the same when their slot is stored', async () => {
    const changes = buildChanges(21, {
      signals: [signalAt(3, 21, 'organic_momentum')],
      outcomes: [outcomeAt(3, 21, 110n), outcomeAt(1, 21, 60n)],
    });
    fold(changes);
    expect(await meanOf()).toEqual([2, '85.000000000']);
    await store(changes);
    tail.pop();
    expect(await meanOf()).toEqual([2, '85.000000000']);
    expect(await roiOf()).toEqual([
      [3, '110.0000'],
      [1, '60.0000'],
    ]);
  });
});
