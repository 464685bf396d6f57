import { expect, test } from 'vitest';
import { isGenesisCert } from './genesis-cert.ts';

const bytes = (length: number, value = 7) => Array.from({ length }, () => value);
const BLOCK = { slot: 412_300_800, blockId: bytes(32) };
const SIGNATURE = { signature: bytes(192), bitmap: [1, 128] };

test('the documented certificate is valid, also in the spelling of older nodes', () => {
  expect(isGenesisCert({ block: BLOCK, signature: SIGNATURE })).toBe(true);
  const block = { slot: 99, block_id: bytes(32) };
  expect(isGenesisCert({ block, signature: SIGNATURE })).toBe(true);
});

test.each([
  ['nothing', null],
  ['a yes', true],
  ['text', 'alpenglow'],
  ['a number', 412_300_800],
  ['a list', []],
  ['no fields', {}],
  ['a block alone', { block: BLOCK }],
  ['an invalid slot', { block: { ...BLOCK, slot: -1 }, signature: SIGNATURE }],
  ['a block id too short', { block: { ...BLOCK, blockId: bytes(31) }, signature: SIGNATURE }],
  [
    'numbers that are not bytes',
    { block: { ...BLOCK, blockId: bytes(32, 256) }, signature: SIGNATURE },
  ],
  ['a signature of another length', { block: BLOCK, signature: { ...SIGNATURE, signature: [1] } }],
  ['an empty signer bitmap', { block: BLOCK, signature: { ...SIGNATURE, bitmap: [] } }],
])('%s is not a certificate', (_, result) => {
  expect(isGenesisCert(result)).toBe(false);
});
