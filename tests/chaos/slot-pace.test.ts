import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { openService } from '../../src/service/app.ts';
import { slotFacts } from '../support/build-facts.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { itemSource } from '../support/item-source.ts';
import { createTrader, launch, mint, SOL, START_MS } from '../support/master-fixture.ts';

const [MINUTE_MS, CANDLE_MS] = [60_000, 30_000];

/** A minute of slots of this length from `fromMs` on, each with one trade. */
function minute(
  firstSlot: number,
  fromMs: number,
  slotMs: number,
  trade: ReturnType<typeof createTrader>,
): SlotFacts[] {
  return Array.from({ length: MINUTE_MS / slotMs }, (_, index) =>
    // Chains state block times in whole seconds.
    slotFacts(firstSlot + index, Math.floor((fromMs + index * slotMs) / 1_000) * 1_000, [
      ...(firstSlot + index === 1_000 ? [launch()] : []),
      trade(`wallet ${index % 7}`, 'buy', SOL, 10n, 1),
    ]),
  );
}

describe('a chain whose slots become half as long (F-18)', () => {
  test('has candles by seconds, not by slots', async () => {
    const trade = createTrader();
    const slots = [
      ...minute(1_000, START_MS, 400, trade),
      ...minute(1_150, START_MS + MINUTE_MS, 200, trade),
    ];
    const config = readConfig({}, { dataDir: temporaryFolder(), solUsdFallback: '200' });
    const service = await openService(config);
    try {
      const items = slots.map((facts) => ({ kind: 'facts', facts }) as const);
      await service.ingestion.ingest(itemSource(items, true));
      const candles = await service.store.candles.read({
        scope: mint,
        fromMs: START_MS,
        toMs: START_MS + 2 * MINUTE_MS,
        intervalMs: CANDLE_MS,
      });
      // Half a minute is 75 slots of 400 ms, then 150 of 200 ms, and each has one trade.
      expect(candles.map(({ openTimeMs, trades }) => [openTimeMs - START_MS, trades])).toEqual([
        [0, 75],
        [CANDLE_MS, 75],
        [2 * CANDLE_MS, 150],
        [3 * CANDLE_MS, 150],
      ]);
    } finally {
      await service.close();
    }
  });
});
