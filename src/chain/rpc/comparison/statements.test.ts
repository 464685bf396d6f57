import { expect, test } from 'vitest';
import { type Statement, Statements } from './statements.ts';

const [ONE, TWO, THREE] = ['one', 'two', 'three'].map((label) => ({ label })) as [
  Statement['teller'],
  Statement['teller'],
  Statement['teller'],
];

const LIAR = { label: 'liar' };

function told(...statements: (Pick<Statement, 'teller' | 'digest'> & Partial<Statement>)[]) {
  const all = new Statements(({ label }) => label !== 'liar');
  for (const statement of statements) all.add({ faults: null, ...statement });
  return all;
}

test('two who tell the same are believed, one against one is not', () => {
  const pair = told({ teller: ONE, digest: 'a' }, { teller: TWO, digest: 'b' });
  expect(pair.agreedDigest).toBeNull();
  pair.add({ teller: THREE, digest: 'b', faults: null });
  expect(pair.agreedDigest).toBe('b');
});

test('what somebody told first counts no more when it tells otherwise, but was told', () => {
  const all = told(
    { teller: ONE, digest: 'a' },
    { teller: TWO, digest: 'b' },
    { teller: ONE, digest: 'b' },
  );
  expect(all.agreedDigest).toBe('b');
  expect(all.refutedBy('b')).toEqual([{ teller: ONE, isRepeated: false }]);
});

test('two and two decide nothing', () => {
  const four = told(
    ...[ONE, TWO].map((teller) => ({ teller, digest: 'a' })),
    ...[THREE, { label: 'four' }].map((teller) => ({ teller, digest: 'b' })),
  );
  expect(four.agreedDigest).toBeNull();
});

test('the only witness is believed against one whose word counts no more', () => {
  const all = told({ teller: LIAR, digest: 'a' }, { teller: TWO, digest: 'b' });
  expect(all.agreedDigest).toBe('b');
  expect(all.refutedBy('b')).toEqual([{ teller: LIAR, isRepeated: true }]);
});

test('what contradicts itself least is soundest, unless something cannot be looked into', () => {
  const both = told(
    { teller: ONE, digest: 'a', faults: 3 },
    { teller: TWO, digest: 'b', faults: 1 },
  );
  expect(both.soundestDigest).toBe('b');
  both.add({ teller: THREE, digest: 'c', faults: null });
  expect(both.soundestDigest).toBeNull();
  const equal = told(
    { teller: ONE, digest: 'a', faults: 1 },
    { teller: TWO, digest: 'b', faults: 1 },
  );
  expect(equal.soundestDigest).toBeNull();
});
