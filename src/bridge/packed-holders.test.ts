import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { named } from '../../tests/support/made-up-units.ts';
import type { HolderBalance } from '../model/derived.ts';
import { packHolders, unpackHolders } from './packed-holders.ts';

const MINT = named('mint');
const holder = fc.record({
  owner: fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/),
  balanceRaw: fc.bigInt({ min: 1n, max: 2n ** 70n }),
  isPool: fc.boolean(),
  firstSeenMs: fc.option(fc.nat()),
  slot: fc.nat(),
});

describe('packed holders', () => {
  test('are the same, in the same order, after being passed to another thread', () => {
    fc.assert(
      fc.property(fc.array(holder, { maxLength: 100 }), (rows) => {
        const holders = rows.map((row) => ({ mint: MINT, ...row })) as HolderBalance[];
        const received = structuredClone(packHolders(MINT, holders));
        expect(unpackHolders(received)).toEqual(holders);
        expect(unpackHolders(received)).toBe(unpackHolders(received));
      }),
    );
  });
});
