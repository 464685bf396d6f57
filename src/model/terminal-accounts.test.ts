import { expect, test } from 'vitest';
import { decodeBase58 } from '../lib/base58.ts';
import { TERMINAL_OF_FEE_ACCOUNT } from './terminal-accounts.ts';

test.each([...TERMINAL_OF_FEE_ACCOUNT])('%s of %s is an address of 32 bytes', (account) => {
  expect(decodeBase58(account)).toHaveLength(32);
});

test('no two terminals share a fee account, and none lists one twice', () => {
  // 93 addresses were collected; a duplicate would be in the map only once.
  expect(TERMINAL_OF_FEE_ACCOUNT.size).toBe(93);
});
