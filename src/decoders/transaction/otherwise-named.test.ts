import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hex } from '../../../tests/support/borsh-bytes.ts';
import { hasNonSwapName, NON_SWAP_NAMES } from './non-swap-names.ts';

test.each(Object.entries(NON_SWAP_NAMES))(
  '%s is the discriminator of %s',
  (discriminator, name) => {
    const digest = createHash('sha256').update(`global:${name}`).digest('hex');
    expect(discriminator).toBe(digest.slice(0, 16));
    expect(hasNonSwapName(hex(`${discriminator}ff`))).toBe(true);
  },
);

test('a swap by its name, and data too short for a name, are not named otherwise', () => {
  const swap = createHash('sha256').update('global:swap').digest('hex').slice(0, 16);
  expect(hasNonSwapName(hex(swap))).toBe(false);
  expect(hasNonSwapName(hex('e4fd83cacf7459'))).toBe(false);
});
