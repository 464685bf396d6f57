import { expect, test } from 'vitest';
import { named } from '../../../../tests/support/made-up-units.ts';
import { asAddress } from '../../../model/units.ts';
import { idlAddresses } from './idl-address.ts';

test('the metadata address is the one that anchor-cli uses', () => {
  // As `anchor idl fetch` of version 1.1.2 requests it on devnet.
  const program = asAddress('DR5GoMT7sAKzD6wZMKJPeknS3Y6fzgZUNevi7xiESE4x');
  expect(idlAddresses(program).metadata).toBe('7tbJDv1gwseQamg816gEgwTSpsPpgec5yxhYpbTrcdbC');
});

test('the addresses of two programs are all different', () => {
  const one = idlAddresses(asAddress('6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P'));
  const other = idlAddresses(asAddress('pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA'));
  expect(new Set([...Object.values(one), ...Object.values(other)]).size).toBe(4);
});

test.each(['', 'short', '0'.repeat(44)])('%j is not an address', (text) => {
  expect(() => idlAddresses(named(text))).toThrow(RangeError);
});
