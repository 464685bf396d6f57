import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pricedTrade, SOL, TOKEN } from '../../../tests/support/build-trades.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { PricedSwap } from '../../model/derived.ts';
import { asRawAmount } from '../../model/units.ts';
import { SandwichWatch } from './sandwich.ts';
import type { SettlingTrade } from './settling-trade.ts';

interface Leg {
  readonly trader: string;
  readonly side: 'buy' | 'sell';
  readonly tokens: bigint;
  /** Hundredths of a SOL. */
  readonly centiSol: bigint;
  readonly slot: number;
}

function leg({ trader, side, tokens, centiSol, slot }: Leg): PricedSwap {
  const quoteRaw = (centiSol * SOL) / 100n;
  return pricedTrade({ slot, timeMs: 0, trader, side, baseRaw: tokens * TOKEN, quoteRaw });
}

/**
 * Index of the front leg for each trade that is a back leg, else null. `isStored`: the watch is
 * restored from its stored state before each trade.
 */
function frontsOf(legs: readonly PricedSwap[], isStored = false): (number | null)[] {
  let watch = new SandwichWatch();
  const trades: SettlingTrade[] = [];
  return legs.map((priced, index) => {
    if (isStored) watch = SandwichWatch.restore(watch.stateOf(trades), trades, new UndoLog());
    const { trade, front } = watch.applyTrade(priced, index);
    trades.push(trade);
    return front === null ? null : trades.indexOf(front);
  });
}

const FRONT: Leg = { trader: 'x', side: 'buy', tokens: 100n, centiSol: 10_000n, slot: 10 };
const VICTIM: Leg = { trader: 'v', side: 'buy', tokens: 10n, centiSol: 1_350n, slot: 10 };
const BACK: Leg = { trader: 'x', side: 'sell', tokens: 100n, centiSol: 10_500n, slot: 10 };

describe('a sandwich', () => {
  test('consists of a front, a victim and a back leg with profit', () => {
    expect(frontsOf([FRONT, VICTIM, BACK].map(leg))).toEqual([null, null, 0]);
  });

  test.each<[string, Leg[]]>([
    ['no victim', [FRONT, BACK]],
    ['a victim in the other direction', [FRONT, { ...VICTIM, side: 'sell' }, BACK]],
    ['a victim of one trader with the attacker', [FRONT, { ...VICTIM, trader: 'x' }, BACK]],
    ['a victim before the front', [VICTIM, FRONT, BACK]],
    ['no profit', [FRONT, VICTIM, { ...BACK, centiSol: 10_000n }]],
    ['2 % of the base kept', [FRONT, VICTIM, { ...BACK, tokens: 98n }]],
    ['another trader at the back', [FRONT, VICTIM, { ...BACK, trader: 'y' }]],
    ['four slots between the legs', [FRONT, VICTIM, { ...BACK, slot: 14 }]],
  ])('is not found with %s', (_, legs) => {
    expect(frontsOf(legs.map(leg)).every((front) => front === null)).toBe(true);
  });

  test('may keep 1 % of the tokens and span four slots', () => {
    const back = { ...BACK, tokens: 99n, slot: 13 };
    expect(frontsOf([FRONT, VICTIM, back].map(leg))).toEqual([null, null, 0]);
  });

  test('can sell first and buy back', () => {
    const legs: Leg[] = [
      { ...FRONT, side: 'sell', centiSol: 10_500n },
      { ...VICTIM, side: 'sell' },
      { ...BACK, side: 'buy', centiSol: 10_000n },
    ];
    expect(frontsOf(legs.map(leg))).toEqual([null, null, 0]);
  });

  test('must make a profit after fees', () => {
    const [front, victim, back] = [FRONT, VICTIM, BACK].map(leg) as [
      PricedSwap,
      PricedSwap,
      PricedSwap,
    ];
    // 105 SOL returned for 100, but the seller paid 6 SOL of fees.
    const traderQuoteDelta = asRawAmount(99n * SOL);
    const charged = { ...back, swap: { ...back.swap, traderQuoteDelta } };
    expect(frontsOf([front, victim, charged])).toEqual([null, null, null]);
    const unknown = { ...back, swap: { ...back.swap, traderQuoteDelta: null } };
    expect(frontsOf([front, victim, unknown])).toEqual([null, null, 0]);
  });

  test('uses each leg once', () => {
    const legs: Leg[] = [FRONT, VICTIM, BACK, { ...VICTIM, side: 'sell' }, FRONT];
    for (const isStored of [false, true]) {
      expect(frontsOf(legs.map(leg), isStored)).toEqual([null, null, 0, null, null]);
    }
  });

  test('may have an intermediate hop as victim, but not as leg', () => {
    const watch = new SandwichWatch();
    const { trade } = watch.applyTrade(leg(FRONT), 0);
    watch.applyPassing(leg(VICTIM).swap);
    expect(watch.applyTrade(leg(BACK), 0).front).toBe(trade);

    const other = new SandwichWatch();
    other.applyTrade(leg(FRONT), 0);
    other.applyPassing(leg({ ...VICTIM, trader: 'x' }).swap);
    expect(other.applyTrade(leg(BACK), 0).front).toBeNull();
  });

  test('is not detected after its front leg is removed', () => {
    const watch = new SandwichWatch();
    const { trade } = watch.applyTrade(leg(FRONT), 0);
    watch.applyTrade(leg(VICTIM), 0);
    watch.forget(trade);
    expect(watch.applyTrade(leg(BACK), 0).front).toBeNull();
  });

  test('equals the result of a search over all trades, also by a watch that is always stored', () => {
    const legs = fc.array(
      fc.record({
        trader: fc.constantFrom('a', 'b', 'c'),
        side: fc.constantFrom('buy' as const, 'sell' as const),
        tokens: fc.constantFrom(98n, 99n, 100n),
        centiSol: fc.constantFrom(9_000n, 10_000n, 11_000n),
        gap: fc.constantFrom(0, 0, 0, 1, 3),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(legs, (drafts) => {
        let slot = 10;
        const trades = drafts.map(({ gap, ...draft }) => {
          slot += gap;
          return { ...draft, slot };
        });
        const expected = plainSearch(trades);
        expect(frontsOf(trades.map(leg))).toEqual(expected);
        expect(frontsOf(trades.map(leg), true)).toEqual(expected);
      }),
    );
  });
});

/** The reference: the definition of METHODS §0.9, trade by trade. */
function plainSearch(trades: readonly Leg[]): (number | null)[] {
  const used = new Set<number>();
  return trades.map((back, index) => {
    const own = trades.findLastIndex(({ trader }, at) => at < index && trader === back.trader);
    const front = trades[own];
    if (front === undefined || used.has(own)) return null;
    const hasVictim = trades
      .slice(own + 1, index)
      .some(({ trader, side }) => trader !== back.trader && side === front.side);
    const gained =
      front.side === 'buy' ? back.centiSol - front.centiSol : front.centiSol - back.centiSol;
    const difference =
      back.tokens > front.tokens ? back.tokens - front.tokens : front.tokens - back.tokens;
    const isSandwich =
      front.side !== back.side &&
      hasVictim &&
      gained > 0n &&
      difference * 100n <= front.tokens &&
      back.slot - front.slot < 4;
    if (!isSandwich) return null;
    used.add(index);
    return own;
  });
}
