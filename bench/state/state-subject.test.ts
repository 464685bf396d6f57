import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { GrowingMarket } from './growing-market.ts';
import { FIRST_SLOT, MAINNET_MARKET } from './market-options.ts';
import { runMarket } from './measured-run.ts';
import { StoredSubject, UnboundedSubject } from './state-subject.ts';

/** Fewer swaps a slot than mainnet, so that a checkpoint is made after few of them. */
const MARKET = { ...MAINNET_MARKET, swapsPerSlot: 4 };
const STATE_MEMORY_BYTES = 1_024 * 2 ** 10;

test('a killed state continues from its checkpoint and equals one that applied everything in one go', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mintscope-state-subject-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const options = { stateMemoryBytes: STATE_MEMORY_BYTES, folder };
  const plan = { swaps: 1_800, stored: { store: () => undefined }, onProgress: () => undefined };

  const first = await StoredSubject.open(options);
  await runMarket({ ...plan, market: new GrowingMarket(MARKET), subject: first });
  const killedAt = first.engine.lastSlot ?? 0;
  // A state larger than its memory is read back from its files.
  expect(first.loadedPages).toBeGreaterThan(0);
  await first.kill();

  const second = await StoredSubject.open(options);
  const restoredAt = second.engine.lastSlot ?? 0;
  expect(restoredAt).toBeGreaterThan(FIRST_SLOT);
  expect(restoredAt).toBeLessThan(killedAt);
  const market = new GrowingMarket(MARKET);
  while (market.nextSlot <= restoredAt) market.next();
  await runMarket({ ...plan, market, subject: second });
  expect(second.engine.lastSlot).toBe(killedAt);
  const digest = second.engine.digest();
  await second.kill();

  const reference = new UnboundedSubject();
  await runMarket({ ...plan, market: new GrowingMarket(MARKET), subject: reference });
  expect(digest).toBe(reference.engine.digest());
});
