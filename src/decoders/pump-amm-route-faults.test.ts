import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hex } from '../../tests/support/borsh-bytes.ts';
import type { InstructionDraft } from '../../tests/support/build-transaction.ts';
import { decodeDraft } from '../../tests/support/decode-draft.ts';
import { ALICE, buyEvent, eventsOf, sellEvent } from '../../tests/support/pump-amm-drafts.ts';
import {
  BALANCES,
  BUY_LEGS,
  COIN,
  decodeRoute,
  FAR,
  FAR_EVENT,
  hopOf,
  MIDDLE,
  multiHop,
  NEAR,
  NEAR_EVENT,
  swapsOfRoute,
  USER_COIN,
  USER_SOL,
} from '../../tests/support/pump-amm-routes.ts';
import { tokenTransfer } from '../../tests/support/pump-drafts.ts';

describe('an inconsistent route', () => {
  const [intoNear, buyback, intoFar, nearEvent, intoUser, farEvent] = BUY_LEGS;
  if (!(intoNear && buyback && intoFar && nearEvent && intoUser && farEvent)) throw new Error();

  test('quarantines a hop that no event reports', () => {
    const legs = [intoNear, buyback, intoFar, nearEvent, intoUser];
    expect(swapsOfRoute([NEAR, FAR], legs)).toMatchObject([
      { pool: NEAR.pool, quarantine: null },
      { pool: FAR.pool, quarantine: 'no event reports which part of the vault change is fees' },
    ]);
  });

  test.each<[string, readonly InstructionDraft[], string]>([
    ['an event of a pool it does not list', [...BUY_LEGS, nearEvent], 'a swap event of no hop'],
    [
      'events in a different order than the hops',
      [intoNear, buyback, intoFar, intoUser, farEvent, nearEvent],
      'a swap event of no hop',
    ],
    [
      'an event without movements',
      [intoNear, buyback, nearEvent, farEvent],
      'a hop that pays nothing out',
    ],
    [
      'a truncated event',
      [
        intoNear,
        buyback,
        intoFar,
        { ...nearEvent, data: nearEvent.data?.subarray(0, -1) ?? hex('') },
      ],
      'swap event ends inside its fields',
    ],
  ])('is malformed with %s', (_name, legs, reason) => {
    expect(decodeRoute([NEAR, FAR], legs, BALANCES)).toEqual({ status: 'malformed', reason });
  });

  test('is malformed when a hop moved nothing, or when a pool appears twice', () => {
    const idle = hopOf('idle', COIN, MIDDLE);
    const reason = 'a hop that moved nothing';
    expect(decodeRoute([NEAR, FAR, idle], BUY_LEGS, BALANCES)).toEqual({
      status: 'malformed',
      reason,
    });
    expect(decodeRoute([NEAR, NEAR], BUY_LEGS, BALANCES)).toMatchObject({
      reason: 'a route that trades on one pool twice',
    });
  });

  test('is ignored when nothing moved', () => {
    expect(decodeRoute([NEAR, FAR], [], BALANCES)).toEqual({ status: 'ignored' });
  });

  test.each([0, 15, 16, 17, 20, 22])('is malformed with %i accounts', (count) => {
    const route = multiHop([NEAR, FAR], BUY_LEGS);
    const accounts = route.accounts?.slice(0, count) ?? [];
    const result = decodeDraft({
      signers: [ALICE],
      instructions: [{ ...route, accounts }],
      tokenBalances: BALANCES,
    });
    expect(result).toEqual({ status: 'malformed', reason: 'too few accounts' });
  });

  test('is malformed with more hops than a transaction has accounts for', () => {
    const hops = Array.from({ length: 38 }, (_, at) => hopOf(`hop ${at}`, COIN, MIDDLE));
    expect(decodeRoute(hops, [], BALANCES)).toMatchObject({
      reason: 'more hops than a transaction has accounts for',
    });
    expect(decodeRoute(hops.slice(1), [], BALANCES)).toEqual({ status: 'ignored' });
  });

  test('never throws on any hops, transfers and events', () => {
    const key = fc.constantFrom(NEAR.base, NEAR.quote, FAR.base, FAR.quote, USER_SOL, USER_COIN);
    const leg = fc
      .tuple(key, key, fc.bigInt({ min: 0n, max: 99n }))
      .map(([from, to, amount]) => tokenTransfer(from, to, ALICE, amount));
    const event = fc.constantFrom(buyEvent(NEAR_EVENT), sellEvent(FAR_EVENT));
    const hop = fc
      .tuple(key, key, key)
      .map(([pool, base, quote]) => ({ ...NEAR, pool, base, quote }));
    fc.assert(
      fc.property(
        fc.array(hop, { maxLength: 5 }),
        fc.array(fc.oneof(leg, event), { maxLength: 6 }),
        (hops, legs) => {
          const moved = 99n * BigInt(legs.length);
          return eventsOf(decodeRoute(hops, legs, BALANCES)).every(
            (swap) => swap.kind === 'swap' && swap.poolBaseDelta <= moved,
          );
        },
      ),
    );
  });
});
