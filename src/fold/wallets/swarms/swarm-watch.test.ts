import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectStored } from '../../../../tests/support/book-trial.ts';
import { type SwarmTrade, SwarmWatch } from './swarm-watch.ts';

const HOUR = 3_600;
const OWN = 'aaaaaaaa00000001';
const USUAL = 'bbbbbbbb00000002';
const MINT = 1;
const FIRST_MEMBER = 10_000;

/** A trade at `timeS` by a wallet with this many trades. */
function trade(wallet: number, timeS: number, rest: Partial<SwarmTrade> = {}): SwarmTrade {
  const single = { skeleton: OWN, isFirstOfHour: true, walletTrades: 1, isByTerminal: false };
  return { mint: MINT, wallet, timeS, ...single, ...rest };
}

const once = () => 1;

/** Established traders with trades in an hour, of which `users` use the swarm's skeleton. */
function established(watch: SwarmWatch, count: number, users = 0, timeS = HOUR): void {
  for (let at = 0; at < count; at++) {
    const skeleton = at < users ? OWN : USUAL;
    watch.applyTrade(trade(at, timeS, { skeleton, walletTrades: 4, mint: 2 }), once);
  }
}

/** The results of `count` new wallets, `gapS` apart, from the first second of an hour on. */
function join(
  watch: SwarmWatch,
  count: number,
  { gapS = 1, rest = {}, tradesOf = once as (wallet: number) => number } = {},
) {
  return Array.from({ length: count }, (_, at) =>
    watch.applyTrade(trade(FIRST_MEMBER + at, HOUR + at * gapS, rest), tradesOf),
  );
}

describe('a swarm', () => {
  test('is ten single-use wallets with a skeleton of their own, from the tenth on', () => {
    const watch = new SwarmWatch();
    established(watch, 200);
    const found = join(watch, 11);
    expect(found.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => null));
    const members = Array.from({ length: 11 }, (_, at) => FIRST_MEMBER + at);
    expect(found[9]).toEqual({ members: members.slice(0, 10), others: 200, users: 0 });
    expect(found[10]).toEqual({ members, others: 200, users: 0 });
  });

  test('may share its skeleton with 3 of 200 established traders, and not with 4', () => {
    for (const [users, isFound] of [
      [3, true],
      [4, false],
    ] as const) {
      const watch = new SwarmWatch();
      established(watch, 200, users);
      expect(join(watch, 10)[9] !== null).toBe(isFound);
    }
  });

  test('is unknown while fewer than 200 established traders were seen', () => {
    const watch = new SwarmWatch();
    established(watch, 199);
    expect(join(watch, 10)[9]).toBeNull();
  });

  test('is measured by traders of the hour and the one before, each counted once an hour', () => {
    const watch = new SwarmWatch();
    established(watch, 120, 0, 0);
    established(watch, 80, 0, HOUR);
    watch.applyTrade(trade(0, HOUR + 1, { walletTrades: 5, isFirstOfHour: false }), once);
    expect(join(watch, 10)[9]).toMatchObject({ others: 200, users: 0 });
    const later = new SwarmWatch();
    established(later, 400, 0, 0);
    const joined = Array.from({ length: 10 }, (_, at) =>
      later.applyTrade(trade(FIRST_MEMBER + at, 2 * HOUR + at), once),
    );
    expect(joined[9]).toBeNull();
  });

  test('has all of its trades within an hour', () => {
    const [within, beyond] = [new SwarmWatch(), new SwarmWatch()];
    established(within, 200);
    established(beyond, 200);
    // Nine gaps of 399 s are 3,591 s; nine of 400 s are an hour.
    expect(join(within, 10, { gapS: 399 })[9]).not.toBeNull();
    expect(join(beyond, 10, { gapS: 400 })[9]).toBeNull();
  });

  test.each([
    ['wallets with a fourth trade', { walletTrades: 4 }],
    ['wallets of a trading terminal', { isByTerminal: true }],
    ['transactions without a skeleton', { skeleton: null }],
  ])('is not made of %s', (_, rest) => {
    const watch = new SwarmWatch();
    established(watch, 200);
    expect(join(watch, 12, { rest }).every((found) => found === null)).toBe(true);
  });

  test('does not count a wallet that traded on after it joined', () => {
    const watch = new SwarmWatch();
    established(watch, 200);
    const tradesOf = (wallet: number) => (wallet === FIRST_MEMBER ? 4 : 3);
    const found = join(watch, 11, { tradesOf });
    expect(found[9]).toBeNull();
    expect(found[10]?.members).toHaveLength(10);
    expect(found[10]?.members).not.toContain(FIRST_MEMBER);
  });

  test('counts a wallet once, and needs one mint and one skeleton', () => {
    const watch = new SwarmWatch();
    established(watch, 200);
    for (let at = 0; at < 9; at++) {
      for (let again = 0; again < 3; again++) {
        expect(watch.applyTrade(trade(FIRST_MEMBER + at, HOUR + at), once)).toBeNull();
      }
    }
    const next = FIRST_MEMBER + 9;
    expect(watch.applyTrade(trade(next, HOUR + 9, { mint: 5 }), once)).toBeNull();
    expect(watch.applyTrade(trade(next, HOUR + 9, { skeleton: USUAL }), once)).toBeNull();
    expect(watch.applyTrade(trade(next, HOUR + 9), once)).not.toBeNull();
  });
});

test('what is watched is bounded, and forgotten after an hour', () => {
  const watch = new SwarmWatch(undefined, 100);
  for (let at = 0; at < 1_000; at++) watch.applyTrade(trade(at, HOUR, { mint: at }), once);
  expect(watch.size).toBe(100);
  for (let at = 0; at < 60; at++) watch.applyTrade(trade(at, 3 * HOUR + at, { mint: 0 }), once);
  for (let at = 0; at < 60; at++) watch.applyTrade(trade(at, 3 * HOUR + at, { mint: at }), once);
  expect(watch.size).toBeLessThanOrEqual(60);
});

test('slots that are undone, leave memory or are restored change no answer', () => {
  const anyTrade = fc.record({
    mint: fc.nat(1),
    wallet: fc.nat(400),
    skeleton: fc.constantFrom(OWN, USUAL, null),
    timeS: fc.nat(3 * HOUR),
    isFirstOfHour: fc.boolean(),
    walletTrades: fc.integer({ min: 1, max: 5 }),
    isByTerminal: fc.boolean(),
  });
  const anySlot = fc.array(anyTrade, { maxLength: 60 });
  fc.assert(
    fc.property(fc.array(anySlot, { minLength: 2, maxLength: 8 }), fc.nat(7), (slots, at) => {
      expectStored<SwarmWatch, (typeof slots)[number]>(
        {
          create: (undo) => new SwarmWatch(undo, 6),
          apply: (watch, trades) => trades.map((each) => watch.applyTrade(each, once)),
          answers: (watch) => watch.size,
        },
        slots,
        at % slots.length,
      );
    }),
    { numRuns: 30 },
  );
});
