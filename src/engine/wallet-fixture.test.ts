import { beforeAll, describe, expect, test } from 'vitest';
import { address } from '../../tests/support/build-transaction.ts';
import {
  DOLLAR,
  f1,
  fold,
  mint,
  pool,
  START_MS,
  second,
} from '../../tests/support/master-fixture.ts';
import type { SlotChanges } from '../model/derived.ts';
import type { Engine } from './engine.ts';

const E15 = 10n ** 15n;

// METHODS §0.10 lists these numbers; those of smart money need wallets with a history.
describe('the indicators of the master fixture', () => {
  let engine: Engine;
  let changes: SlotChanges[];
  beforeAll(() => {
    ({ engine, changes } = fold(f1()));
  });

  test('count four wallets, one of which is a bot because of atomic round trips', () => {
    expect(engine.indicators(pool)).toMatchObject({
      totalWallets: 4,
      organicWallets: 3,
      organicToTotalWalletsRatio: 0.75,
      botToTotalWalletsRatio: 0.25,
    });
    const bot = engine.wallet(address('X'))?.automation;
    expect(bot).toMatchObject({ class: 'bot', rule: 'same_transaction_round_trips' });
  });

  test('have a volume of $1,334, of which $1,100 is organic', () => {
    expect(engine.indicators(pool)).toMatchObject({
      totalVolumeUsd: 1_334n * DOLLAR,
      organicVolumeUsd: 1_100n * DOLLAR,
      botVolumeRatio: 0.1754,
      organicVolumeRatio: 0.8246,
    });
  });

  test('show a profit of $100 for A and losses for B, C and X', () => {
    expect(engine.indicators(pool)).toMatchObject({
      organicProfitableWallets: 1,
      profitableOrganicToTotalOrganicRatio: 0.3333,
      profitableVolume: 400n * DOLLAR,
      profitableVolumeTotalVolumeRatio: 0.2999,
    });
    const result = (name: string) => engine.wallet(address(name))?.positions[0]?.realisedUsd;
    expect(result('A')).toBe(100n * DOLLAR);
    expect(result('B')).toBe(-100n * DOLLAR);
    expect(result('C')).toBe(0n);
    expect(result('X')).toBe(-6n * DOLLAR);
  });

  test('have hold times of 70, 90 and 60 seconds, and gaps of 20 and 90', () => {
    expect(engine.indicators(pool)).toMatchObject({
      organicMeanHoldSeconds: 73.33,
      organicMeanTradeFrequencySeconds: 55,
    });
  });

  test('have the holders A and C at $0.0002, neither of them smart', () => {
    expect(engine.indicators(pool)).toMatchObject({
      rawHolders: 2,
      smartHolders: 0,
      smartToRawHoldersRatio: 0,
      priceUsd: (2n * E15) / 10n,
      smartMoneyScore: 0,
      rawSmartMoneyInflux: 0n,
    });
  });

  test('are returned once per minute with a trade, as of the end of that minute', () => {
    const { engine: longer, changes: more } = fold([...f1(), second(200)]);
    const minutes = more.flatMap(({ indicators }) => indicators);
    expect(minutes.map(({ minuteMs }) => (minuteMs - START_MS) / 60_000)).toEqual([0, 1]);
    // Before C's first trade, and after all of them.
    expect(minutes[0]?.record).toMatchObject({ totalWallets: 2, totalVolumeUsd: 700n * DOLLAR });
    expect(minutes[1]?.record).toMatchObject({ totalWallets: 4, totalVolumeUsd: 1_334n * DOLLAR });
    expect(longer.timeMs).toBe(START_MS + 200_000);
  });

  test('label trades as organic at the end of their slot, except round trips', () => {
    const swaps = changes.flatMap((change) => change.swaps);
    const organic = swaps.filter(({ isOrganic }) => isOrganic).map(({ swap }) => swap.trader);
    expect(organic).toEqual(['A', 'B', 'A', 'C', 'B'].map((name) => address(name)));
  });

  test('separate the positions of a token from the figures of the pool', () => {
    const [position] = engine.wallet(address('A'))?.positions ?? [];
    expect(position).toMatchObject({ mint, buys: 1, sells: 1, costUsd: 100n * DOLLAR });
  });
});
