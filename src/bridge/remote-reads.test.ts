import { expect, test, vi } from 'vitest';
import { type Answers, methodOf, remoteReads } from './remote-reads.ts';

interface Reads {
  readonly sums: { add(one: number, other: number): Promise<number> };
  readonly names: { first(): Promise<string | null> };
}

class Sums {
  private readonly start = 100;

  add(one: number, other: number): number {
    return this.start + one + other;
  }
}

const answers: Answers<Reads> = { sums: new Sums(), names: { first: () => null } };

test('a read is sent by the names of its group and method, with its arguments', async () => {
  const send = vi.fn(async () => 3);
  const reads = remoteReads<Reads>(send);
  expect(await reads.sums.add(1, 2)).toBe(3);
  expect(send.mock.calls).toEqual([['sums.add', [1, 2]]]);
});

test('reads may be taken out of their group, and none of it is a promise', async () => {
  const send = vi.fn(async () => 'a');
  const reads = remoteReads<Reads>(send);
  const { first } = reads.names;
  expect(await first()).toBe('a');
  expect(await Promise.resolve(reads.names)).toBe(reads.names);
  expect(reads.names).toBe(reads.names);
  expect(send.mock.calls).toEqual([['names.first', []]]);
});

test('a read is answered by the method of its name, on the object that has it', () => {
  expect(methodOf(answers, 'sums.add')([1, 2])).toBe(103);
  expect(methodOf(answers, 'names.first')([])).toBeNull();
});

test.each(['sums', 'sums.subtract', 'others.add', 'toString.call', '', 'sums.start'])(
  'refuses %j, which is no read',
  (name) => {
    expect(() => methodOf(answers, name)).toThrow(`There is no read ${name}.`);
  },
);

test('what one side sends the other side answers', async () => {
  const reads = remoteReads<Reads>(async (name, args) => methodOf(answers, name)(args));
  expect([await reads.sums.add(2, 3), await reads.names.first()]).toEqual([105, null]);
});
