import { describe, expect, test } from 'vitest';
import { address, signature } from '../../tests/support/build-transaction.ts';
import { Random } from '../random/random.ts';
import { Mempool, type OrderGroup, type SignedOrder } from './mempool.ts';

const PAYER = address('payer');

function order(name: string, priority = 0): SignedOrder {
  const build = () => undefined;
  return {
    order: { feePayer: PAYER, priority, build },
    request: {
      signatures: [signature(name)],
      feePayer: PAYER,
      recentBlockhash: name,
      computeBudget: null,
      tables: null,
      build,
    },
  };
}

function namesOf(groups: readonly OrderGroup[]): string[] {
  return groups.map(({ members }) =>
    members.map(({ request }) => request.recentBlockhash).join('+'),
  );
}

function mempool(): Mempool {
  return new Mempool(new Random('mempool'));
}

describe('the mempool', () => {
  test('places orders that pay far more first, regardless of when they were sent', () => {
    const pool = mempool();
    pool.send([order('none')], 1);
    pool.send([order('much', 1e6)], 1);
    pool.send([order('some', 1e3)], 1);
    expect(namesOf(pool.take(2, 10).placed)).toEqual(['much', 'some', 'none']);
  });

  test('uses the highest priority of a bundle', () => {
    const pool = mempool();
    pool.send([order('some', 1e3)], 1);
    pool.send([order('a', 0), order('b', 1e9)], 1);
    expect(namesOf(pool.take(2, 10).placed)).toEqual(['a+b', 'some']);
  });

  test('puts a follower directly after its predecessor, the more urgent follower first', () => {
    const pool = mempool();
    const victim = pool.send([order('victim', 10)], 1);
    pool.send([order('other', 1e5)], 1);
    pool.send([order('late', 0)], 1, { behind: victim });
    const close = pool.send([order('close', 1e9)], 1, { behind: victim });
    pool.send([order('after', 1e12)], 1, { behind: close });
    expect(namesOf(pool.take(2, 10).placed)).toEqual(['other', 'victim', 'close', 'after', 'late']);
  });

  test('places a follower by itself if its predecessor is already in a block', () => {
    const pool = mempool();
    const first = pool.send([order('first')], 1);
    expect(namesOf(pool.take(1, 10).placed)).toEqual(['first']);
    pool.send([order('follower', 0)], 1, { behind: first });
    pool.send([order('urgent', 1e6)], 1);
    expect(namesOf(pool.take(2, 10).placed)).toEqual(['urgent', 'follower']);
  });

  test("does not exceed a block's capacity, and never includes part of a bundle", () => {
    const pool = mempool();
    pool.send([order('a', 1e9), order('b'), order('c')], 1);
    pool.send([order('d', 1e6), order('e')], 1);
    pool.send([order('f', 1e3)], 1);
    expect(namesOf(pool.take(2, 4).placed)).toEqual(['a+b+c', 'f']);
    expect(namesOf(pool.take(3, 4).placed)).toEqual(['d+e']);
    expect(pool.size).toBe(0);
  });

  test('keeps an order for 150 slots and drops it in the next', () => {
    const pool = mempool();
    pool.send([order('old')], 1_000);
    expect(pool.take(1_150, 0)).toEqual({ placed: [], expired: [] });
    const { placed, expired } = pool.take(1_151, 10);
    expect(namesOf(placed)).toEqual([]);
    expect(namesOf(expired)).toEqual(['old']);
    expect(pool.size).toBe(0);
  });

  test('rejects an empty bundle', () => {
    expect(() => mempool().send([], 1)).toThrow(RangeError);
  });

  test('takes orders of dropped blocks back', () => {
    const pool = mempool();
    pool.send([order('a', 1e6)], 1);
    pool.send([order('b')], 1);
    const { placed } = pool.take(2, 10);
    pool.putBack(placed.toReversed());
    expect(namesOf(pool.take(3, 10).placed)).toEqual(['a', 'b']);
  });
});
