import { beforeAll, describe, expect, test } from 'vitest';
import { Engine } from '../../src/engine/engine.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { asPriceE18, isAddress, isSignature } from '../../src/model/units.ts';
import { encodeSlotFacts } from '../../src/store/codecs/facts-codec.ts';
import { GrowingMarket } from './growing-market.ts';
import { tradingSlotsOf } from './launch-plan.ts';
import {
  FIRST_LAUNCH_ROW,
  FIRST_SLOT,
  HOT_MARKET,
  MAINNET_MARKET,
  NEW_WALLETS_MARKET,
  SLOTS_PER_HOUR,
} from './market-options.ts';

const SWAPS = 50_000;
const DOLLAR = 10n ** 18n;

/** The next slots of a market as the log stores them. */
function nextTexts(market: GrowingMarket, slots: number): string[] {
  return Array.from({ length: slots }, () => encodeSlotFacts(market.next()));
}

function swapsOf({ transactions }: SlotFacts) {
  return transactions.flatMap(({ events }) => events.filter((event) => event.kind === 'swap'));
}

/** Of each swap of the next slots, how many slots before it the mint was traded last, if it was. */
function pausesOf(market: GrowingMarket, slots: number, lastSlots: Map<string, number>): number[] {
  const pauses: number[] = [];
  for (let made = 0; made < slots; made++) {
    const facts = market.next();
    for (const { baseMint } of swapsOf(facts)) {
      pauses.push(facts.slot - (lastSlots.get(baseMint) ?? facts.slot));
      lastSlots.set(baseMint, facts.slot);
    }
  }
  return pauses;
}

describe('a market that grows', () => {
  test('makes the same slots again from the same seed, and others from another', () => {
    const [one, again] = [new GrowingMarket(MAINNET_MARKET), new GrowingMarket(MAINNET_MARKET)];
    const other = new GrowingMarket({ ...MAINNET_MARKET, seed: 21 });
    const texts = nextTexts(one, 5);
    expect(nextTexts(again, 5)).toEqual(texts);
    expect(nextTexts(other, 5)).not.toEqual(texts);
  });

  test('makes the same slots from a stored state as when it runs on', () => {
    const running = new GrowingMarket(MAINNET_MARKET);
    nextTexts(running, 40);
    const stored = running.toBytes();
    const slot = running.nextSlot;
    const texts = nextTexts(running, 20);
    const started = new GrowingMarket(MAINNET_MARKET, stored);
    expect(started.nextSlot).toBe(slot);
    expect(nextTexts(started, 20)).toEqual(texts);
  });

  test('names its slots one after the other', () => {
    const market = new GrowingMarket(MAINNET_MARKET);
    const slots = [market.next(), market.next()];
    expect(slots.map(({ slot }) => slot)).toEqual([FIRST_SLOT, FIRST_SLOT + 1]);
    expect(slots[1]?.previousBlockhash).toBe(slots[0]?.blockhash);
  });

  test('writes addresses of 32 bytes and signatures of 64', () => {
    for (const { signature, feePayer, tokenBalances } of new GrowingMarket(MAINNET_MARKET).next()
      .transactions) {
      expect(isSignature(signature)).toBe(true);
      const texts = tokenBalances.flatMap(({ account, owner, mint }) => [account, owner, mint]);
      for (const text of [feePayer, ...texts]) expect(isAddress(text ?? '')).toBe(true);
    }
  });
});

describe('fifty thousand swaps of the mainnet mix', () => {
  const engine = new Engine({ fallbackSolUsd: asPriceE18(150n * DOLLAR) });
  const market = new GrowingMarket(MAINNET_MARKET);
  const traders = new Set<string | null>();
  const exclusions = new Map<string | null, number>();

  beforeAll(() => {
    while (market.counters.swaps < SWAPS) {
      const facts = market.next();
      for (const { trader } of swapsOf(facts)) traders.add(trader);
      for (const { slot, exclusion } of engine.apply(facts).swaps) {
        if (slot !== facts.slot) continue;
        exclusions.set(exclusion, (exclusions.get(exclusion) ?? 0) + 1);
      }
    }
  });

  test('contradict no balance and no supply', () => {
    expect(engine.contradictions).toEqual({ supplies: 0, balances: 0, ownerlessBalances: 0 });
  });

  test('are counted by the engine as by the market, none is quarantined, no problem is left', () => {
    const { counters } = engine;
    expect(counters.events.swap).toBe(market.counters.swaps);
    expect(counters.events.launch).toBe(market.counters.launches);
    expect(counters.quarantinedSwaps).toBe(0);
    expect(Object.values(counters.problems).every((count) => count === 0)).toBe(true);
    expect(counters.unlinkedSlots).toBe(0);
  });

  test('obey the curves, and all but few of them may set a price', () => {
    expect(exclusions.get('physics')).toBeUndefined();
    expect(exclusions.get('dust') ?? 0).toBeLessThan(SWAPS / 1_000);
    expect(exclusions.get(null) ?? 0).toBeGreaterThan(SWAPS * 0.9);
  });

  test('have the launches and new wallets that are asked for, within two percent', () => {
    const { launchShare, newWalletShare } = MAINNET_MARKET;
    const { swaps } = market.counters;
    expect(Math.abs(market.counters.launches / (launchShare * swaps) - 1)).toBeLessThan(0.02);
    expect(Math.abs(traders.size / (newWalletShare * swaps) - 1)).toBeLessThan(0.02);
  });

  test('have every kind of event that the mix names', () => {
    const { events, failedTransactions } = engine.counters;
    const kinds = ['swap', 'tokenTransfer', 'solTransfer', 'launch', 'liquidity', 'tokenLock'];
    for (const kind of kinds) expect(events[kind as keyof typeof events]).toBeGreaterThan(0);
    expect(failedTransactions).toBeGreaterThan(SWAPS / 10);
  });

  test('leave SOL at about its price', () => {
    expect(Math.abs(Number((engine.solUsd ?? 0n) / DOLLAR) - 150)).toBeLessThan(5);
  });
});

test('curves that sell out migrate to pools that go on with their tokens and their quote', () => {
  const market = new GrowingMarket(MAINNET_MARKET);
  const engine = new Engine({ fallbackSolUsd: null });
  let migrated: string | null = null;
  for (let slots = 0; slots < 1_500 && migrated === null; slots++) {
    const facts = market.next();
    engine.apply(facts);
    for (const { events } of facts.transactions) {
      const migration = events.find(({ kind }) => kind === 'migrate');
      const created = events.find(({ kind }) => kind === 'poolCreated');
      if (migration?.kind !== 'migrate' || created?.kind !== 'poolCreated') continue;
      migrated = migration.mint;
      expect(engine.pool(migration.fromPool)?.migratedTo).toBe(migration.toPool);
      expect(engine.token(migration.mint)?.primaryPool).toBe(created.pool);
      // Pump's curves sell 793.1 of 1,000 million tokens; the others go into the pool.
      expect(migration.baseRaw).toBe(206_900_000_000_000n);
    }
  }
  expect(migrated).not.toBeNull();
  expect(engine.contradictions).toEqual({ supplies: 0, balances: 0, ownerlessBalances: 0 });
});

test('a launch is not traded any more after the slots that it lives', () => {
  const market = new GrowingMarket({ ...MAINNET_MARKET, swapsPerSlot: 2 });
  const end = 2 * SLOTS_PER_HOUR;
  const bornSlots = new Map<string, number>();
  const lastSlots = new Map<string, number>();
  for (let index = 0; index < end; index++) {
    const events = market.next().transactions.flatMap((transaction) => transaction.events);
    for (const event of events) {
      if (event.kind === 'launch') bornSlots.set(event.mint, index);
      if (event.kind === 'swap') lastSlots.set(event.baseMint, index);
    }
  }
  // Launches have the rows after those of the first mints, in the order of their beginning.
  const lives = [...bornSlots].map(([mint, bornSlot], index) => ({
    tradedSlots: (lastSlots.get(mint) ?? 0) - bornSlot,
    lifeSlots: tradingSlotsOf(FIRST_LAUNCH_ROW + index),
    isOver: bornSlot + tradingSlotsOf(FIRST_LAUNCH_ROW + index) < end,
  }));
  expect(lives.filter(({ tradedSlots, lifeSlots }) => tradedSlots > lifeSlots)).toEqual([]);
  expect(lives.filter(({ isOver }) => isOver).length).toBeGreaterThan(lives.length / 3);
});

describe('other loads', () => {
  test('every swap is the purchase of a new wallet, 200 of each mint', () => {
    const market = new GrowingMarket(NEW_WALLETS_MARKET);
    const sides = new Set<string>();
    const traders = new Set<string | null>();
    const buyers = new Map<string, number>();
    for (let slots = 0; slots < 20; slots++) {
      for (const { trader, side, baseMint } of swapsOf(market.next())) {
        sides.add(side);
        traders.add(trader);
        buyers.set(baseMint, (buyers.get(baseMint) ?? 0) + 1);
      }
    }
    expect([...sides]).toEqual(['buy']);
    expect(traders.size).toBe(market.counters.swaps);
    expect([...buyers.values()].slice(0, -1).every((count) => count === 200)).toBe(true);
  });

  test('half of the swaps are on launches that were not traded for an hour, once there are such', () => {
    const lastSlots = new Map<string, number>();
    const launching = { ...MAINNET_MARKET, swapsPerSlot: 50, launchShare: 0.25 };
    const first = new GrowingMarket(launching);
    pausesOf(first, 100, lastSlots);
    const quiet = { ...MAINNET_MARKET, swapsPerSlot: 1, launchShare: 0 };
    const second = new GrowingMarket(quiet, first.toBytes());
    pausesOf(second, 1.1 * SLOTS_PER_HOUR, lastSlots);
    const cold = { ...MAINNET_MARKET, swapsPerSlot: 20, launchShare: 0, coldMintShare: 0.5 };
    const third = new GrowingMarket(cold, second.toBytes());
    const pauses = pausesOf(third, 20, lastSlots);
    const share = pauses.filter((slots) => slots > SLOTS_PER_HOUR).length / pauses.length;
    // Of 400 swaps, whose halves differ by less than a tenth of them in nearly all seeds.
    expect(share).toBeGreaterThan(0.4);
    expect(share).toBeLessThan(0.6);
  });

  test('the same wallets trade the same mints when nothing new is asked for', () => {
    const market = new GrowingMarket({ ...HOT_MARKET, firstWallets: 500 });
    const mints = new Set<string>();
    for (let slots = 0; slots < 40; slots++) {
      for (const { baseMint } of swapsOf(market.next())) mints.add(baseMint);
    }
    expect(market.counters.wallets).toBe(500);
    expect(market.counters.launches).toBe(0);
    expect(mints.size).toBeLessThanOrEqual(301);
  });
});
