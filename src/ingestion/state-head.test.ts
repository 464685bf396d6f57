import { describe, expect, test } from 'vitest';
import { f1, fallbackSolUsd } from '../../tests/support/master-fixture.ts';
import { Engine } from '../engine/engine.ts';
import { asSlot } from '../model/units.ts';
import {
  decodeStateHead,
  encodeStateHead,
  foldVersionOf,
  stateRulesOf,
  storedDigestOf,
} from './state-head.ts';

/** An engine after a small market, and the description of a checkpoint of its state. */
function stored() {
  const engine = new Engine({ fallbackSolUsd });
  for (const facts of f1()) engine.apply(facts);
  const sums = engine.beginCheckpoint();
  const head = encodeStateHead({ sums, olderSlots: 3 });
  const rules = stateRulesOf('rules of the fold', engine);
  return {
    engine,
    sums,
    checkpoint: { slot: asSlot(9), blockhash: 'hash', timeMs: 0, rules, head },
  };
}

describe('the description of a stored state', () => {
  test('has its sums and its number of slots by older decoders', () => {
    const { sums, checkpoint } = stored();
    expect(decodeStateHead(checkpoint.head)).toEqual({ sums, olderSlots: 3 });
  });

  test('gives the digest and the parts without the state', () => {
    const { engine, checkpoint } = stored();
    const reader = new Engine({ fallbackSolUsd: null });
    expect(storedDigestOf(checkpoint, reader)).toEqual({
      slot: 9,
      blockhash: 'hash',
      digest: engine.digest(),
      parts: engine.parts(),
    });
  });

  test('gives no digest of a state with another layout', () => {
    const { engine, checkpoint } = stored();
    const other = { layout: `${engine.layout}, and more`, partNames: engine.partNames };
    expect(storedDigestOf(checkpoint, other)).toBeNull();
  });
});

test('folds whose states have other parts have another version, since their digests may differ', () => {
  const one = { layout: 'pools, tokens' };
  const other = { layout: 'pools, tokens, rule hits' };
  expect(foldVersionOf('fold 1', one)).toBe(foldVersionOf('fold 1', { ...one }));
  expect(foldVersionOf('fold 1', one)).not.toBe(foldVersionOf('fold 1', other));
  expect(foldVersionOf('fold 1', one)).not.toBe(foldVersionOf('fold 2', one));
});
