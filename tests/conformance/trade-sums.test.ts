import { resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { createRecordedSource } from '../../src/chain/recorded/recorded-source.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { asSlot } from '../../src/model/units.ts';
import type { Service } from '../../src/service/app.ts';
import { apiInThread } from '../support/api-in-thread.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { finalSlots, openMarketService } from '../support/market-ingestion.ts';
import { InjectedReader } from '../support/market-readers/injected-reader.ts';
import { simulatedSlots } from '../support/simulated-slots.ts';
import { hasTestData, testData } from '../support/test-data.ts';
import { expectSumsOfTrades, INTERVALS } from '../support/trade-sum-checks.ts';

const KEY = 'trade-sums-test-secret';
const SECOND_MS = 1_000;
const LATEST_MS = Date.UTC(2100, 0);

const open: { readonly app: FastifyInstance; readonly service: Service }[] = [];

afterEach(async () => {
  for (const { app, service } of open.splice(0)) {
    await app.close();
    await service.close();
  }
});

/** The API of a service that has applied the slots. */
async function serving(slots: readonly SlotFacts[]): Promise<FastifyInstance> {
  const service = await openMarketService(temporaryFolder());
  service.store.keys.installBootstrap(KEY);
  await service.ingestion.ingest(finalSlots(slots));
  const app = await apiInThread(service);
  open.push({ app, service });
  return app;
}

async function expectSumsOf(slots: readonly SlotFacts[], intervals: readonly string[]) {
  const reader = new InjectedReader(await serving(slots), KEY);
  const compared = await expectSumsOfTrades(reader, slots, intervals);
  process.stdout.write(`sums of trades: ${JSON.stringify(compared)}\n`);
  return compared;
}

/** A slot without transactions, some time after the last one. */
function laterSlot(slots: readonly SlotFacts[], afterMs: number): SlotFacts {
  const last = slots.at(-1);
  if (last === undefined) throw new Error('there are no slots');
  const blockTimeMs = (last.blockTimeMs ?? 0) + afterMs;
  return { ...last, slot: asSlot(last.slot + 1), blockTimeMs, transactions: [] };
}

describe('sums of the trades that the API lists', () => {
  test('are the candles and windows that it serves of a simulated market', async () => {
    const compared = await expectSumsOf(simulatedSlots('sums', 240), Object.keys(INTERVALS));
    expect(compared.trades).toBeGreaterThan(300);
    expect(compared.windows).toBeGreaterThan(5);
  });

  test('are so when the last trades are no longer in the shorter windows', async () => {
    const slots = simulatedSlots('sums later', 120);
    const compared = await expectSumsOf([...slots, laterSlot(slots, 1_200 * SECOND_MS)], ['5m']);
    expect(compared.windows).toBeGreaterThan(5);
  });

  test.skipIf(!hasTestData).each(['chain', 'chain-2026'])(
    'are the candles and windows that it serves of the recorded folder %s',
    async (name) => {
      const slots: SlotFacts[] = [];
      for await (const item of createRecordedSource([resolve(testData, name)])) {
        if (item.kind === 'block') slots.push(decodeBlock(item.block));
      }
      // The time of some records is in microseconds: no range that a client may ask for has it.
      const dated = slots.filter(({ blockTimeMs }) => (blockTimeMs ?? 0) < LATEST_MS);
      const compared = await expectSumsOf(dated, ['30s']);
      expect(compared.trades).toBeGreaterThan(100);
    },
    1_200_000,
  );
});
