import { beforeAll, describe, expect, test } from 'vitest';
import {
  DOLLAR,
  fallbackSolUsd,
  fold,
  SOL,
  START_MS,
} from '../../../tests/support/master-fixture.ts';
import {
  MINTS,
  makeSmart,
  person,
  programOwned,
  type StoryPool,
  WalletStory,
} from '../../../tests/support/wallet-story.ts';
import type { Address } from '../../model/units.ts';
import { Engine } from '../engine.ts';

const BASE = 1_000_000_000n;
/** Swaps of these belong to a round trip: bought and sold back on one pool. */
const TRIP = { isAtomicRoundTrip: true };

const foldStory = (story: WalletStory, engine = new Engine({ fallbackSolUsd })) =>
  fold(story.end(), engine).engine;
const figures = (engine: Engine, pool: StoryPool = 't-sol') => engine.indicators(person(pool));
const classOf = (engine: Engine, name: string) => engine.wallet(person(name))?.automation?.class;
const positionOf = (engine: Engine, name: string, mint: Address = MINTS.T) =>
  engine.wallet(person(name))?.positions.find((position) => position.mint === mint);

function roundTrip(story: WalletStory, who: string): WalletStory {
  const part = { who, base: BASE, flags: TRIP };
  const swaps = [
    { ...part, side: 'buy', quote: 2n * SOL } as const,
    { ...part, side: 'sell', quote: (19n * SOL) / 10n } as const,
  ];
  return story.add({ signers: [who], swaps });
}

describe('zero and unknown values', () => {
  test('a pool without a trade has counts and ratios of 0, and no means', () => {
    expect(figures(foldStory(new WalletStory()))).toMatchObject({
      totalWallets: 0,
      organicToTotalWalletsRatio: 0,
      botToTotalWalletsRatio: 0,
      profitableOrganicToTotalOrganicRatio: 0,
      totalVolumeUsd: 0n,
      organicVolumeRatio: 0,
      botVolumeRatio: 0,
      profitableVolumeTotalVolumeRatio: 0,
      smartToRawHoldersRatio: 0,
      organicMeanHoldSeconds: null,
      organicMeanTradeFrequencySeconds: null,
    });
  });

  test('without a price of SOL wallets are counted, dollars are null and profits absent', () => {
    const story = new WalletStory().wait(1).buy('A', SOL, BASE).wait(60).buy('A', SOL, BASE);
    const engine = foldStory(story, new Engine({ fallbackSolUsd: null }));
    expect(figures(engine)).toMatchObject({
      totalWallets: 1,
      // An unknown volume is not dust.
      organicWallets: 1,
      organicProfitableWallets: 0,
      totalVolumeUsd: null,
      organicVolumeUsd: null,
      rawSmartMoneyInflux: null,
      organicMeanHoldSeconds: null,
      organicMeanTradeFrequencySeconds: 60,
    });
    expect(positionOf(engine, 'A')).toMatchObject({ heldRaw: 0n, unknownBasisRaw: 2n * BASE });
  });
});

describe("a protocol's own purchase, which has no trader", () => {
  // Of the 200 dollars that A paid and the 200 that the protocol paid, half are A's.
  const story = new WalletStory()
    .wait(1)
    .buy('A', SOL, BASE)
    .wait(1)
    .add({
      signers: ['crank'],
      swaps: [{ who: 'vault', side: 'buy', base: BASE, quote: SOL, flags: { trader: null } }],
    });

  test('counts in the volume and the purchases of its pool', () => {
    const engine = foldStory(story);
    expect(figures(engine)).toMatchObject({ totalVolumeUsd: 400n * DOLLAR });
    expect(engine.pool(person('t-sol'))).toMatchObject({ buyCount: 2, swapCount: 2 });
  });

  test('counts no trader and no organic volume', () => {
    const engine = foldStory(story);
    expect(figures(engine)).toMatchObject({ totalWallets: 1, organicVolumeUsd: 200n * DOLLAR });
    expect(engine.pool(person('t-sol'))?.walletCount).toBe(1);
    expect(classOf(engine, 'vault')).toBeUndefined();
    expect(classOf(engine, 'crank')).toBeUndefined();
  });
});

describe('an address that never traded', () => {
  const sends = [{ mint: 'T', from: 'A', to: 'locker', raw: BASE, feeRaw: 0n }] as const;
  const story = () =>
    new WalletStory()
      .wait(1)
      .buy('A', SOL, 2n * BASE)
      .wait(1)
      .add({ signers: ['A'], sends });

  test('has a record if it is listed as a holder, accounts of programs included', () => {
    programOwned('locker');
    const engine = foldStory(story());
    const { holders } = engine.holderPage({ mint: MINTS.T, after: null, limit: 1_000 });
    expect(holders.length).toBeGreaterThan(1);
    const records = holders.map(({ owner }) => engine.wallet(owner));
    expect(records.map((record) => record?.address)).toEqual(holders.map(({ owner }) => owner));
    expect(records.some((record) => record?.positionCount === 0)).toBe(true);
  });

  test('has one if it is the mint that tokens were sent to', () => {
    const toMint = [{ mint: 'T', from: 'A', to: MINTS.T, raw: BASE, feeRaw: 0n }] as const;
    const engine = foldStory(story().add({ signers: ['A'], sends: toMint }));
    const { holders } = engine.holderPage({ mint: MINTS.T, after: null, limit: 1_000 });
    expect(holders.map(({ owner }) => owner)).toContain(MINTS.T);
    expect(engine.wallet(MINTS.T)?.address).toBe(MINTS.T);
  });

  test('has none if it is unknown', () => {
    expect(foldStory(story()).wallet(person('nobody'))).toBeNull();
  });
});

describe('tokens that move without a trade', () => {
  const sent = (feeRaw = 0n, to = 'B', mint: 'T' | 'F' = 'T', from = 'A') => ({
    signers: [from],
    sends: [{ mint, from, to, raw: BASE, feeRaw }],
  });

  test('count no trader, and move their cost', () => {
    const engine = foldStory(new WalletStory().wait(1).buy('A', SOL, BASE).wait(1).add(sent()));
    expect(figures(engine)).toMatchObject({ totalWallets: 1, rawHolders: 1 });
    expect(engine.wallet(person('B'))).toMatchObject({ automation: null, positionCount: 1 });
    expect(positionOf(engine, 'B')).toMatchObject({ heldRaw: BASE, costUsd: 200n * DOLLAR });
    expect(positionOf(engine, 'A')).toMatchObject({ heldRaw: 0n, costUsd: 0n });
  });

  test('are reduced by Token-2022 fees, at the same cost', () => {
    const story = new WalletStory().wait(1).buy('A', SOL, BASE, 'f-sol').wait(1);
    const engine = foldStory(story.add(sent(BASE / 100n, 'B', 'F')));
    const held = { heldRaw: (BASE * 99n) / 100n, costUsd: 200n * DOLLAR };
    expect(positionOf(engine, 'B', MINTS.F)).toMatchObject(held);
  });

  test('change nothing when sender and receiver are the same', () => {
    const bought = () => new WalletStory().wait(1).buy('A', SOL, BASE).wait(1);
    const still = positionOf(foldStory(bought()), 'A');
    expect(positionOf(foldStory(bought().add(sent(0n, 'A'))), 'A')).toEqual(still);
  });

  test('are received before the receiver sells them in the same transaction', () => {
    const story = new WalletStory().wait(1).buy('A', SOL, BASE).wait(1);
    const sale = { who: 'B', side: 'sell', base: BASE, quote: 2n * SOL } as const;
    const engine = foldStory(story.add({ ...sent(), signers: ['A', 'B'], swaps: [sale] }));
    const gone = { heldRaw: 0n, unknownBasisRaw: 0n, costUsd: 0n };
    expect(positionOf(engine, 'A')).toMatchObject({ ...gone, realisedUsd: 0n });
    expect(positionOf(engine, 'B')).toMatchObject({ ...gone, realisedUsd: 200n * DOLLAR });
  });

  test('are sent after the sender buys them in the same transaction', () => {
    const purchase = { who: 'A', side: 'buy', base: BASE, quote: SOL } as const;
    const engine = foldStory(new WalletStory().wait(1).add({ ...sent(), swaps: [purchase] }));
    expect(positionOf(engine, 'A')).toMatchObject({ heldRaw: 0n, costUsd: 0n, buys: 1 });
    expect(positionOf(engine, 'B')).toMatchObject({ heldRaw: BASE, costUsd: 200n * DOLLAR });
  });
});

describe('quote tokens', () => {
  test('are sold at their value when another token is bought with them', () => {
    const story = new WalletStory()
      .wait(1)
      .buy('A', SOL, BASE)
      .wait(1)
      .buy('A', BASE / 2n, 7n, 'u-t');
    const engine = foldStory(story);
    const rest = { heldRaw: BASE / 2n, costUsd: 100n * DOLLAR, realisedUsd: 0n, sells: 1 };
    expect(positionOf(engine, 'A')).toMatchObject(rest);
    expect(positionOf(engine, 'A', MINTS.U)).toMatchObject({ unknownBasisRaw: 7n, costUsd: 0n });
  });

  test('are unchanged when they only pass through', () => {
    const story = new WalletStory().wait(1).buy('A', SOL, BASE).wait(1);
    const first = { who: 'A', side: 'buy', base: BASE, quote: SOL } as const;
    const second = { who: 'A', side: 'buy', base: 9n, quote: BASE, pool: 'u-t' } as const;
    const hop = { ...first, flags: { isIntermediateHop: true } };
    const engine = foldStory(story.add({ signers: ['A'], swaps: [hop, second] }));
    expect(positionOf(engine, 'A')).toMatchObject({
      heldRaw: BASE,
      costUsd: 200n * DOLLAR,
      buys: 1,
    });
    // Its volume counts for the pool, but not as organic.
    const volumes = { totalVolumeUsd: 400n * DOLLAR, organicVolumeUsd: 200n * DOLLAR };
    expect(figures(engine)).toMatchObject({ totalWallets: 1, ...volumes });
  });
});

describe('traders that are not people', () => {
  test('an account of a program has volume and is not a wallet', () => {
    programOwned('vault');
    const story = new WalletStory().wait(1).buy('A', SOL, BASE).wait(1);
    const swap = { who: 'vault', side: 'buy', base: BASE, quote: SOL } as const;
    const { engine, changes } = fold(story.add({ signers: ['A'], swaps: [swap] }).end());
    const volumes = { totalVolumeUsd: 400n * DOLLAR, organicVolumeUsd: 200n * DOLLAR };
    expect(figures(engine)).toMatchObject({ totalWallets: 1, ...volumes });
    expect(engine.wallet(person('vault'))).toMatchObject({ automation: null, positionCount: 0 });
    const organic = changes.flatMap(({ swaps }) => swaps.map(({ isOrganic }) => isOrganic));
    expect(organic).toEqual([true, false]);
  });

  test('an account that signs once counts as a wallet there, and nowhere else', () => {
    programOwned('signing vault');
    const swap = { who: 'signing vault', side: 'buy', base: BASE, quote: SOL } as const;
    const story = new WalletStory().wait(1).add({ signers: ['signing vault'], swaps: [swap] });
    expect(figures(foldStory(story))).toMatchObject({ tradedOrganicUsd: 200n * DOLLAR });
    story.wait(1).add({ signers: ['A'], swaps: [swap] });
    const { engine, changes } = fold(story.end());
    const volumes = { totalVolumeUsd: 400n * DOLLAR, tradedOrganicUsd: 200n * DOLLAR };
    expect(figures(engine)).toMatchObject(volumes);
    const organic = changes.flatMap(({ swaps }) => swaps.map(({ isOrganic }) => isOrganic));
    expect(organic).toEqual([true, false]);
  });

  test('a wallet with 500 swaps within a second is one wallet, and a bot', () => {
    const story = new WalletStory().wait(1);
    for (let count = 0; count < 250; count++) {
      story.buy('storm', SOL, BASE).sell('storm', SOL, BASE);
    }
    const engine = foldStory(story);
    expect(classOf(engine, 'storm')).toBe('bot');
    expect(engine.wallet(person('storm'))?.automation?.trades).toBe(500);
    expect(figures(engine)).toMatchObject({
      totalWallets: 1,
      organicWallets: 0,
      totalVolumeUsd: 100_000n * DOLLAR,
      organicVolumeUsd: 0n,
      botVolumeRatio: 1,
      organicMeanTradeFrequencySeconds: null,
    });
  });

  test('a bot that is detected late makes its earlier trades inorganic', () => {
    const story = new WalletStory()
      .wait(1)
      .buy('A', SOL, BASE)
      .buy('X', 3n * SOL, BASE, 't-usdc');
    const before = foldStory(story);
    expect(figures(before, 't-usdc')).toMatchObject({ organicWallets: 1, botVolumeRatio: 0 });
    roundTrip(story.wait(100), 'X');
    roundTrip(story.wait(100), 'X');
    const after = foldStory(story);
    expect(figures(after, 't-usdc')).toMatchObject({ organicWallets: 0, organicVolumeUsd: 0n });
    expect(figures(after)).toMatchObject({ totalWallets: 2, organicVolumeUsd: 200n * DOLLAR });
  });

  test('the legs of a sandwich mark their trader after the back leg', () => {
    const story = new WalletStory()
      .wait(1)
      .buy('X', SOL, BASE)
      .wait(0.4)
      .buy('victim', 2n * SOL, BASE);
    expect(classOf(foldStory(story), 'X')).toBe('organic');
    const engine = foldStory(story.wait(0.4).sell('X', 2n * SOL, BASE));
    expect(engine.wallet(person('X'))?.automation).toMatchObject({
      class: 'bot',
      rule: 'sandwich_pairs',
    });
    const volumes = { totalVolumeUsd: 1_000n * DOLLAR, organicVolumeUsd: 400n * DOLLAR };
    expect(figures(engine)).toMatchObject({ totalWallets: 2, organicWallets: 1, ...volumes });
  });

  test('a token that only passes through never counts as a first buy', () => {
    const story = new WalletStory();
    const hop = (pool: StoryPool, side: 'buy' | 'sell') =>
      ({
        who: 'A',
        side,
        base: BASE,
        quote: SOL,
        pool,
        flags: { isIntermediateHop: true },
      }) as const;
    for (let count = 0; count < 6; count++) {
      story.add({ signers: ['A'], swaps: [hop('t-sol', 'buy'), hop('t-usdc', 'sell')] });
    }
    const terms = foldStory(story).wallet(person('A'))?.automation?.terms ?? [];
    expect(terms.find(({ term }) => term === 'launch_snipes')?.value).toBeNull();
  });
});

describe('smart wallets', () => {
  const smart = ['s one', 's two'];
  const weigh = (engine: Engine, name = 's one') =>
    (engine.wallet(person(name))?.skill?.score ?? 0) / 100;
  let engine: Engine;
  beforeAll(() => {
    engine = foldStory(makeSmart(new WalletStory(), smart));
  });

  test('are those that doubled their input twelve times', () => {
    for (const name of smart) expect(engine.wallet(person(name))?.skill?.isSmart).toBe(true);
    // The only two with so many episodes: at least one and a half of two stand at or below them, and
    // nearly all of the twenty made-up ones.
    expect(weigh(engine)).toBeGreaterThan(0.9);
    expect(weigh(engine)).toBeLessThan(1);
  });

  test('count in the ten minutes after a trade: at 599 s, and not at 600 s', () => {
    const story = makeSmart(new WalletStory(), smart).buy('s one', SOL, BASE);
    const at599 = foldStory(story.wait(599));
    const influx = Number(figures(at599)?.smartMoneyInflux10min);
    expect(figures(at599)?.rawSmartMoneyInflux).toBe(200n * DOLLAR);
    expect(influx / 200e9).toBeCloseTo(weigh(engine), 5);
    const gone = { rawSmartMoneyInflux: 0n, smartMoneyInflux10min: 0n };
    expect(figures(foldStory(story.wait(1)))).toMatchObject(gone);
  });

  test('count once when one wallet funded them, except in unweighted figures', () => {
    const story = new WalletStory().wait(1);
    for (const to of smart) {
      story.add({ signers: ['hand'], pays: [{ from: 'hand', to, lamports: SOL }] });
    }
    makeSmart(story, smart)
      .buy('s one', SOL, BASE)
      .buy('s two', 2n * SOL, BASE);
    const funded = foldStory(story);
    const { rawSmartMoneyInflux, smartMoneyInflux10min } = figures(funded) ?? {};
    expect(rawSmartMoneyInflux).toBe(600n * DOLLAR);
    // Equal scores: the one with more volume.
    expect(Number(smartMoneyInflux10min) / 400e9).toBeCloseTo(weigh(funded, 's two'), 5);
    expect(figures(funded)?.smartHolders).toBe(2);
  });

  test.each([
    ['created it', { T: 's one' }, null],
    ['was funded by its creator', { T: 'team' }, { from: 'team', to: 's one' }],
    ['funded its creator', { T: 'team' }, { from: 's one', to: 'team' }],
  ])('are not eligible for a mint when one of them %s', (_, creators, payment) => {
    const story = new WalletStory(creators).wait(1);
    if (payment !== null) {
      // The payer has a funder of its own.
      const before = { from: 'other', to: payment.from, lamports: 9n * SOL };
      const pays = [before, { ...payment, lamports: SOL }];
      story.add({ signers: ['other'], pays });
    }
    const insider = foldStory(makeSmart(story, smart).buy('s one', SOL, BASE));
    expect(insider.wallet(person('s one'))?.skill?.isSmart).toBe(true);
    expect(figures(insider)).toMatchObject({
      rawSmartMoneyInflux: 200n * DOLLAR,
      smartMoneyInflux10min: 0n,
      smartHolders: 0,
      rawHolders: 1,
    });
  });

  test('weight holdings by their newest score', () => {
    const story = makeSmart(new WalletStory(), smart).buy('s one', SOL, BASE).wait(900);
    const before = foldStory(story);
    story
      .buy('s one', 5n * SOL, BASE, 'u-sol')
      .wait(900)
      .sell('s one', 4n * SOL, BASE, 'u-sol');
    const after = foldStory(story);
    expect(weigh(after)).toBeLessThan(weigh(before));
    expect(weigh(after)).toBeGreaterThan(0);
    // s · ln(1 + C / 100) with the $200 that T cost.
    for (const each of [before, after]) {
      expect(figures(each)?.rawSmartMoneyScore).toBeCloseTo(weigh(each) * Math.log(3), 2);
    }
  });

  test('are not eligible in a pool in which they trade with themselves', () => {
    const story = roundTrip(makeSmart(new WalletStory(), smart), 's one');
    expect(figures(foldStory(story))).toMatchObject({
      rawSmartMoneyInflux: 400n * DOLLAR,
      smartMoneyInflux10min: 0n,
    });
  });
});

describe('the minutes of a pool', () => {
  const minutesOf = (story: WalletStory) =>
    fold(story.end()).changes.flatMap(({ indicators }) =>
      indicators.map(({ minuteMs, record }) => [
        (minuteMs - START_MS) / 60_000,
        record.pool,
        record.totalVolumeUsd,
      ]),
    );
  const minute = (at: number, dollars: bigint) => [at, person('t-sol'), dollars * DOLLAR];

  test('are returned once each if traded, as of their end', () => {
    const story = new WalletStory().buy('A', SOL, BASE).wait(59).buy('B', SOL, BASE).wait(1);
    story.buy('A', SOL, BASE).wait(180).wait(60).wait(60);
    expect(minutesOf(story)).toEqual([minute(0, 400n), minute(1, 600n)]);
  });

  test('are not lost to a slot of unknown time', () => {
    const story = new WalletStory().buy('A', SOL, BASE).wait(null, 400).wait(240);
    expect(minutesOf(story)).toEqual([minute(0, 200n)]);
  });

  test('are undone with the slot that returned them, and returned again', () => {
    const slots = new WalletStory().buy('A', SOL, BASE).wait(60).buy('B', SOL, BASE).end();
    const engine = new Engine({ fallbackSolUsd });
    const applied = slots.map((facts) => engine.apply(facts, { isFinal: false }).indicators);
    expect(applied.map((minutes) => minutes.length)).toEqual([0, 1]);
    engine.undo();
    const [, last] = slots;
    if (last === undefined) throw new Error('two slots were given');
    expect(engine.apply(last, { isFinal: false }).indicators).toEqual(applied[1]);
  });
});
