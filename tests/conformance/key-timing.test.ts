import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { KeyTable } from '../../src/store/control/api-keys.ts';
import { openControlPlane } from '../../src/store/control/control-plane.ts';
import { formatKey, KEY_RANDOM_BYTES } from '../../src/store/control/key-format.ts';

const PAIRS = 10_000;
/** By chance the share is off a half by 0.5 % or so; keys that are told apart put it near 0 or 1. */
const OFF_MAX = 0.1;

/** A key whose id is that of one that there is, with another secret and a right checksum. */
function guessAt(known: Uint8Array): string {
  return formatKey(Buffer.concat([known.subarray(0, 8), randomBytes(KEY_RANDOM_BYTES - 8)])).text;
}

function nanosecondsOf(keys: KeyTable, presented: string): number {
  const started = process.hrtime.bigint();
  keys.authenticate(presented);
  return Number(process.hrtime.bigint() - started);
}

/** Measured in turns, so that whatever else the machine does meets both alike. */
test('A-02 a key with a right beginning is refused no sooner and no later than any other', () => {
  const known = randomBytes(KEY_RANDOM_BYTES);
  const keys = new KeyTable(openControlPlane(':memory:'), { randomBytes: () => known });
  keys.create({ accountId: 'a', scopes: ['read'], label: '', expiresAtMs: null });
  const guesses = Array.from({ length: PAIRS }, () => guessAt(known));
  const others = guesses.map(() => formatKey(randomBytes(KEY_RANDOM_BYTES)).text);
  let later = 0;
  for (const [index, guess] of guesses.entries()) {
    const other = others[index] ?? '';
    const isFirst = index % 2 === 0;
    const first = nanosecondsOf(keys, isFirst ? guess : other);
    const second = nanosecondsOf(keys, isFirst ? other : guess);
    const difference = isFirst ? first - second : second - first;
    later += difference > 0 ? 1 : difference === 0 ? 0.5 : 0;
  }
  expect(Math.abs(later / PAIRS - 0.5)).toBeLessThan(OFF_MAX);
});
