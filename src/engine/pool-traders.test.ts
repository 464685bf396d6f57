import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitrarySlots } from '../../tests/support/arbitrary-slots.ts';
import { fallbackSolUsd } from '../../tests/support/master-fixture.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { Address } from '../model/units.ts';
import { Engine } from './engine.ts';

/** Traders of each pool, from the raw list of swaps: hops and contradicted swaps have none. */
function tradersByPool(slots: readonly SlotFacts[]): Map<Address, Set<Address>> {
  const traders = new Map<Address, Set<Address>>();
  for (const { error, events } of slots.flatMap(({ transactions }) => transactions)) {
    if (error !== null) continue;
    for (const event of events) {
      if (event.kind !== 'swap' || event.quarantine !== null) continue;
      const known = traders.get(event.pool) ?? new Set();
      traders.set(event.pool, known);
      if (!event.isIntermediateHop && event.trader !== null) known.add(event.trader);
    }
  }
  return traders;
}

test('the wallets of a pool are its distinct traders, also accounts of programs', () => {
  fc.assert(
    fc.property(arbitrarySlots({ minLength: 1, maxLength: 30 }), (slots) => {
      const engine = new Engine({ fallbackSolUsd });
      for (const facts of slots) engine.apply(facts);
      const traders = tradersByPool(slots);
      for (const [pool, expected] of traders) {
        expect(engine.pool(pool)?.walletCount).toBe(expected.size);
      }
      const sizes = [...traders.values()].map(({ size }) => size);
      expect(engine.stateSize.poolTraders).toBe(sizes.reduce((sum, size) => sum + size, 0));
    }),
    { numRuns: 200 },
  );
});
