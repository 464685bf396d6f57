import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encodeSlotFacts } from '../../src/store/codecs/facts-codec.ts';
import { GrowingMarket } from './growing-market.ts';
import { FIRST_SLOT, MAINNET_MARKET } from './market-options.ts';
import { StoredMarkets } from './stored-markets.ts';

const OPTIONS = { ...MAINNET_MARKET, swapsPerSlot: 1 };
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stored-markets-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

test('a market starts at any slot with the facts that it has when it is made from the beginning', () => {
  const stored = new StoredMarkets(folder, OPTIONS);
  const market = new GrowingMarket(OPTIONS);
  const texts = new Map<number, string>();
  for (let index = 0; index < 4_100; index++) {
    const facts = market.next();
    stored.store(market);
    if (index % 1_000 === 50) texts.set(facts.slot, encodeSlotFacts(facts));
  }
  // Two states are stored; slots are before, between and after them.
  expect(readdirSync(folder).sort()).toEqual([
    `market-${FIRST_SLOT + 2_000}.bin`,
    `market-${FIRST_SLOT + 4_000}.bin`,
  ]);
  for (const [slot, text] of texts) {
    expect(encodeSlotFacts(new StoredMarkets(folder, OPTIONS).open(slot).next())).toBe(text);
  }
});
