import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UndoLog } from '../../lib/undo-log.ts';
import { FunderFanOut, HUB_RECIPIENTS, HUB_RECIPIENTS_A_DAY } from './funder-fan-out.ts';

const DAY_MS = 86_400_000;

describe('the number of wallets that a funder pays', () => {
  test('makes it a hub at the 201st within a day, not at the 200th', () => {
    const fanOut = new FunderFanOut(new UndoLog());
    for (let index = 0; index < HUB_RECIPIENTS_A_DAY; index++) {
      expect(fanOut.pay(index, index)).toBe(false);
    }
    expect(fanOut.pay(7, 1_000)).toBe(false);
    expect(fanOut.pay(HUB_RECIPIENTS_A_DAY, 2_000)).toBe(true);
  });

  test('drops the daily count after a day, but keeps the total', () => {
    const fanOut = new FunderFanOut(new UndoLog());
    for (let index = 0; index < 150; index++) fanOut.pay(index, 0);
    for (let index = 150; index < 300; index++) {
      expect(fanOut.pay(index, DAY_MS)).toBe(false);
    }
    expect(Math.abs(fanOut.lifetimeCount - 300)).toBeLessThan(15);
  });

  test('makes it a hub at about a thousand in total, at any pace', () => {
    const fanOut = new FunderFanOut(new UndoLog());
    let hubAt = 0;
    for (let index = 0; index < 1_200 && hubAt === 0; index++) {
      if (fanOut.pay(index, index * 3_600_000)) hubAt = index + 1;
    }
    // Above 256 the count is an estimate with a standard error of 1.6 %.
    expect(Math.abs(hubAt - HUB_RECIPIENTS)).toBeLessThan(3 * 0.016_25 * HUB_RECIPIENTS);
  });

  test('detects a hub exactly when an exact list has over 200 recipients within a day', () => {
    const payment = fc.record({
      recipient: fc.integer({ min: 0, max: 400 }),
      afterMs: fc.integer({ min: 0, max: DAY_MS / 150 }),
    });
    fc.assert(
      fc.property(fc.array(payment, { minLength: 300, maxLength: 400 }), (payments) => {
        const fanOut = new FunderFanOut(new UndoLog());
        const all: { recipient: number; timeMs: number }[] = [];
        let timeMs = 0;
        for (const { recipient, afterMs } of payments) {
          timeMs += afterMs;
          all.push({ recipient, timeMs });
          const since = timeMs - DAY_MS;
          const paid = new Set(all.filter((one) => one.timeMs > since).map((one) => one.recipient));
          const isHub = fanOut.pay(recipient, timeMs);
          expect(isHub).toBe(paid.size > HUB_RECIPIENTS_A_DAY);
          if (isHub) return;
        }
      }),
      { numRuns: 100 },
    );
  });

  test('is restored by undo', () => {
    const undo = new UndoLog(1);
    const fanOut = new FunderFanOut(undo);
    for (let index = 0; index < 5; index++) fanOut.pay(index, 0);
    const before = structuredClone({ ...fanOut, undo: null });
    undo.open();
    for (let index = 0; index < 150; index++) fanOut.pay(index, 2 * DAY_MS);
    undo.close();
    undo.undo();
    expect({ ...fanOut, undo: null }).toEqual(before);
  });
});
