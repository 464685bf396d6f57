import fc from 'fast-check';
import { expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { asAddress } from '../../model/units.ts';
import { PoolNumbers } from './pool-numbers.ts';

const pools = Array.from({ length: 12 }, (_, index) => address(`pool ${index}`));
const mints = ['one', 'two', 'three'].map((name) => address(name));
const added = fc.uniqueArray(fc.record({ pool: fc.nat(11), mint: fc.nat(2) }), {
  selector: ({ pool }) => pool,
});

test('pools are listed by mint in order of first sight, and are forgotten by an undo', () => {
  fc.assert(
    fc.property(added, fc.nat(12), fc.nat(12), (drawn, keptMax, undoneMax) => {
      const undo = new UndoLog(1);
      const numbers = new PoolNumbers(new AddressIds(undo), undo);
      const add = (draft: (typeof drawn)[number]) =>
        numbers.add(asAddress(pools[draft.pool] ?? ''), asAddress(mints[draft.mint] ?? ''));
      const kept = drawn.slice(0, keptMax);
      const undone = drawn.slice(keptMax, keptMax + undoneMax);
      kept.forEach(add);
      expectListed(numbers, kept);
      undo.open();
      undone.forEach(add);
      undo.close();
      expectListed(numbers, [...kept, ...undone]);
      undo.undo();
      expectListed(numbers, kept);
      for (const draft of undone) expect(numbers.find(asAddress(pools[draft.pool] ?? ''))).toBe(-1);
    }),
  );
});

function expectListed(
  numbers: PoolNumbers,
  drafts: readonly { readonly pool: number; readonly mint: number }[],
): void {
  const known = drafts.map(({ pool }) => numbers.find(asAddress(pools[pool] ?? '')));
  expect(known).not.toContain(-1);
  expect(new Set(known).size).toBe(drafts.length);
  for (const [index, mint] of mints.entries()) {
    const listed: number[] = [];
    for (let next = numbers.firstOf(mint); next !== -1; next = numbers.after(next)) {
      listed.push(next);
    }
    expect(listed).toEqual(known.filter((_, at) => drafts[at]?.mint === index));
  }
}
