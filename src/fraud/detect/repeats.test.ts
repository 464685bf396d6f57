import { expect, test } from 'vitest';
import { aFinding, anInvolvedWallet } from '../../../tests/support/build-finding.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import type { FraudType } from '../../model/fraud.ts';
import { withoutRepeats } from './repeats.ts';

/** A finding, by default of its own cluster. */
const found = (fraudType: FraudType, wallets: string, root = wallets) =>
  aFinding({
    fraudType,
    wallets: [...wallets].map((name) => anInvolvedWallet(name)),
    clusterRoot: named(root),
  });

test('a crew is reported once per type, by its strongest finding', () => {
  const strongest = found('bundle_and_launder', 'abcdef');
  const halfOfIt = found('bundle_and_launder', 'abxy');
  const otherRound = found('bundle_and_launder', 'uvw', 'abcdef');
  expect(withoutRepeats([strongest, halfOfIt, otherRound])).toEqual([strongest]);
});

test('another pattern of the same crew, and another crew, are kept', () => {
  const strongest = found('bundle_and_launder', 'abcd');
  const otherType = found('wash_volume', 'abcd');
  const sharesTooFew = found('bundle_and_launder', 'axyz');
  const all = [strongest, otherType, sharesTooFew];
  expect(withoutRepeats(all)).toEqual(all);
});

test('a finding that repeats only a removed one is kept', () => {
  const reported = found('late_bundle', 'abcd');
  const repeat = found('late_bundle', 'cdef');
  const further = found('late_bundle', 'efgh');
  expect(withoutRepeats([reported, repeat, further])).toEqual([reported, further]);
});

test('findings of several clusters without wallets are all kept', () => {
  const unnamed = [found('wash_volume', '', 'a'), found('wash_volume', '', 'b')];
  expect(withoutRepeats(unnamed)).toEqual(unnamed);
});
