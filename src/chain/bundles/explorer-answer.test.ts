import { describe, expect, test } from 'vitest';
import { signature } from '../../../tests/support/build-transaction.ts';
import { asSlot } from '../../model/units.ts';
import { readExplorerAnswer } from './explorer-answer.ts';

/** As the explorer answered in May 2025 (published by Drift's dashboard). */
const RECORDED = {
  bundleId: 'e2c30cc1cd9c3ed11dcd23ee0123ee801654f2782541886aa1f5c50b537aa298',
  slot: 340282457,
  validator: 'CW9C7HBwAMgqNdXkNgFg9Ujr3edR2Ab9ymEuQnVacd1A',
  tippers: ['5GMbJEjRJvQNiGRJzKud3ncTw11Efumpa6VQTJeGogbP'],
  landedTipLamports: 10000,
  landedCu: 274241,
  blockIndex: 1617,
  timestamp: '2025-05-15T23:59:59+00:00',
  txSignatures: [
    '57BxAwFoPV6MPk3P2kkj3zXL6SJXwxzYBcUb5vv2vtGmH5HgdhDVHL7cxNtgeerGy35ZR5zDhAS7Y7hQ8mFCkac',
  ],
};
const SLOT = asSlot(RECORDED.slot);
const PAIR = [signature('first'), signature('second')];

describe('the answer of a bundle explorer about a slot', () => {
  test('gives the bundles of several transactions, in their order', () => {
    const answer = [RECORDED, { ...RECORDED, txSignatures: PAIR }];
    expect(readExplorerAnswer(answer, SLOT)).toEqual([{ signatures: PAIR }]);
  });

  test('may be empty', () => {
    expect(readExplorerAnswer([], SLOT)).toEqual([]);
  });

  test.each([
    ['no list', { error: 'Bundle not found' }, 'something that is not a list of bundles'],
    ['nothing', null, 'something that is not a list of bundles'],
    ['an entry that is null', [null], 'a bundle that is no record'],
    ['an entry that is a text', ['bundle'], 'a bundle that is no record'],
    ['another slot', [{ ...RECORDED, slot: SLOT + 1 }], 'a bundle of another slot'],
    ['a slot as text', [{ ...RECORDED, slot: String(SLOT) }], 'a bundle of another slot'],
    [
      'no transactions',
      [{ ...RECORDED, txSignatures: undefined }],
      'a bundle without a list of its transactions',
    ],
    [
      'a list of transactions without end',
      [{ ...RECORDED, txSignatures: Array(65).fill(PAIR[0]) }],
      'a bundle without a list of its transactions',
    ],
    [
      'a short signature',
      [{ ...RECORDED, txSignatures: [...PAIR, 'abc'] }],
      'a transaction that is no signature',
    ],
    [
      'a number for a signature',
      [{ ...RECORDED, txSignatures: [7] }],
      'a transaction that is no signature',
    ],
    ['too many bundles', Array(10_001).fill(RECORDED), 'more than 10000 bundles'],
  ])('with %s is refused as a whole, and says why', (_, answer, reason) => {
    expect(readExplorerAnswer(answer, SLOT)).toBe(reason);
  });
});
