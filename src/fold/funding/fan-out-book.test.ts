import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stateImage } from '../../../tests/support/state-image.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { DistinctRegisters } from './distinct-registers.ts';
import { FAN_OUT_MS, FanOutBook, HUB_RECIPIENTS, HUB_RECIPIENTS_A_DAY } from './fan-out-book.ts';
import { FUNDER_LAYOUT, RECIPIENTS_LAYOUT } from './funder-row.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FUNDER = 5_000;

function newBook(undo = new UndoLog()) {
  const book = new FanOutBook(undo);
  /** Pays a recipient and returns whether the funder is a hub now. */
  const pay = (recipient: number, timeMs: number, funder = FUNDER) => {
    book.pay(funder, recipient, timeMs);
    return book.isHub(funder);
  };
  return { book, pay };
}

/** A funder by the definition (METHODS §0.5), from a list of all its payments. */
class NaiveFunder {
  private readonly paidMs = new Map<number, number>();
  isHub = false;

  pay(recipient: number, timeMs: number): void {
    if (this.isHub) return;
    this.paidMs.set(recipient, timeMs);
    const isManyInADay = this.countSince(timeMs - DAY_MS) > HUB_RECIPIENTS_A_DAY;
    this.isHub = isManyInADay || this.total() > HUB_RECIPIENTS;
  }

  countSince(sinceMs: number): number {
    return [...this.paidMs.values()].filter((paidMs) => paidMs > sinceMs).length;
  }

  recipientsSince(sinceMs: number) {
    const paid = [...this.paidMs.values()].filter((paidMs) => paidMs > sinceMs);
    return { count: paid.length, oldestMs: Math.min(...paid) };
  }

  total(): number {
    if (this.paidMs.size <= 256) return this.paidMs.size;
    const registers = new DistinctRegisters(new UndoLog(), 'estimates');
    const estimate = registers.open();
    for (const recipient of this.paidMs.keys()) registers.add(estimate, recipient);
    return registers.countOf(estimate);
  }
}

describe('the number of wallets that a funder pays', () => {
  test('makes it a hub at the 201st within a day, not at the 200th', () => {
    const { pay } = newBook();
    for (let index = 0; index < HUB_RECIPIENTS_A_DAY; index++) {
      expect(pay(index, index)).toBe(false);
    }
    expect(pay(7, 1_000)).toBe(false);
    expect(pay(HUB_RECIPIENTS_A_DAY, 2_000)).toBe(true);
  });

  test('drops the daily count after a day, but keeps the total', () => {
    const { book, pay } = newBook();
    for (let index = 0; index < 150; index++) pay(index, 0);
    for (let index = 150; index < 300; index++) expect(pay(index, DAY_MS)).toBe(false);
    expect(Math.abs(book.lifetimeCount(FUNDER) - 300)).toBeLessThan(15);
  });

  test('makes it a hub at about a thousand in total, at any pace', () => {
    const { pay } = newBook();
    let hubAt = 0;
    for (let index = 0; index < 1_200 && hubAt === 0; index++) {
      if (pay(index, index * HOUR_MS)) hubAt = index + 1;
    }
    // Above 256 the count is an estimate with a standard error of 1.6 %.
    expect(Math.abs(hubAt - HUB_RECIPIENTS)).toBeLessThan(3 * 0.016_25 * HUB_RECIPIENTS);
  });

  test('is that of a list of all payments, of several funders at once', () => {
    const payment = fc.record({
      funder: fc.constantFrom(0, 0, 0, 1, 2),
      recipients: fc
        .integer({ min: 0, max: 1_400 })
        .chain((first) => fc.integer({ min: 1, max: 60 }).map((count) => ({ first, count }))),
      afterMs: fc.oneof(fc.nat(HOUR_MS), fc.nat(DAY_MS), fc.constant(3 * DAY_MS)),
    });
    fc.assert(
      fc.property(fc.array(payment, { maxLength: 60 }), (payments) => {
        const { book } = newBook();
        const naive = [new NaiveFunder(), new NaiveFunder(), new NaiveFunder()] as const;
        let timeMs = 0;
        for (const { funder, recipients, afterMs } of payments) {
          timeMs += afterMs;
          const expected = naive[funder as 0 | 1 | 2];
          for (let offset = 0; offset < recipients.count; offset++) {
            book.pay(funder, recipients.first + offset, timeMs);
            expected.pay(recipients.first + offset, timeMs);
          }
          expect(book.isHub(funder)).toBe(expected.isHub);
          if (expected.isHub) continue;
          for (const sinceMs of [timeMs - DAY_MS, timeMs - FAN_OUT_MS]) {
            expect(book.recipientsSince(funder, sinceMs)).toEqual(
              expected.recipientsSince(sinceMs),
            );
          }
          expect(book.lifetimeCount(funder)).toBe(expected.total());
        }
        expect(book.hubCount).toBe(naive.filter(({ isHub }) => isHub).length);
      }),
      { numRuns: 150 },
    );
  });

  test('takes the place of recipients from more than a week ago, so lists are bounded', () => {
    const { book, pay } = newBook();
    // After the first 300, only recipients that do not raise the estimate of the total.
    const recipients: number[] = [];
    const undo = new UndoLog(1);
    const registers = new DistinctRegisters(undo, 'estimates');
    const estimate = registers.open();
    for (let id = 0; recipients.length < 190 * 15; id++) {
      undo.open();
      const isHigher = registers.add(estimate, id);
      undo.close();
      if (isHigher && recipients.length >= 300) undo.undo();
      else {
        undo.forget(undo.size);
        recipients.push(id);
      }
    }
    let week = 0;
    for (const [index, recipient] of recipients.entries()) {
      const day = Math.floor(index / 190);
      expect(pay(recipient, day * DAY_MS + index)).toBe(false);
      if (day === 8 && week === 0) week = book.allocatedBytes;
    }
    expect(book.allocatedBytes).toBe(week);
  });

  test('is restored by undo, also across the change to an estimate and to a hub', () => {
    const undo = new UndoLog(2);
    const { book, pay } = newBook(undo);
    for (let index = 0; index < 150; index++) pay(index, 0);
    const images = [stateImage(book)];
    undo.open();
    for (let index = 150; index < 300; index++) pay(index, 2 * DAY_MS);
    undo.close();
    images.push(stateImage(book));
    undo.open();
    for (let index = 0; index < 300; index++) pay(index, 4 * DAY_MS);
    expect(book.hubCount).toBe(1);
    undo.close();
    for (const image of images.reverse()) {
      undo.undo();
      expect(stateImage(book).tokens).toEqual(image.tokens);
    }
  });

  test('takes 24 bytes for one, and 56 for four further ones', () => {
    expect([FUNDER_LAYOUT.rowBytes, RECIPIENTS_LAYOUT.rowBytes]).toEqual([24, 56]);
  });
});
