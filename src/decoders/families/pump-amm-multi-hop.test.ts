import { describe, expect, test } from 'vitest';
import { decodeDraft, factsOfDraft } from '../../../tests/support/decode-draft.ts';
import {
  ALICE,
  buyEvent,
  eventsOf,
  sellEvent,
  vault,
} from '../../../tests/support/pump-amm-drafts.ts';
import {
  BALANCES,
  BUY_LEGS,
  BUYBACK,
  COIN,
  curveRun,
  decodeRoute,
  FAR,
  FAR_BOUGHT,
  FAR_EVENT,
  hopOf,
  MIDDLE,
  multiHop,
  NEAR,
  NEAR_BOUGHT,
  NEAR_EVENT,
  swapsOfRoute,
  USER_COIN,
  USER_SOL,
} from '../../../tests/support/pump-amm-routes.ts';
import { tokenTransfer } from '../../../tests/support/pump-drafts.ts';
import { burn } from '../../../tests/support/token-instructions.ts';
import { WRAPPED_SOL } from '../../model/program.ts';

describe('a buy through two pools', () => {
  test('follows the published formula', () => {
    expect((1_000_000n * 9_999n) / (500_000n + 9_999n)).toBe(NEAR_BOUGHT);
    expect((2_000_000n * 19_464n) / (299_000n + 19_464n)).toBe(FAR_BOUGHT);
  });

  test('is one swap on each, of which the first only passes through', () => {
    expect(swapsOfRoute([NEAR, FAR], BUY_LEGS)).toMatchObject([
      {
        pool: NEAR.pool,
        innerIx: 2,
        baseMint: MIDDLE,
        quoteMint: WRAPPED_SOL,
        trader: ALICE,
        side: 'buy',
        poolBaseDelta: -NEAR_BOUGHT,
        poolQuoteDelta: 10_000n,
        keptFees: { base: 0n, quote: 25n },
        traderBaseDelta: NEAR_BOUGHT,
        traderQuoteDelta: -10_050n,
        feeQuoteRaw: 50n,
        reserves: {
          base: 980_395n,
          quote: 510_025n,
          virtualBase: 980_395n,
          virtualQuote: 510_000n,
        },
        isIntermediateHop: true,
        quarantine: null,
      },
      {
        pool: FAR.pool,
        innerIx: 4,
        baseMint: COIN,
        quoteMint: MIDDLE,
        trader: ALICE,
        side: 'buy',
        poolBaseDelta: -FAR_BOUGHT,
        // 19,465 and the providers' 40.
        poolQuoteDelta: 19_505n,
        keptFees: { base: 0n, quote: 100n },
        traderBaseDelta: FAR_BOUGHT,
        traderQuoteDelta: -NEAR_BOUGHT,
        feeQuoteRaw: 140n,
        // 319,605 - 1,000 - 100
        reserves: { quote: 319_605n, virtualQuote: 318_505n },
        isIntermediateHop: false,
        quarantine: null,
      },
    ]);
  });

  test('has the reserves even when pools pay before they are paid', () => {
    const [intoNear, buyback, intoFar, nearEvent, intoUser, farEvent] = BUY_LEGS;
    if (!(intoNear && buyback && intoFar && nearEvent && intoUser && farEvent)) throw new Error();
    const reversed = [intoUser, intoFar, buyback, intoNear, nearEvent, farEvent];
    expect(swapsOfRoute([NEAR, FAR], reversed)).toMatchObject([
      { pool: FAR.pool, reserves: { base: 1_877_764n, quote: 319_605n }, quarantine: null },
      { pool: NEAR.pool, reserves: { base: 980_395n, quote: 510_025n }, quarantine: null },
    ]);
  });

  test('has its events in execution order among those of inner instructions', () => {
    const burned = burn('somebody', 'some mint', 7n);
    const route = multiHop([NEAR, FAR], [...BUY_LEGS.slice(0, 4), burned, ...BUY_LEGS.slice(4)]);
    const { events } = factsOfDraft({
      signers: [ALICE],
      instructions: [route],
      tokenBalances: BALANCES,
    });
    expect(events.map(({ kind, innerIx }) => [kind, innerIx])).toEqual([
      ['swap', 2],
      ['tokenTransfer', 4],
      ['swap', 5],
    ]);
  });
});

describe('a sell through two pools', () => {
  // 122,236 coins go back: floor(318,505 * 122,236 / (1,877,764 + 122,236)) = 19,466 of the middle
  // coin, less 100 and 40; floor(510,000 * 19,326 / (980,395 + 19,326)) = 9,859 lamports, less 50.
  const legs = [
    tokenTransfer(USER_COIN, FAR.base, ALICE, FAR_BOUGHT),
    tokenTransfer(FAR.quote, NEAR.base, FAR.pool, 19_326n),
    sellEvent({
      ...FAR_EVENT,
      quoteAmount: 19_466n,
      userQuoteAmount: 19_326n,
      virtualQuote: -1_100n,
    }),
    tokenTransfer(NEAR.quote, USER_SOL, NEAR.pool, 9_809n),
    tokenTransfer(NEAR.quote, BUYBACK, NEAR.pool, 25n),
    sellEvent({
      ...NEAR_EVENT,
      base: 19_326n,
      quoteAmount: 9_859n,
      userQuoteAmount: 9_809n,
      virtualQuote: -25n,
    }),
  ];
  const balances = [
    vault(NEAR.base, MIDDLE, [980_395n, 999_721n], NEAR.pool),
    vault(NEAR.quote, WRAPPED_SOL, [510_025n, 500_191n], NEAR.pool),
    vault(FAR.base, COIN, [1_877_764n, 2_000_000n], FAR.pool),
    vault(FAR.quote, MIDDLE, [319_605n, 300_279n], FAR.pool),
    vault(USER_SOL, WRAPPED_SOL, [0n, 9_809n], ALICE),
    vault(USER_COIN, COIN, [FAR_BOUGHT, 0n], ALICE),
  ];

  test('pays the user the output of the last pool less its fees', () => {
    expect((318_505n * FAR_BOUGHT) / 2_000_000n).toBe(19_466n);
    expect((510_000n * 19_326n) / 999_721n).toBe(9_859n);
    expect(swapsOfRoute([FAR, NEAR], legs, [USER_COIN, USER_SOL], balances)).toMatchObject([
      {
        pool: FAR.pool,
        side: 'sell',
        poolBaseDelta: FAR_BOUGHT,
        poolQuoteDelta: -19_426n,
        keptFees: { base: 0n, quote: 100n },
        traderBaseDelta: -FAR_BOUGHT,
        traderQuoteDelta: 19_326n,
        reserves: { quote: 300_279n, virtualQuote: 299_079n },
        isIntermediateHop: false,
        quarantine: null,
      },
      {
        pool: NEAR.pool,
        side: 'sell',
        poolBaseDelta: 19_326n,
        poolQuoteDelta: -9_859n,
        keptFees: { base: 0n, quote: 25n },
        traderBaseDelta: -19_326n,
        traderQuoteDelta: 9_809n,
        reserves: { quote: 500_191n, virtualQuote: 500_141n },
        isIntermediateHop: true,
        quarantine: null,
      },
    ]);
  });
});

describe('a route through a pool and a curve', () => {
  const CURVE = hopOf('curve', COIN, MIDDLE);
  const onCurve = [
    vault(NEAR.base, MIDDLE, [1_000_000n, 980_395n], NEAR.pool),
    vault(NEAR.quote, WRAPPED_SOL, [500_000n, 510_025n], NEAR.pool),
    vault(CURVE.base, COIN, [900_000n, 850_000n], CURVE.pool),
    vault(CURVE.quote, MIDDLE, [0n, NEAR_BOUGHT], CURVE.pool),
    vault(USER_SOL, WRAPPED_SOL, [10_050n, 0n], ALICE),
    vault(USER_COIN, COIN, [0n, 50_000n], ALICE),
  ];

  test('yields the swap of the pool, which pays the curve by a call of the pump program', () => {
    const run = curveRun(CURVE, NEAR, [
      tokenTransfer(NEAR.base, CURVE.quote, NEAR.pool, NEAR_BOUGHT),
      tokenTransfer(CURVE.base, USER_COIN, CURVE.pool, 50_000n),
    ]);
    const legs = [...BUY_LEGS.slice(0, 2), run, buyEvent(NEAR_EVENT)];
    const result = decodeDraft({
      signers: [ALICE],
      instructions: [multiHop([NEAR, CURVE], legs)],
      tokenBalances: onCurve,
    });
    expect(eventsOf(result)).toMatchObject([
      {
        pool: NEAR.pool,
        innerIx: 3,
        poolBaseDelta: -NEAR_BOUGHT,
        poolQuoteDelta: 10_000n,
        traderBaseDelta: NEAR_BOUGHT,
        traderQuoteDelta: -10_050n,
        reserves: { base: 980_395n, quote: 510_025n },
        router: null,
        quarantine: null,
      },
    ]);
    expect(eventsOf(result)).toHaveLength(1);
  });

  test('without any pool is ignored here', () => {
    const legs = [curveRun(CURVE, NEAR, [])];
    expect(decodeRoute([CURVE], legs, onCurve)).toEqual({ status: 'ignored' });
  });
});
