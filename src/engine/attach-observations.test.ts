import { describe, expect, test } from 'vitest';
import {
  metadataSet,
  slotFacts,
  supplyChange,
  transactionFacts,
} from '../../tests/support/build-facts.ts';
import { address } from '../../tests/support/build-transaction.ts';
import type { AccountObservation } from '../model/account-observation.ts';
import { SPL_TOKEN_PROGRAM } from '../model/program.ts';
import { asRawAmount, asSlot } from '../model/units.ts';
import { attachObservations } from './attach-observations.ts';
import { Engine } from './engine.ts';
import { mergeSlotFacts } from './merge-slot-facts.ts';

const mint = address('token-t');

function observed(contextSlot: number, of = mint): AccountObservation {
  return {
    kind: 'mintObserved',
    contextSlot: asSlot(contextSlot),
    mint: of,
    tokenProgram: SPL_TOKEN_PROGRAM,
    decimals: 6,
    supplyRaw: asRawAmount(1_000n),
    mintAuthority: null,
    freezeAuthority: null,
    extensions: [],
  };
}

/** Creates the token and mints 7 units of it. */
const facts = slotFacts(9, 9_000, [
  transactionFacts({
    txIndex: 0,
    events: [metadataSet({ mint, name: 'Moo' }), supplyChange('mintTo', mint, 7n, 1)],
  }),
]);

describe('account observations of a slot', () => {
  test('have a fixed order, independent of the order of reading', () => {
    const two = observed(8, address('two'));
    const orders = [
      attachObservations(facts, [observed(9), two, observed(8)]),
      attachObservations(attachObservations(facts, [two]), [observed(8), observed(9)]),
    ];
    for (const { observations } of orders) {
      expect(observations).toEqual([observed(8), two, observed(9)]);
    }
    expect(attachObservations(facts, [])).toBe(facts);
  });

  test('apply after the transactions of their slot and before those of later slots', () => {
    const engine = new Engine({ fallbackSolUsd: null });
    const changes = engine.apply(attachObservations(facts, [observed(9)]));
    expect(changes.tokens).toMatchObject([{ mint, supplyRaw: 1_000n, name: 'Moo' }]);
    const late = new Engine({ fallbackSolUsd: null });
    late.apply(
      slotFacts(8, 8_000, [transactionFacts({ txIndex: 0, events: [metadataSet({ mint })] })]),
    );
    late.apply(attachObservations(facts, [observed(8)]));
    expect(late.token(mint)?.supplyRaw).toBe(1_007n);
  });

  test('of a later slot are rejected without any change', () => {
    const engine = new Engine({ fallbackSolUsd: null });
    const before = engine.digest();
    expect(() => engine.apply(attachObservations(facts, [observed(10)]))).toThrow(RangeError);
    expect(engine.digest()).toBe(before);
  });

  test('are kept when a whole block replaces loose transactions', () => {
    const held = attachObservations({ ...facts, isWhole: false }, [observed(9)]);
    expect(mergeSlotFacts(held, facts).observations).toEqual([observed(9)]);
  });
});
