import { expect, test } from 'vitest';
import { slotFacts } from '../../tests/support/build-facts.ts';
import { FindingRefusals, withRefusals } from './finding-refusals.ts';

/** A fold that knows what was applied to it, and can go back. */
function fold(finalSlot = -1, known: readonly string[] = []) {
  const refused = new Set(known);
  return { finalSlot, engine: { isFindingRefused: (id: string) => refused.has(id) } };
}

const facts = (slot: number) => slotFacts(slot, null, []);

test('a refusal goes with the next slot, and with no later one while the fold knows it', () => {
  const refusals = new FindingRefusals([]);
  refusals.add('one');
  expect(refusals.attach(facts(10), fold()).refusedFindings).toEqual(['one']);
  expect(refusals.attach(facts(11), fold(9, ['one'])).refusedFindings).toBeUndefined();
});

test('a refusal whose slot a fork took back goes with the next slot again', () => {
  const refusals = new FindingRefusals([]);
  refusals.add('one');
  refusals.attach(facts(10), fold());
  refusals.attach(facts(11), fold(9, ['one']));
  expect(refusals.attach(facts(12), fold(9)).refusedFindings).toEqual(['one']);
});

test('a refusal is forgotten once its slot is final', () => {
  const refusals = new FindingRefusals([]);
  refusals.add('one');
  refusals.attach(facts(10), fold());
  refusals.attach(facts(11), fold(9, ['one']));
  expect(refusals.size).toBe(1);
  refusals.attach(facts(12), fold(10, ['one']));
  expect(refusals.size).toBe(0);
});

test('after a restart only what the stored state lacks is sent', () => {
  const refusals = new FindingRefusals(['known', 'lost']);
  expect(refusals.attach(facts(10), fold(9, ['known'])).refusedFindings).toEqual(['lost']);
  expect(refusals.size).toBe(1);
});

test('a slot takes a thousand refusals, and the next one the rest', () => {
  const ids = Array.from({ length: 1_001 }, (_, at) => `id-${at}`);
  const refusals = new FindingRefusals(ids);
  const first = refusals.attach(facts(10), fold()).refusedFindings ?? [];
  expect(first).toHaveLength(1_000);
  expect(refusals.attach(facts(11), fold(9, first)).refusedFindings).toEqual(['id-1000']);
});

test('merged refusals are listed once', () => {
  const one = withRefusals(facts(10), ['a', 'b']);
  expect(withRefusals(one, ['b', 'c']).refusedFindings).toEqual(['a', 'b', 'c']);
  expect(withRefusals(one)).toBe(one);
});
