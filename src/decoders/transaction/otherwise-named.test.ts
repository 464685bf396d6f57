import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hex } from '../../../tests/support/borsh-bytes.ts';
import { isNamedOtherwise, OTHERWISE_NAMED } from './otherwise-named.ts';

test.each(Object.entries(OTHERWISE_NAMED))(
  '%s is the discriminator of %s',
  (discriminator, name) => {
    const digest = createHash('sha256').update(`global:${name}`).digest('hex');
    expect(discriminator).toBe(digest.slice(0, 16));
    expect(isNamedOtherwise(hex(`${discriminator}ff`))).toBe(true);
  },
);

test('a swap by its name, and data too short for a name, are not named otherwise', () => {
  const swap = createHash('sha256').update('global:swap').digest('hex').slice(0, 16);
  expect(isNamedOtherwise(hex(swap))).toBe(false);
  expect(isNamedOtherwise(hex('e4fd83cacf7459'))).toBe(false);
});
