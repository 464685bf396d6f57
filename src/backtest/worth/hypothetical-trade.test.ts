import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UndoLog } from '../../lib/undo-log.ts';
import { EXIT_RULES, TICKETS_USD } from '../../model/signal.ts';
import { EXIT_TERMS } from '../../signals/execution/exit-rules.ts';
import { buyTokens, type PoolDepth, sellTokens } from '../../signals/execution/fill.ts';
import {
  advancePosition,
  ENTRY_WAIT_MS,
  executionOf,
  notePosition,
  openPosition,
  REACTION_MS,
} from '../../signals/execution/position.ts';
import { roundTrip } from './hypothetical-trade.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/** A pool of 1,000 tokens per unit of price, without fees. */
function depthAt(timeMs: number, priceUsd: number, quoteUsd = 1_000 * priceUsd): PoolDepth {
  return {
    ...{ timeMs, priceUsd, base: 1_000, quoteUsd, realBase: 1_000, realQuoteUsd: quoteUsd },
    ...{ feeBps: 0, solUsd: 100 },
  };
}

const path = (...points: [timeMs: number, priceUsd: number][]) => ({
  points: points.map(([timeMs, priceUsd]) => depthAt(timeMs, priceUsd)),
  endMs: 2 * DAY_MS,
});

describe('a hypothetical trade', () => {
  const timing = { entryMs: 10_000, exitDelayMs: 1_000, exit: EXIT_TERMS.take_profit_or_stop };

  test('buys at the state of the pool at its time, not at a later one', () => {
    const trip = roundTrip(path([0, 1], [10_000, 2], [10_001, 9]), timing);
    expect(trip?.entry.priceUsd).toBe(2);
  });

  test('sells after the delay at the price of then, which may be worse than the trigger', () => {
    // Up by half at 20 s; the price of 20.9 s is the last before the sale at 21 s.
    const trip = roundTrip(path([0, 2], [20_000, 3], [20_900, 1], [21_001, 5]), timing);
    expect(trip).toMatchObject({ exitMs: 21_000, exit: { priceUsd: 1 } });
  });

  test('is held to its time without a trigger', () => {
    const trip = roundTrip(path([0, 2], [30 * MINUTE_MS, 2.5]), timing);
    expect(trip).toMatchObject({ exitMs: 10_000 + 60 * MINUTE_MS, exit: { priceUsd: 2.5 } });
  });

  test('is open while the log ends before its exit, and before its entry', () => {
    const { points } = path([0, 2]);
    expect(roundTrip({ points, endMs: 30 * MINUTE_MS }, timing)).toBeNull();
    expect(roundTrip({ points, endMs: 5_000 }, timing)).toBeNull();
    expect(roundTrip({ points: [], endMs: DAY_MS }, timing)).toBeNull();
  });

  test('is left exactly as a followed signal is', () => {
    const steps = fc.array(
      fc.record({
        gapMs: fc.integer({ min: 1, max: 90 * MINUTE_MS }),
        price: fc.double({ min: 0.05, max: 20, noNaN: true }),
      }),
      { minLength: 1, maxLength: 40 },
    );
    fc.assert(
      fc.property(steps, (drawn) => {
        let timeMs = 0;
        const points = [depthAt(0, 1)];
        for (const { gapMs, price } of drawn) {
          timeMs += gapMs;
          points.push(depthAt(timeMs, price));
        }
        const endMs = timeMs + 30 * MINUTE_MS;
        const undo = new UndoLog();
        const position = openPosition(0, points[0] as PoolDepth);
        for (const point of points.slice(1)) notePosition(position, point, undo);
        advancePosition(position, endMs, undo);
        const { returns } = executionOf(position);
        // Signals enter at the first trade after the reaction, or at the end of the wait.
        const first = points.find((point) => point.timeMs >= REACTION_MS)?.timeMs ?? endMs;
        const entryMs = Math.min(first, ENTRY_WAIT_MS);
        for (const rule of EXIT_RULES) {
          const trip = roundTrip(
            { points, endMs },
            { entryMs, exitDelayMs: REACTION_MS, exit: EXIT_TERMS[rule] },
          );
          const expected = returns[rule]?.map(({ returnE9 }) => Number(returnE9) / 1e11) ?? null;
          const found =
            trip &&
            TICKETS_USD.map(
              (ticket) => sellTokens(trip.exit, buyTokens(trip.entry, ticket)) / ticket - 1,
            );
          expect(found === null).toBe(expected === null);
          found?.forEach((one, at) => {
            expect(one).toBeCloseTo(expected?.[at] ?? Number.NaN, 9);
          });
        }
      }),
    );
  });
});
