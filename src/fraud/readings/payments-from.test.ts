import { expect, test } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import { aCase, aPayment } from '../../../tests/support/mint-case.ts';
import type { MintCase } from '../../model/mint-case.ts';
import { paymentsBetween, paymentsFrom } from './payments-from.ts';

const [first, second, third] = [
  aPayment('ann', 'bob', { slot: 1_001 }),
  aPayment('bob', 'ann', { slot: 1_002 }),
  aPayment('ann', 'cleo', { slot: 1_003 }),
] as const;
const plain = aCase({ payments: [first, second, third] });

test('the payments of a wallet begin with a time', () => {
  const sentBy = paymentsFrom(plain);
  expect(sentBy(named('ann'), Number.NEGATIVE_INFINITY)).toEqual([first, third]);
  expect(sentBy(named('ann'), first.timeMs + 1)).toEqual([third]);
  expect(sentBy(named('cleo'), 0)).toEqual([]);
});

test('the payments of several wallets are in block order, both ends of the span included', () => {
  const both = [named('bob'), named('ann'), named('bob')];
  expect(paymentsBetween(plain, both, first.timeMs, third.timeMs)).toEqual([first, second, third]);
  expect(paymentsBetween(plain, both, first.timeMs + 1, third.timeMs - 1)).toEqual([second]);
});

test('a case that can read the payments of one wallet is asked for them, not for all', () => {
  const view: MintCase = {
    ...plain,
    get payments(): MintCase['payments'] {
      throw new Error('all payments were read');
    },
    paymentsFrom: (payer, sinceMs) => (payer === 'ann' && sinceMs === 5 ? [third] : []),
  };
  expect(paymentsFrom(view)(named('ann'), 5)).toEqual([third]);
});
