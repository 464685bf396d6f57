import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MintPools } from './mint-pools.ts';

const MINTS = 4;
/** Each step adds the pool to the mint, or removes it from the one that has it. */
const steps = fc.array(fc.record({ pool: fc.nat(11), mint: fc.nat(MINTS - 1) }), { maxLength: 80 });

test('each mint has the pools that were added and not removed', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const pools = new MintPools();
      const mintOf = new Map<number, number>();
      for (const { pool, mint } of all) {
        const known = mintOf.get(pool);
        if (known === undefined) {
          pools.add(mint, pool);
          mintOf.set(pool, mint);
        } else {
          pools.remove(known, pool);
          mintOf.delete(pool);
        }
      }
      for (let mint = 0; mint < MINTS; mint++) {
        const expected = [...mintOf].filter(([, of]) => of === mint).map(([pool]) => pool);
        expect([...pools.of(mint)].toSorted()).toEqual(expected.toSorted());
      }
    }),
  );
  expect([...new MintPools().of(-1)]).toEqual([]);
});
