import { describe, expect, test } from 'vitest';
import { linesOf, type OwnStates, outputOf, statesOf } from './digest-output.ts';
import type { ServiceDigests } from './service-digests.ts';

const PARTS = [
  { name: 'tokens', sum: '1' },
  { name: 'pools', sum: '2' },
];

/** A service with these digests, and its parts as of the newest slot. */
function serviceWith(digests: Readonly<Record<number, string>>, parts = PARTS): ServiceDigests {
  const entries = Object.entries(digests).map(([slot, text]) => [Number(slot), text] as const);
  const [slot, digest] = entries.at(-1) ?? [0, ''];
  return { state: { slot, digest, parts }, digests: new Map(entries) };
}

function own(digests: Readonly<Record<number, string>>): OwnStates {
  return { name: 'one:8080', states: statesOf(serviceWith(digests)) };
}

function compared(
  digests: Readonly<Record<number, string>>,
  others: Readonly<Record<number, string>>,
  { atSlot = null as number | null, parts = PARTS } = {},
) {
  const output = outputOf(own(digests), atSlot, {
    name: 'two:8080',
    digests: serviceWith(others, parts),
  });
  return { output, lines: linesOf(output, 'two:8080') };
}

describe('two services', () => {
  test('are the same where every slot in common is', () => {
    const { output, lines } = compared({ 300: 'c', 600: 'f', 900: 'i' }, { 300: 'c', 600: 'f' });
    expect(output).toEqual({
      ...{ slot: 600, blockhash: null, digest: 'f', parts: null, slots: [900, 600, 300] },
      compared: {
        ...{ slot: 600, is_same: true, service_digest: 'f', differing_parts: [] },
        ...{ slots_compared: 2, oldest_slot: 300, newest_same_slot: 600, first_different: null },
      },
    });
    expect(lines.slice(3)).toEqual([
      'compared   2 slots, 300 to 600',
      'same       two:8080 has this digest at slot 600',
    ]);
  });

  test('differ from a slot on, with the parts of the newest one', () => {
    const { output, lines } = compared(
      { 300: 'c', 600: 'f', 900: 'i', 1200: 'l' },
      { 300: 'c', 600: 'f', 900: 'x', 1200: 'y' },
      { parts: [{ name: 'tokens', sum: '1' }] },
    );
    expect(output.compared).toEqual({
      ...{ slot: 1_200, is_same: false, service_digest: 'y', differing_parts: ['pools'] },
      ...{ slots_compared: 4, oldest_slot: 300, newest_same_slot: 600 },
      first_different: { slot: 900, digest: 'i', service_digest: 'x', differing_parts: null },
    });
    expect(lines.slice(5)).toEqual([
      'compared   4 slots, 300 to 1200',
      'same       at slot 600, the newest that is equal',
      'different  two:8080 has x at slot 900, the first that differs',
      'differs    pools, at slot 1200',
    ]);
  });

  test('differ where an earlier slot does, though the newest is equal', () => {
    const { output, lines } = compared({ 300: 'c', 600: 'f' }, { 300: 'x', 600: 'f' });
    expect(output.compared).toMatchObject({ is_same: false, newest_same_slot: 600 });
    expect(lines.slice(-2)).toEqual([
      'same       two:8080 has this digest at slot 600',
      'different  two:8080 has x at slot 300, the first that differs',
    ]);
  });

  test('are compared at a named slot alone', () => {
    const { output, lines } = compared(
      { 300: 'c', 600: 'f' },
      { 300: 'x', 600: 'f' },
      { atSlot: 300 },
    );
    expect(output.compared).toMatchObject({ slot: 300, slots_compared: 1, is_same: false });
    expect(lines.slice(3)).toEqual([
      'compared   slot 300',
      'same       at no slot',
      'different  two:8080 has x at slot 300, the first that differs',
    ]);
  });

  test('with texts that would control a terminal are printed as escapes', () => {
    const { lines } = compared({ 300: 'c' }, { 300: '\u001b[2J' });
    expect(lines.join('')).toContain('two:8080 has \\u001b[2J at slot 300');
  });

  test.each([
    [
      'without a slot in common',
      { 300: 'c' },
      { 600: 'f' },
      'one:8080 and two:8080 have no slot in common: one:8080 has 300; two:8080 has 600. ' +
        'Repeat it after the next checkpoint.',
    ],
    [
      'of many slots',
      Object.fromEntries(Array.from({ length: 12 }, (_, index) => [index, 'c'])),
      { 600: 'f' },
      'one:8080 has 11, 10, 9, 8, 7, 6, 5, 4 and 4 more down to 0; two:8080 has 600.',
    ],
  ])('%s cannot be compared', (_, digests, others, message) => {
    expect(() => compared(digests, others)).toThrow(message);
  });

  test('of which one has no digest cannot be compared', () => {
    const other = { name: 'two:8080', digests: { state: null, digests: new Map() } };
    expect(() => outputOf(own({ 300: 'c' }), null, other)).toThrow('two:8080 has none.');
    const empty = { name: 'the service', states: statesOf(other.digests) };
    expect(() => outputOf(empty, null, null)).toThrow('The service has no state yet.');
  });
});
