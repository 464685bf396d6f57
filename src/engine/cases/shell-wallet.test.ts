import { describe, expect, it } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import { DAY_MS, sol } from '../../../tests/support/mint-case.ts';
import type { PaymentFlow } from '../../fraud/cases/payment-row.ts';
import { asSlot } from '../../model/units.ts';
import { isPassedOn } from './shell-wallet.ts';

/** A payment of the wallet or to it, at a time. */
function flow(size: number, timeMs: number): PaymentFlow {
  const slot = asSlot(1_000 + Math.floor(timeMs / 400));
  return { from: named('from'), to: named('to'), lamports: sol(size), slot, timeMs };
}

describe('money is passed on', () => {
  it('when 95 of 100 parts are sent within a day, and not a millisecond later', () => {
    expect(isPassedOn([flow(1, 0)], [flow(0.95, DAY_MS)])).toBe(true);
    expect(isPassedOn([flow(1, 0)], [flow(0.949_999_999, DAY_MS)])).toBe(false);
    expect(isPassedOn([flow(1, 0)], [flow(1, DAY_MS + 1)])).toBe(false);
  });

  it('when several payments together are sent on in parts', () => {
    // 0.4 + 0.55 of 1.
    const received = [flow(0.4, 0), flow(0.6, 1_000)];
    expect(isPassedOn(received, [flow(0.4, 2_000), flow(0.55, 3_000)])).toBe(true);
    expect(isPassedOn(received, [flow(0.4, 2_000), flow(0.5, 3_000)])).toBe(false);
  });

  it('also when more arrives after the last of it was sent', () => {
    const sent = [flow(1, 60_000)];
    expect(isPassedOn([flow(1, 0), flow(5, 60_400)], sent)).toBe(true);
    // What arrived before was kept: 1 of 6.
    expect(isPassedOn([flow(1, 0), flow(5, 59_000)], sent)).toBe(false);
  });

  it('never when nothing came in first', () => {
    expect(isPassedOn([], [flow(1, 0)])).toBe(false);
    expect(isPassedOn([flow(1, 2_000)], [flow(1, 0)])).toBe(false);
  });
});
