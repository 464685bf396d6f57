import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concat, key, u8, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { readLaunchlabTradeEvent } from './launchlab-trade-event.ts';

// A curve of 1,000 base and 100 quote: 25 quote buy 1,000 - 100,000 / 125 = 200 base.
const CURVE = { virtual: [1_000n, 100n], before: [0n, 0n], after: [200n, 25n] } as const;
const FEES = [1n, 2n, 4n, 8n] as const;

describe('a launchpad trade event', () => {
  test('has the base sold, all fees, and the virtual reserves after it', () => {
    expect(readLaunchlabTradeEvent(newForm(CURVE, 0))).toEqual({
      baseSold: 200n,
      feeQuoteRaw: 15n,
      virtualReserves: { base: 800n, quote: 125n },
      isComplete: false,
    });
  });

  test('has the same content in its first form, which has no creator fee', () => {
    expect(readLaunchlabTradeEvent(firstForm(CURVE, 1))).toEqual({
      baseSold: 200n,
      feeQuoteRaw: 11n,
      virtualReserves: { base: 800n, quote: 125n },
      isComplete: true,
    });
  });

  test('is read with any fields appended by later forms', () => {
    const data = concat(newForm(CURVE, 1), u64(9n), u64(9n));
    expect(readLaunchlabTradeEvent(data)).toEqual(readLaunchlabTradeEvent(newForm(CURVE, 1)));
  });

  test.each([
    { status: 0, isComplete: false },
    { status: 1, isComplete: true },
    { status: 2, isComplete: false },
  ])('with status $status: complete $isComplete', ({ status, isComplete }) => {
    expect(readLaunchlabTradeEvent(newForm(CURVE, status))?.isComplete).toBe(isComplete);
  });

  test('is null when it ends inside its fields', () => {
    const whole = newForm(CURVE, 0);
    const lastField = whole.length - 2;
    for (const length of [16, 48, 100, 145, lastField]) {
      expect(readLaunchlabTradeEvent(whole.subarray(0, length))).toBeNull();
    }
  });
});

describe('virtual reserves', () => {
  const reservesOf = (curve: Curve) => readLaunchlabTradeEvent(newForm(curve, 0))?.virtualReserves;

  test('are restored by a sell', () => {
    const sale: Curve = { ...CURVE, before: [200n, 25n], after: [0n, 0n] };
    expect(reservesOf(sale)).toEqual({ base: 1_000n, quote: 100n });
  });

  test('accept a product raised by rounding', () => {
    // 7 quote buy 1,000 - 100,000 / 107 = 65.4…, of which 65 are paid.
    expect(reservesOf({ ...CURVE, after: [65n, 7n] })).toEqual({ base: 935n, quote: 107n });
  });

  test.each([
    { curve: 'a fixed price, 10 base for each quote', after: [250n, 25n] },
    { curve: 'a price below the product', after: [100n, 25n] },
    { curve: 'more than the virtual amount', after: [1_000n, 25n] },
  ] as const)('are unknown on $curve', ({ after }) => {
    expect(reservesOf({ ...CURVE, after })).toBeNull();
  });

  test('are known for every trade on a constant-product curve', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 15n });
    fc.assert(
      fc.property(amount, amount, amount, (base, quote, paid) => {
        const sold = (base * paid) / (quote + paid);
        fc.pre(sold > 0n && sold < base);
        const reserves = reservesOf({
          virtual: [base, quote],
          before: [0n, 0n],
          after: [sold, paid],
        });
        expect(reserves).toEqual({ base: base - sold, quote: quote + paid });
      }),
    );
  });
});

interface Curve {
  readonly virtual: readonly [bigint, bigint];
  readonly before: readonly [bigint, bigint];
  readonly after: readonly [bigint, bigint];
}

/** Tag and discriminator, pool, total to sell, the curve, amounts in and out. */
function head({ virtual, before, after }: Curve): Uint8Array {
  const amounts = [5_000n, ...virtual, ...before, ...after, 40n, 200n];
  return concat(new Uint8Array(16), key(address('pool')), ...amounts.map(u64));
}

/** Fees, direction, status, whether the input was exact. */
function newForm(curve: Curve, status: number): Uint8Array {
  return concat(head(curve), ...FEES.map(u64), u8(0), u8(status), u8(1));
}

function firstForm(curve: Curve, status: number): Uint8Array {
  const [protocol, platform, , share] = FEES;
  return concat(head(curve), u64(protocol), u64(platform), u64(share), u8(0), u8(status));
}
