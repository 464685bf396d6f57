/**
 * All figures of wallets and pools, compared with a recount from the list of all slots that shares
 * no state and no row with the engine.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Engine } from '../../src/engine/engine.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Address } from '../../src/model/units.ts';
import { arbitrarySlots } from '../support/arbitrary-slots.ts';
import { arbitraryStory, PEOPLE } from '../support/arbitrary-story.ts';
import { slotFacts, supplyChange, transactionFacts } from '../support/build-facts.ts';
import { fallbackSolUsd, fold, SOL, START_MS, SUPPLY } from '../support/master-fixture.ts';
import { NaiveWallets } from '../support/naive-wallets.ts';
import { figureDifferences, foldBoth, walletDifferences } from '../support/wallet-differences.ts';
import { MINTS, makeSmart, POOLS, person, WalletStory } from '../support/wallet-story.ts';

const MILLION_E18 = 10n ** 24n;

/** Slots with known times: swaps of other slots are not reported. */
function timed(slots: readonly SlotFacts[]): SlotFacts[] {
  let known = { slot: Number.NEGATIVE_INFINITY, timeMs: START_MS };
  return slots.map((facts) => {
    if (facts.blockTimeMs !== null) known = { slot: facts.slot, timeMs: facts.blockTimeMs };
    if (facts.slot - known.slot <= 150) return facts;
    known = { slot: facts.slot, timeMs: known.timeMs };
    return { ...facts, blockTimeMs: known.timeMs };
  });
}

/** `MINTSCOPE_TEST_WALLET_SEEDS` sets the number: each takes hundredths of a second. */
const RUNS = Number(process.env.MINTSCOPE_TEST_WALLET_SEEDS ?? 200);

/** Differences after each slot from `readFrom` on, for every pool and every wallet. */
function differences(
  slots: readonly SlotFacts[],
  fallback: typeof fallbackSolUsd | null,
  readFrom = 0,
): string[] {
  const engine = new Engine({ fallbackSolUsd: fallback });
  const naive = new NaiveWallets();
  const pools = new Set<Address>();
  for (const [place, facts] of slots.entries()) {
    const { changes } = foldBoth(engine, naive, facts);
    // A SOL price this high can give trades without a value, because it exceeds 64 bits.
    if ((engine.solUsd ?? 0n) > MILLION_E18) return [];
    for (const { pool } of changes.pools) pools.add(pool);
    if (place < readFrom) continue;
    const found = [...walletDifferences(engine, naive), ...figureDifferences(engine, naive, pools)];
    if (found.length > 0) return found;
  }
  return [];
}

describe('the engine equals a recount from the list of all slots', () => {
  test('on arbitrary sequences of slots, after each of them', () => {
    const slots = arbitrarySlots({ minLength: 1, maxLength: 10 }).map(timed);
    const fallbacks = fc.constantFrom(fallbackSolUsd, null);
    fc.assert(
      fc.property(slots, fallbacks, (run, fallback) => {
        expect(differences(run, fallback)).toEqual([]);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  }, 600_000);

  test('on stories of people, bots and programs, with smart wallets', () => {
    fc.assert(
      fc.property(arbitraryStory, ({ slots, prologue }) => {
        expect(differences(slots, fallbackSolUsd, prologue)).toEqual([]);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  }, 600_000);
});

const BASE = 1_000_000_000n;
const DAY_S = 86_400;

/** Each story has the same smart wallet, which bought T for $200 and did nothing else. */
describe('whether a smart wallet counts as a holder is decided at each read', () => {
  const newStory = () => new WalletStory({ T: 'team' }).wait(1);
  const pay = (story: WalletStory, from: string, ...to: readonly string[]) => {
    const pays = to.map((each) => ({ from, to: each, lamports: SOL }));
    return story.add({ signers: [from], pays }).wait(1);
  };
  const bought = (story: WalletStory) =>
    makeSmart(story, ['s one']).buy('s one', SOL, BASE).wait(1);
  const strangers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, place) => `stranger ${from + place}`);

  /** Figures about T's holders; the recount has to agree after every slot. */
  function holdersAfter(slots: readonly SlotFacts[]) {
    expect(differences(slots, fallbackSolUsd)).toEqual([]);
    const figures = fold(slots).engine.indicators(person('t-sol'));
    const { smartHolders, smartToRawHoldersRatio: ratio, rawSmartMoneyScore } = figures ?? {};
    return { smartHolders, ratio, isScored: rawSmartMoneyScore !== 0 };
  }
  const counted = { smartHolders: 1, ratio: 1, isScored: true };
  const notCounted = { smartHolders: 0, ratio: 0, isScored: false };

  test('it does not count once it has funded the creator', () => {
    const story = bought(newStory());
    expect(holdersAfter(story.end())).toEqual(counted);
    expect(holdersAfter(pay(story, 's one', 'team').end())).toEqual(notCounted);
  });

  test('it does not count once its funder has funded the creator too', () => {
    const story = bought(pay(newStory(), 'hand', 's one'));
    expect(holdersAfter(story.end())).toEqual(counted);
    expect(holdersAfter(pay(story, 'hand', 'team').end())).toEqual(notCounted);
  });

  test('it counts again once the funder of both has a 201st recipient within a day, and is a hub', () => {
    const story = bought(pay(newStory(), 'hand', 's one', 'team'));
    pay(story, 'hand', ...strangers(3, 200));
    expect(holdersAfter(story.end())).toEqual(notCounted);
    expect(holdersAfter(pay(story, 'hand', 'stranger 201').end())).toEqual(counted);
  });

  test('it counts again once the funding of a creator without trades for two days is forgotten', () => {
    const story = bought(pay(newStory(), 's one', 'team'));
    expect(holdersAfter(story.end())).toEqual(notCounted);
    expect(holdersAfter(story.wait(2 * DAY_S).end())).toEqual(counted);
  });

  test('it does not count while its billion units are below a billionth of the changing supply', () => {
    const slots = bought(newStory()).end();
    const last = slots.at(-1)?.slot ?? 0;
    const later = (kind: 'mintTo' | 'burn', raw: bigint, after: number) => {
      const events = [supplyChange(kind, MINTS.T, raw)];
      const timeMs = START_MS + DAY_S * 1_000 + after;
      return slotFacts(last + after, timeMs, [transactionFacts({ txIndex: 0, events })]);
    };
    // Each of two pools began with a billion tokens of six decimals.
    const grown = [...slots, later('mintTo', 10n ** 18n - 2n * SUPPLY, 1)];
    expect(holdersAfter(grown)).toEqual(counted);
    const larger = [...grown, later('mintTo', 1n, 2)];
    expect(holdersAfter(larger)).toEqual(notCounted);
    expect(holdersAfter([...larger, later('burn', 1n, 3)])).toEqual(counted);
  });

  test('it does not count from 30 days after its last episode on', () => {
    // It ended 3,000 s before the purchase of T. Trades in T's pool keep T's own episode open.
    const story = bought(newStory());
    for (let half = 1; half < 60; half++) story.wait(DAY_S / 2).buy('ann', SOL, BASE);
    story.wait(DAY_S / 2 - 3_000 - 1);
    const half = { ...counted, ratio: 0.5 };
    expect(holdersAfter(story.end())).toEqual(half);
    expect(holdersAfter(story.wait(1).end())).toEqual(notCounted);
  });
});

/** The final engines of a fixed sample of stories. */
function sampled(): Engine[] {
  return fc.sample(arbitraryStory, { numRuns: 60, seed: 8 }).map(({ slots }) => fold(slots).engine);
}

test('the stories contain bots of several rules, weighed smart flows, and funders', () => {
  const engines = sampled();
  const wallets = engines.flatMap((engine) => PEOPLE.map((name) => engine.wallet(person(name))));
  const rules = new Set(wallets.map((wallet) => wallet?.automation?.rule));
  expect(rules.size).toBeGreaterThan(2);
  expect(wallets.filter((wallet) => wallet?.firstFunding != null).length).toBeGreaterThan(20);
  const figures = engines.flatMap((engine) =>
    Object.keys(POOLS).map((pool) => engine.indicators(person(pool))),
  );
  const weighed = figures.filter((each) => (each?.smartMoneyInflux10min ?? 0n) > 0n);
  const holding = figures.filter((each) => (each?.smartHolders ?? 0) > 0);
  const ahead = figures.filter((each) => (each?.organicProfitableWallets ?? 0) > 0);
  expect(Math.min(weighed.length, holding.length, ahead.length)).toBeGreaterThan(5);
});

describe('figures and wallets do not depend on how the slots arrived', () => {
  const stateOf = (engine: Engine) => {
    const pools = Object.keys(POOLS).map((pool) => engine.indicators(person(pool)));
    return {
      digest: engine.digest(),
      pools,
      wallets: PEOPLE.map((name) => engine.wallet(person(name))),
    };
  };

  test('reverted slots leave nothing, and give the same result when applied again', () => {
    fc.assert(
      fc.property(arbitraryStory, fc.nat(), ({ slots }, choice) => {
        const engine = new Engine({ fallbackSolUsd });
        const kept = choice % slots.length;
        for (const facts of slots.slice(0, kept)) engine.apply(facts);
        const before = stateOf(engine);
        for (const facts of slots.slice(kept)) engine.apply(facts, { isFinal: false });
        const after = stateOf(engine);
        for (let count = kept; count < slots.length; count++) engine.undo();
        expect(stateOf(engine)).toEqual(before);
        for (const facts of slots.slice(kept)) engine.apply(facts, { isFinal: false });
        expect(stateOf(engine)).toEqual(after);
      }),
      { numRuns: RUNS / 4 },
    );
  }, 600_000);

  test('a late slot has its full effect once the log is folded again', () => {
    fc.assert(
      fc.property(arbitraryStory, fc.nat(), ({ slots }, choice) => {
        const late = choice % slots.length;
        const whole = fold(slots).engine;
        const without = new Engine({ fallbackSolUsd });
        const first = slots.filter((_, place) => place !== late);
        for (const facts of first) without.apply(facts, { isFinal: false });
        for (let count = late; count < first.length; count++) without.undo();
        for (const facts of slots.slice(late)) without.apply(facts, { isFinal: false });
        expect(stateOf(without).pools).toEqual(stateOf(whole).pools);
        expect(stateOf(without).wallets).toEqual(stateOf(whole).wallets);
      }),
      { numRuns: RUNS / 4 },
    );
  }, 600_000);
});
