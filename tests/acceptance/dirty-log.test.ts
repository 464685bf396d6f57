import { describe, expect, test } from 'vitest';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Service } from '../../src/service/app.ts';
import { slotFacts } from '../support/build-facts.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { finalSlots, openMarketService } from '../support/market-ingestion.ts';
import { createTrader, launch, SOL, START_MS } from '../support/master-fixture.ts';
import { storedRows } from '../support/stored-rows.ts';

const LATE = 5;

/** A coin that is traded in every slot, so every table gets rows. */
function tradingDay(): SlotFacts[] {
  const trade = createTrader();
  return Array.from({ length: 12 }, (_, index) =>
    slotFacts(1_000 + index, START_MS + index * 1_000, [
      ...(index === 0 ? [launch()] : []),
      trade(`wallet ${index % 3}`, 'buy', SOL, 1_000n + BigInt(index), 1),
    ]),
  );
}

/** Runs the service once over a data folder; returns its epoch and the digest of its state. */
async function run(dataDir: string, work: (service: Service) => Promise<void>) {
  const service = await openMarketService(dataDir);
  await work(service);
  const { epoch, isDirty } = service.store.cursor.read();
  const digest = service.ingestion.engine.digest();
  await service.close();
  return { epoch, isDirty, digest };
}

const idle = async () => undefined;
const ingesting = (slots: readonly SlotFacts[]) => async (service: Service) => {
  await service.ingestion.ingest(finalSlots(slots));
};

describe('H-10 a start', () => {
  test('folds the log again when a late slot was added to it before a kill', async () => {
    const slots = tradingDay();
    const late = slots[LATE] as SlotFacts;
    const [calm, killed] = [temporaryFolder(), temporaryFolder()];
    const expected = await run(calm, ingesting(slots));
    await run(killed, async (service) => {
      await ingesting(slots.filter((facts) => facts !== late))(service);
      const { cursor, writer } = service.store;
      // The state a kill leaves between the write of the late slot and the new fold of the log.
      await writer.writeBatch({ slots: [late], changes: [], epoch: cursor.epoch });
      cursor.write({ ...cursor.read(), isDirty: true });
    });
    expect(await storedRows(killed)).not.toEqual(await storedRows(calm));
    const restarted = await run(killed, idle);
    expect(restarted).toEqual({ epoch: 2, isDirty: false, digest: expected.digest });
    expect(await storedRows(killed)).toEqual(await storedRows(calm));
  });

  test('folds a log again, exactly once, when an older version folded it by other rules', async () => {
    const dataDir = temporaryFolder();
    const first = await run(dataDir, ingesting(tradingDay()));
    await run(dataDir, async ({ store }) => store.cursor.writeRules('those of an older version'));
    expect(await run(dataDir, idle)).toEqual({ ...first, epoch: first.epoch + 1 });
    expect(await run(dataDir, idle)).toEqual({ ...first, epoch: first.epoch + 1 });
  });
});
