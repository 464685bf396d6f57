import { expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { TokenAccounts } from './token-accounts.ts';

test('an owner whose row the word of an account cannot name is refused as one of a full table', () => {
  const accounts = new TokenAccounts(new UndoLog());
  const last = 2 ** 31 - 2;
  accounts.openMain(address('last'), last);
  expect(accounts.holderOf(accounts.find(address('last')))).toBe(last);
  expect(() => accounts.openMain(address('next'), last + 1)).toThrow(
    'The table "holders" is full: it has room for rows with numbers up to 2147483646.',
  );
  expect(accounts.find(address('next'))).toBe(-1);
});
