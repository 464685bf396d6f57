import { describe, expect, test } from 'vitest';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { LogicalClock } from '../../src/fold/market/logical-time.ts';
import { SolPriceBook } from '../../src/fold/market/sol-price.ts';
import { absolute } from '../../src/lib/decimal.ts';
import { WRAPPED_SOL } from '../../src/model/program.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Swap } from '../../src/model/swap.ts';
import { expectConserved } from '../../tests/support/simulated-scene.ts';
import { Chain } from '../chain/chain.ts';
import { Keyring } from '../chain/keyring.ts';
import { SlotSchedule } from '../chain/slot-schedule.ts';
import { toChainBlock } from '../faces/to-chain-block.ts';
import { Random } from '../random/random.ts';
import { TruthBook } from '../truth/truth-book.ts';
import { commonLookupTables } from './common-accounts.ts';
import { createGenesis } from './genesis.ts';
import { PricePath } from './price-path.ts';
import { SolPriceKeeper } from './sol-price-keeper.ts';
import { World } from './world.ts';

const FIRST_SLOT = 400_000_000;
const START_MS = Date.UTC(2026, 0, 1);
const START_USD = 180;
const MINUTE_MS = 60_000;
const MINUTES = 6;

function pricePath(): PricePath {
  return new PricePath(new Random('path'), {
    ...{ startMs: START_MS, startUsd: START_USD },
    ...{ yearlyVolatility: 3, jumpsPerDay: 1_000, jumpSize: 0.01 },
  });
}

/** A world in which only the keeper trades. */
function keptWorld(): World {
  const random = new Random('keeper');
  const keyring = new Keyring(random);
  const tables = commonLookupTables(keyring);
  const chain = new Chain(keyring, new Keyring(random.fork('hashes')), FIRST_SLOT, tables);
  const world = new World({
    ...{ chain, random, truth: new TruthBook(), blockCapacity: 100 },
    schedule: new SlotSchedule(random.fork('schedule'), {
      ...{ firstSlot: FIRST_SLOT, startMs: START_MS, skipRate: 0 },
      ...{ paces: [{ fromSlot: 0, slotMs: 400 }], leaders: [keyring.wallet()] },
    }),
    forks: { rate: 0, maxLength: 1 },
  });
  const genesis = createGenesis({
    ...{ ledger: chain.ledger, keyring, tokenAccounts: world.tokenAccounts, tables },
    ...{ clock: { slot: FIRST_SLOT, unixTime: START_MS / 1_000 }, solUsd: START_USD },
  });
  const { priceKeeper: wallet, solUsdcPools: pools } = genesis;
  const keeper = { wallet, pools, path: pricePath(), random: random.fork('trades') };
  new SolPriceKeeper(world, { ...keeper, everyMs: 4_000 }).start();
  return world;
}

function* slotsOf(world: World): Generator<SlotFacts> {
  while (world.nowMs < START_MS + MINUTES * MINUTE_MS) {
    const step = world.step();
    if (step !== null) yield decodeBlock(toChainBlock(step.block));
  }
}

function swapsOf({ transactions }: SlotFacts): Swap[] {
  return transactions.flatMap(({ events }) => events.filter((event) => event.kind === 'swap'));
}

describe('the SOL price keeper', () => {
  test('trades so the service derives the price of the path, minute by minute', () => {
    const world = keptWorld();
    const book = new SolPriceBook({ fallbackUsd: null });
    const clock = new LogicalClock();
    const path = pricePath();
    const means = new Map<number, number[]>();
    const derived = new Map<number, number>();
    let swapCount = 0;
    for (const facts of slotsOf(world)) {
      expect(facts.problems).toEqual([]);
      const minute = Math.floor((world.nowMs - START_MS) / MINUTE_MS);
      means.set(minute, [...(means.get(minute) ?? []), path.at(world.nowMs)]);
      const swaps = swapsOf(facts);
      swapCount += swaps.length;
      book.applySlot(clock.advance(facts.slot, facts.blockTimeMs), swaps);
      // The price in use is the reference of the previous minute.
      const usd = book.usdPerQuote(WRAPPED_SOL);
      if (usd !== null && minute > 0 && minute < MINUTES)
        derived.set(minute - 1, Number(usd) / 1e18);
    }
    // Three pools, a trade every four seconds each: within four deviations of 270.
    expect(Math.abs(swapCount - 270)).toBeLessThan(66);
    expect([...derived.keys()]).toEqual([0, 1, 2, 3, 4]);
    for (const [minute, usd] of derived) {
      const prices = means.get(minute) ?? [];
      const spread = Math.max(...prices) / Math.min(...prices) - 1;
      const mean = prices.reduce((sum, price) => sum + price, 0) / prices.length;
      // With a fee of 0.25 % a pool may lag; the rest is the price change within the minute.
      expect(Math.abs(usd / mean - 1)).toBeLessThan(0.004 + spread);
    }
    expectConserved(world.chain.ledger);
  });

  test('never fails a trade and never runs out of funds', () => {
    const world = keptWorld();
    const all = [...slotsOf(world)];
    const transactions = all.flatMap((facts) => facts.transactions);
    expect(transactions.filter(({ error }) => error !== null)).toEqual([]);
    // Raw USDC: the service counts trades above a hundred dollars.
    const quotes = all.flatMap(swapsOf).map(({ poolQuoteDelta }) => absolute(poolQuoteDelta));
    expect(quotes.filter((raw) => raw <= 100_000_000n)).toEqual([]);
  });
});
