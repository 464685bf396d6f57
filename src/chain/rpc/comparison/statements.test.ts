import { expect, test } from 'vitest';
import { type Statement, Statements } from './statements.ts';

const [ONE, TWO, THREE] = ['one', 'two', 'three'].map((label) => ({ label })) as [
  Statement['blockWitness'],
  Statement['blockWitness'],
  Statement['blockWitness'],
];

const LIAR = { label: 'liar' };

function stated(
  ...statements: (Pick<Statement, 'blockWitness' | 'digest'> & Partial<Statement>)[]
) {
  const all = new Statements(({ label }) => label !== 'liar');
  for (const statement of statements) all.add({ faults: null, ...statement });
  return all;
}

test('two equal statements are accepted, one against one is not', () => {
  const pair = stated({ blockWitness: ONE, digest: 'a' }, { blockWitness: TWO, digest: 'b' });
  expect(pair.agreedDigest).toBeNull();
  pair.add({ blockWitness: THREE, digest: 'b', faults: null });
  expect(pair.agreedDigest).toBe('b');
});

test('a withdrawn statement no longer counts as a vote, but still as stated', () => {
  const all = stated(
    { blockWitness: ONE, digest: 'a' },
    { blockWitness: TWO, digest: 'b' },
    { blockWitness: ONE, digest: 'b' },
  );
  expect(all.agreedDigest).toBe('b');
  expect(all.refutedBy('b')).toEqual([{ blockWitness: ONE, isRepeated: false }]);
});

test('two against two decide nothing', () => {
  const four = stated(
    ...[ONE, TWO].map((blockWitness) => ({ blockWitness, digest: 'a' })),
    ...[THREE, { label: 'four' }].map((blockWitness) => ({ blockWitness, digest: 'b' })),
  );
  expect(four.agreedDigest).toBeNull();
});

test('the only witness is accepted against an emitter that is not one', () => {
  const all = stated({ blockWitness: LIAR, digest: 'a' }, { blockWitness: TWO, digest: 'b' });
  expect(all.agreedDigest).toBe('b');
  expect(all.refutedBy('b')).toEqual([{ blockWitness: LIAR, isRepeated: true }]);
});

test('the version with the fewest contradictions wins, unless one cannot be inspected', () => {
  const both = stated(
    { blockWitness: ONE, digest: 'a', faults: 3 },
    { blockWitness: TWO, digest: 'b', faults: 1 },
  );
  expect(both.soundestDigest).toBe('b');
  both.add({ blockWitness: THREE, digest: 'c', faults: null });
  expect(both.soundestDigest).toBeNull();
  const equal = stated(
    { blockWitness: ONE, digest: 'a', faults: 1 },
    { blockWitness: TWO, digest: 'b', faults: 1 },
  );
  expect(equal.soundestDigest).toBeNull();
});
