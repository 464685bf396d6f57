import { expect, test } from 'vitest';
import { aFinding, anInvolvedWallet } from '../../../tests/support/build-finding.ts';
import type { FraudType } from '../../model/fraud.ts';
import type { Address } from '../../model/units.ts';
import { withoutRepeats } from './repeats.ts';

/** Of a cluster of its own, unless told. */
const found = (fraudType: FraudType, wallets: string, root = wallets) =>
  aFinding({
    fraudType,
    wallets: [...wallets].map((name) => anInvolvedWallet(name)),
    clusterRoot: root as Address,
  });

test('a crew is told once for a type, by its strongest finding', () => {
  const strongest = found('bundle_and_launder', 'abcdef');
  const halfOfIt = found('bundle_and_launder', 'abxy');
  const otherRound = found('bundle_and_launder', 'uvw', 'abcdef');
  expect(withoutRepeats([strongest, halfOfIt, otherRound])).toEqual([strongest]);
});

test('another pattern of the same crew, and another crew, are told beside it', () => {
  const strongest = found('bundle_and_launder', 'abcd');
  const otherType = found('wash_volume', 'abcd');
  const sharesTooFew = found('bundle_and_launder', 'axyz');
  const all = [strongest, otherType, sharesTooFew];
  expect(withoutRepeats(all)).toEqual(all);
});

test('what repeats a repeat is another one, unless it repeats what is told', () => {
  const told = found('late_bundle', 'abcd');
  const repeat = found('late_bundle', 'cdef');
  const further = found('late_bundle', 'efgh');
  expect(withoutRepeats([told, repeat, further])).toEqual([told, further]);
});

test('findings of several clusters that name nobody are all told', () => {
  const nobody = [found('wash_volume', '', 'a'), found('wash_volume', '', 'b')];
  expect(withoutRepeats(nobody)).toEqual(nobody);
});
