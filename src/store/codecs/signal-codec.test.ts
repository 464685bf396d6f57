import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildOutcome, buildReturns, buildSignal } from '../../../tests/support/build-signal.ts';
import { asPriceE18, asUsdNano } from '../../model/units.ts';
import { decodeOutcome, decodeSignal, encodeOutcome, encodeSignal } from './signal-codec.ts';

/** Any text, including quotes, line breaks and lone surrogates. */
const text = fc.string({ unit: 'binary' });
const amount = fc.bigInt(-(2n ** 300n), 2n ** 300n);
const maybeNumber = fc.option(fc.double());

describe('signals and outcomes as text', () => {
  test('are decoded as they were, with any amount, number and text', () => {
    const condition = fc.record(
      { feature: text, value: fc.double(), least: maybeNumber, most: maybeNumber },
      { noNullPrototype: true },
    );
    const features = fc.dictionary(
      text.filter((name) => name !== '__proto__'),
      maybeNumber,
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(
        fc.option(text),
        features,
        fc.array(condition),
        amount,
        fc.option(fc.nat()),
        (name, measured, passed, value, ageMs) => {
          const priceUsd = asPriceE18(value);
          const signal = buildSignal({ name, features: measured, passed, ageMs, priceUsd });
          expect(decodeSignal(encodeSignal(signal))).toStrictEqual(signal);
          const outcome = buildOutcome({
            athMarketCapUsd: asUsdNano(value),
            roiE9: value,
            execution: { roseBeforeFell: false, enteredAtMs: ageMs },
          });
          expect(decodeOutcome(encodeOutcome(outcome))).toStrictEqual(outcome);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('keep the return of each rule separate', () => {
    const { returns } = buildOutcome().execution;
    const outcome = buildOutcome({
      execution: { returns: { ...returns, trailing_stop: buildReturns(-30n, -31n) } },
    });
    expect(decodeOutcome(encodeOutcome(outcome)).execution.returns).toEqual({
      hold_5m: buildReturns(12n, 8n),
      hold_1h: null,
      hold_24h: null,
      take_profit_or_stop: null,
      trailing_stop: buildReturns(-30n, -31n),
    });
  });

  test('are not decoded as each other', () => {
    expect(() => decodeSignal(encodeOutcome(buildOutcome()))).toThrow('has the format outcome/1');
    expect(() => decodeOutcome(encodeSignal(buildSignal()))).toThrow('has the format signal/1');
  });
});
