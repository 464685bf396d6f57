import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { HashDraws } from './hash-draws.ts';

test('numbers are the words of SHA-256 over text and counter', () => {
  const draws = new HashDraws('text');
  const drawn = Array.from({ length: 9 }, () => draws.uint32().toString(16).padStart(8, '0'));
  expect(drawn.slice(0, 8).join('')).toBe(hash('sha256', 'text 0', 'hex'));
  expect(drawn[8]).toBe(hash('sha256', 'text 1', 'hex').slice(0, 8));
});

test('numbers below a limit are equally frequent', () => {
  const tally = new Map<number, number>();
  const dice = new HashDraws('dice');
  for (let roll = 0; roll < 60_000; roll++) {
    const face = dice.below(6);
    tally.set(face, (tally.get(face) ?? 0) + 1);
  }
  // Binomial: mean 10,000, standard deviation 91; five of them.
  expect([...tally.values()].every((count) => Math.abs(count - 10_000) < 456)).toBe(true);
  expect(tally.size).toBe(6);
});
