import { expect, test } from 'vitest';
import { type Statement, Statements } from './statements.ts';

const [ONE, TWO, THREE] = ['one', 'two', 'three'].map((label) => ({ label })) as [
  Statement['teller'],
  Statement['teller'],
  Statement['teller'],
];

const LIAR = { label: 'liar' };

function stated(...statements: (Pick<Statement, 'teller' | 'digest'> & Partial<Statement>)[]) {
  const all = new Statements(({ label }) => label !== 'liar');
  for (const statement of statements) all.add({ faults: null, ...statement });
  return all;
}

test('two equal statements are accepted, one against one is not', () => {
  const pair = stated({ teller: ONE, digest: 'a' }, { teller: TWO, digest: 'b' });
  expect(pair.agreedDigest).toBeNull();
  pair.add({ teller: THREE, digest: 'b', faults: null });
  expect(pair.agreedDigest).toBe('b');
});

test('a withdrawn statement no longer counts as a vote, but still as stated', () => {
  const all = stated(
    { teller: ONE, digest: 'a' },
    { teller: TWO, digest: 'b' },
    { teller: ONE, digest: 'b' },
  );
  expect(all.agreedDigest).toBe('b');
  expect(all.refutedBy('b')).toEqual([{ teller: ONE, isRepeated: false }]);
});

test('two against two decide nothing', () => {
  const four = stated(
    ...[ONE, TWO].map((teller) => ({ teller, digest: 'a' })),
    ...[THREE, { label: 'four' }].map((teller) => ({ teller, digest: 'b' })),
  );
  expect(four.agreedDigest).toBeNull();
});

test('the only witness is accepted against an emitter that is not one', () => {
  const all = stated({ teller: LIAR, digest: 'a' }, { teller: TWO, digest: 'b' });
  expect(all.agreedDigest).toBe('b');
  expect(all.refutedBy('b')).toEqual([{ teller: LIAR, isRepeated: true }]);
});

test('the version with the fewest contradictions wins, unless one cannot be inspected', () => {
  const both = stated(
    { teller: ONE, digest: 'a', faults: 3 },
    { teller: TWO, digest: 'b', faults: 1 },
  );
  expect(both.soundestDigest).toBe('b');
  both.add({ teller: THREE, digest: 'c', faults: null });
  expect(both.soundestDigest).toBeNull();
  const equal = stated(
    { teller: ONE, digest: 'a', faults: 1 },
    { teller: TWO, digest: 'b', faults: 1 },
  );
  expect(equal.soundestDigest).toBeNull();
});
