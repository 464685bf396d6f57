import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { KeyTable } from '../../src/store/control/api-keys.ts';
import { openControlPlane } from '../../src/store/control/control-plane.ts';
import { formatKey, KEY_RANDOM_BYTES } from '../../src/store/control/key-format.ts';

const PAIRS = 10_000;
/**
 * Random noise moves the share about 0.5 % from a half; distinguishable keys move it near 0 or 1.
 */
const OFF_MAX = 0.1;

/** A key with the id of an existing key, another secret and a correct checksum. */
function guessAt(known: Uint8Array): string {
  return formatKey(Buffer.concat([known.subarray(0, 8), randomBytes(KEY_RANDOM_BYTES - 8)])).text;
}

function nanosecondsOf(keys: KeyTable, presented: string): number {
  const started = process.hrtime.bigint();
  keys.authenticate(presented);
  return Number(process.hrtime.bigint() - started);
}

/** Measured alternately, so that other load on the machine affects both kinds alike. */
test('A-02 a key with a correct beginning takes as long to refuse as any other', () => {
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
