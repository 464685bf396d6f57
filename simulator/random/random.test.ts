import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Random } from './random.ts';

/** sfc32 as defined in its author's PractRand, in unbounded integers truncated to 32 bits. */
function* sfc32(seed: string): Generator<number> {
  const digest = createHash('sha256').update(seed).digest();
  const cut = (value: bigint) => BigInt.asUintN(32, value);
  let [a = 0n, b = 0n, c = 0n, counter = 0n] = [0, 4, 8, 12].map((at) =>
    BigInt(digest.readUInt32LE(at)),
  );
  counter |= 1n;
  for (;;) {
    const output = cut(a + b + counter);
    counter = cut(counter + 1n);
    a = b ^ (b >> 9n);
    b = cut(c + (c << 3n));
    c = cut(((c << 21n) | (c >> 11n)) + output);
    yield Number(output);
  }
}

describe('Random', () => {
  test('draws what the definition of sfc32 gives from the SHA-256 of the seed', () => {
    for (const seed of ['', 'mintscope', 'mintscope/keys', '1']) {
      const random = new Random(seed);
      const expected = sfc32(seed);
      for (let draw = 0; draw < 2_000; draw++) expect(random.uint32()).toBe(expected.next().value);
    }
  });

  test('gives a fork the same stream however much its parent has drawn', () => {
    const fresh = new Random('seed');
    const used = new Random('seed');
    for (let draw = 0; draw < 100; draw++) used.uint32();
    expect(used.fork('part').bytes(64)).toEqual(fresh.fork('part').bytes(64));
    expect(used.fork('part').bytes(64)).not.toEqual(used.fork('other').bytes(64));
    expect(new Random('other').fork('part').bytes(64)).not.toEqual(fresh.fork('part').bytes(64));
  });

  test('distributes numbers evenly: chi-squared of 64 cells stays below its 1-in-10,000 bound', () => {
    const random = new Random('uniform');
    const cells = new Array<number>(64).fill(0);
    const draws = 128_000;
    for (let draw = 0; draw < draws; draw++) {
      const cell = Math.floor(random.unit() * 64);
      cells[cell] = (cells[cell] ?? 0) + 1;
    }
    expect(cells.length).toBe(64);
    const expected = draws / 64;
    const chiSquared = cells.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // The 0.9999 quantile of chi-squared with 63 degrees of freedom.
    expect(chiSquared).toBeLessThan(112.4);
  });

  test('has the mean and spread of its distributions', () => {
    const random = new Random('moments');
    const count = 100_000;
    const draw = (from: () => number) => Array.from({ length: count }, from);
    const mean = (values: readonly number[]) =>
      values.reduce((sum, value) => sum + value, 0) / count;
    expect(mean(draw(() => random.exponential(7)))).toBeCloseTo(7, 0);
    const normal = draw(() => random.normal());
    expect(Math.abs(mean(normal))).toBeLessThan(0.02);
    expect(mean(normal.map((value) => value ** 2))).toBeCloseTo(1, 1);
    const logNormal = draw(() => random.logNormal(5, 1)).sort((one, other) => one - other);
    expect(logNormal[count / 2]).toBeCloseTo(5, 0);
    expect(mean(draw(() => (random.chance(0.3) ? 1 : 0)))).toBeCloseTo(0.3, 1);
  });

  test('shuffles every item to every index about equally often and loses none', () => {
    const random = new Random('shuffle');
    const counts = Array.from({ length: 4 }, () => [0, 0, 0, 0]);
    for (let round = 0; round < 24_000; round++) {
      const shuffled = random.shuffle([0, 1, 2, 3]);
      expect(new Set(shuffled).size).toBe(4);
      shuffled.forEach((item, index) => {
        const row = counts[item] ?? [];
        row[index] = (row[index] ?? 0) + 1;
      });
    }
    for (const row of counts) {
      for (const count of row) expect(Math.abs(count - 6_000)).toBeLessThan(400);
    }
  });

  test('rejects an empty list', () => {
    expect(() => new Random('x').pick([])).toThrow(RangeError);
  });
});
