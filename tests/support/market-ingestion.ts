import type { SourceItem } from '../../src/chain/source.ts';
import { readConfig } from '../../src/config/config.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { openService } from '../../src/service/app.ts';
import { itemSource } from './item-source.ts';

/** Opens a data folder as a service does. */
export function openMarketService(dataDir: string) {
  return openService(readConfig({}, { dataDir, solUsdFallback: '150' }));
}

/** Final slots, as a source yields them. */
export function finalSlots(facts: readonly SlotFacts[]) {
  return itemSource(
    facts.map((each): SourceItem => ({ kind: 'facts', facts: each })),
    true,
  );
}
