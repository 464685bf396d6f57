import { describe, expect, test } from 'vitest';
import { signatureNamed } from '../../tests/support/made-up-units.ts';
import type { ProgramOutcomes, SlotFacts, TransactionFacts } from '../model/slot-facts.ts';
import { asSlot } from '../model/units.ts';
import { mergeSlotFacts } from './merge-slot-facts.ts';

const outcomes = (event: number): ProgramOutcomes => ({
  event,
  ignored: 1,
  unknown: 0,
  malformed: 0,
  quarantined: 0,
});

function slot(isWhole: boolean, signatures: readonly string[], event = 1): SlotFacts {
  return {
    slot: asSlot(7),
    parentSlot: isWhole ? asSlot(6) : null,
    blockhash: isWhole ? 'hash' : null,
    previousBlockhash: null,
    blockTimeMs: isWhole ? 1_000 : null,
    isWhole,
    decoderVersion: 1,
    voteCount: 0,
    transactions: signatures.map(
      (signature, txIndex) =>
        ({
          signature: signatureNamed(signature),
          txIndex,
          isIndexKnown: isWhole,
        }) as TransactionFacts,
    ),
    outcomes: { pump: outcomes(event) },
    poolMovingCount: 2,
    explainedCount: 1,
    problems: [],
  };
}

const signaturesOf = (facts: SlotFacts) =>
  facts.transactions.map(({ signature, txIndex }) => `${txIndex} ${signature}`);

describe('two records of one slot', () => {
  test('loose transactions are merged, ordered by signature', () => {
    const one = mergeSlotFacts(slot(false, ['c', 'd']), slot(false, ['a', 'b']));
    const other = mergeSlotFacts(slot(false, ['a', 'b']), slot(false, ['c', 'd']));
    expect(signaturesOf(one)).toEqual(['0 a', '1 b', '2 c', '3 d']);
    expect(one.transactions).toEqual(other.transactions);
  });

  test('outcomes are summed, including programs of only one record', () => {
    const system = { ...slot(false, ['b'], 5), outcomes: { system: outcomes(5) } };
    expect(mergeSlotFacts(slot(false, ['a'], 2), system).outcomes).toEqual({
      pump: outcomes(2),
      system: outcomes(5),
    });
    expect(mergeSlotFacts(slot(false, ['a'], 2), slot(false, ['b'], 3)).outcomes.pump).toEqual({
      ...outcomes(5),
      ignored: 2,
    });
  });

  test('a whole block replaces the other record, in either order', () => {
    const whole = slot(true, ['a', 'b']);
    expect(mergeSlotFacts(whole, slot(false, ['z']))).toBe(whole);
    expect(mergeSlotFacts(slot(false, ['z']), whole)).toBe(whole);
  });

  test('a block time that only one record has is kept', () => {
    const timed = { ...slot(false, ['b']), blockTimeMs: 5_000 };
    expect(mergeSlotFacts(slot(false, ['a']), timed).blockTimeMs).toBe(5_000);
  });
});
