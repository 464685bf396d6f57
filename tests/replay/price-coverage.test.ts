import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRecordedSource } from '../../src/chain/recorded/recorded-source.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { ChainEvent } from '../../src/model/chain-event.ts';
import type { PricedSwap } from '../../src/model/derived.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Address, PriceE18 } from '../../src/model/units.ts';
import { hasTestData, testData } from '../support/test-data.ts';

const fallbackSolUsd = (150n * 10n ** 18n) as PriceE18;
/**
 * Mints with a price under the older rule, which excluded every swap of a mint that passed through.
 */
const PRICED_BEFORE = 125;

describe.skipIf(!hasTestData)('mints of recorded mainnet data', () => {
  test('lose their price to arbitrage exclusion only where all trades of the primary pool are excluded', async () => {
    const slots = await recordedSlots();
    const ruled = fold(slots);
    const unruled = fold(slots.map(withoutArbitrage));
    const lost = [...unruled.priced].filter((mint) => !ruled.priced.has(mint));
    const { priced } = ruled;
    const counts = { unruled: unruled.priced.size, priced: priced.size, lost: lost.length };
    process.stdout.write(`mints with a price: ${JSON.stringify(counts)}\n`);
    expect(counts.priced).toBeGreaterThanOrEqual(PRICED_BEFORE);
    expect(counts.priced + counts.lost).toBe(counts.unruled);
    for (const mint of lost) {
      const pool = ruled.engine.token(mint)?.primaryPool;
      const swaps = ruled.swaps.filter(({ swap }) => swap.pool === pool);
      const reasons = swaps.map(({ exclusion }) => exclusion);
      expect(reasons, mint).toContain('pure_arbitrage');
      expect(reasons, mint).not.toContain(null);
    }
  });
});

async function recordedSlots(): Promise<SlotFacts[]> {
  const slots: SlotFacts[] = [];
  for await (const item of createRecordedSource([resolve(testData, 'chain')])) {
    if (item.kind === 'block') slots.push(decodeBlock(item.block));
  }
  return slots;
}

interface Folded {
  readonly engine: Engine;
  readonly priced: ReadonlySet<Address>;
  readonly swaps: readonly PricedSwap[];
}

function fold(slots: readonly SlotFacts[]): Folded {
  const engine = new Engine({ fallbackSolUsd });
  const changes = slots.map((facts) => engine.apply(facts));
  const mints = changes.flatMap(({ tokens }) => tokens.map(({ mint }) => mint));
  return {
    engine,
    priced: new Set(mints.filter((mint) => (engine.token(mint)?.priceUsd ?? null) !== null)),
    swaps: changes.flatMap((change) => change.swaps),
  };
}

function withoutArbitrage(facts: SlotFacts): SlotFacts {
  const unmarked = (event: ChainEvent): ChainEvent =>
    event.kind === 'swap' ? { ...event, isPureArbitrage: false } : event;
  const transactions = facts.transactions.map((transaction) => ({
    ...transaction,
    events: transaction.events.map(unmarked),
  }));
  return { ...facts, transactions };
}
