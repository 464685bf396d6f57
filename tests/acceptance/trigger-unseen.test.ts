import { expect, test } from 'vitest';
import { readBlock } from '../../src/chain/rpc-json/read-block.ts';
import type { SourceItem } from '../../src/chain/source.ts';
import { readConfig } from '../../src/config/config.ts';
import { numberOf, type TriggerEvent } from '../../src/model/trigger.ts';
import type { Slot } from '../../src/model/units.ts';
import { openTriggerService } from '../../src/service/alerts/open-triggers.ts';
import type { TriggerService } from '../../src/service/alerts/trigger-service.ts';
import { openService, type Service } from '../../src/service/app.ts';
import { address } from '../support/build-transaction.ts';
import { ACCOUNT, BUSY, ofPool, ofToken } from '../support/build-trigger.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { itemSource } from '../support/item-source.ts';
import { marketBlocks } from '../support/market-blocks.ts';

const POOL = address('cat-sol');
const MINT = address('cat mint');
const SLOTS = 40;
const FIRST_SLOT = 1_000;
const ASKED = { accountId: ACCOUNT, since: 0, limit: 100 };

const items = marketBlocks(SLOTS, FIRST_SLOT).map((value): SourceItem => {
  const reading = readBlock(value);
  if (reading.status !== 'ok') throw new Error(`the block was ${reading.status}`);
  return { kind: 'block', block: reading.value };
});

const published: TriggerEvent[] = [];

/** Opens a data folder as `start` does. */
async function open(
  dataDir: string,
): Promise<{ service: Service; triggerService: TriggerService }> {
  const service = await openCommand(dataDir);
  const triggerService = openTriggerService(
    service,
    { ready: null },
    (events) => published.push(...events),
    () => undefined,
  );
  service.ingestion.listen(triggerService);
  return { service, triggerService };
}

/** Opens it as `replay` and `backfill` do, which evaluate no triggers. */
function openCommand(dataDir: string): Promise<Service> {
  return openService(readConfig({}, { dataDir, logLevel: 'silent' }));
}

test('triggers that became true during another command fire once, at the next start', async () => {
  const dataDir = temporaryFolder();
  const triggerId = 'unseen';
  const first = await open(dataDir);
  await first.service.ingestion.ingest(itemSource(items.slice(0, 5), true));
  const buysBefore = first.service.ingestion.engine.pool(POOL)?.buyCount ?? 0;
  const conditions = [{ ...BUSY, value: String(buysBefore + 2) }];
  for (const target of [ofPool(POOL), ofToken(MINT)]) {
    const name = `${triggerId} ${target.kind}`;
    first.triggerService.add({ accountId: ACCOUNT, triggerId: name, target, conditions });
  }
  await first.service.close();

  const command = await openCommand(dataDir);
  await command.ingestion.ingest(itemSource(items.slice(5, 30), true));
  const pool = command.ingestion.engine.pool(POOL);
  await command.close();
  expect(pool?.buyCount).toBeGreaterThan(buysBefore + 2);

  const second = await open(dataDir);
  // The only pool of the token is its primary one.
  expect(published).toMatchObject(
    ['unseen pool', 'unseen token'].map((name) => ({
      kind: 'fired',
      firing: {
        triggerId: name,
        slot: pool?.slot,
        figures: { pool: POOL, buyCount: pool?.buyCount },
      },
    })),
  );
  await second.service.close();

  // Followed further with an unstored tail, then closed: nothing of it fires again.
  const third = await open(dataDir);
  async function* tail(): AsyncGenerator<SourceItem> {
    yield* items.slice(30, 36);
    yield { kind: 'final', slot: (FIRST_SLOT + 32) as Slot };
  }
  await third.service.ingestion.ingest(itemSource(tail(), false));
  await third.service.close();
  const fourth = await open(dataDir);
  expect(fourth.service.ingestion.engine.lastSlot).toBe(FIRST_SLOT + 32);
  expect(fourth.triggerService.events(ASKED).events.map(numberOf)).toEqual([1, 2]);
  expect(published).toHaveLength(2);
  await fourth.service.close();
});

test('listeners are notified before slots are stored', async () => {
  const service = await openCommand(temporaryFolder());
  const { ingestion, store } = service;
  const storedThen: (number | null)[] = [];
  ingestion.listen({
    onApplied: () => undefined,
    onReverted: () => undefined,
    onReplaced: () => undefined,
    onStep: () => undefined,
    onBeforeWrite: () => storedThen.push(store.cursor.read().slot),
  });
  await ingestion.ingest(itemSource(items.slice(0, 3), true));
  await ingestion.ingest(itemSource(items.slice(3, 6), true));
  expect(storedThen).toEqual([null, FIRST_SLOT + 2]);
  expect(store.cursor.read().slot).toBe(FIRST_SLOT + 5);
  await service.close();
});
