import { openService } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { SourceItem } from '../../src/sources/source.ts';
import { itemSource } from './item-source.ts';

/** Opens a data folder as a service does. */
export function openMarketService(dataDir: string) {
  return openService(readConfig({}, { dataDir, solUsdFallback: '150' }));
}

/** Slots that stay, as a source tells them. */
export function finalSlots(facts: readonly SlotFacts[]) {
  return itemSource(
    facts.map((each): SourceItem => ({ kind: 'facts', facts: each })),
    true,
  );
}
