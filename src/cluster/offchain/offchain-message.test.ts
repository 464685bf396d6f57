import { describe, expect, it } from 'vitest';
import {
  decodeOffchain,
  encodeOffchain,
  type OffchainHead,
  PART_BYTES_MAX,
  PARTS_MAX,
  partsOf,
} from './offchain-message.ts';

const COMMON = { schema: 5, logId: 'log', id: 'one', writer: 'fold-0' };
const HEADS: readonly OffchainHead[] = [
  { ...COMMON, kind: 'claim', base: '' },
  { ...COMMON, kind: 'changes', claim: 7, part: 0, parts: 2 },
  { ...COMMON, kind: 'posts', part: PARTS_MAX - 1, parts: PARTS_MAX },
];
const NO_BODY = new Uint8Array();

function lineOf(head: Record<string, unknown>): string {
  return JSON.stringify({ version: 1, ...COMMON, ...head });
}

describe('messages of off-chain data', () => {
  it.each(HEADS)('are read as they were written: $kind', (head) => {
    const body = head.kind === 'claim' ? NO_BODY : Uint8Array.of(1, 2, 3);
    expect(decodeOffchain(encodeOffchain({ head, body }))).toEqual({ head, body });
  });

  it.each([
    ['no head', null],
    ['no JSON', '{'],
    ['another kind', lineOf({ kind: 'other' })],
    ['a field more', lineOf({ kind: 'claim', base: '', more: 1 })],
    ['a field of another kind', lineOf({ kind: 'claim', base: '', claim: 1 })],
    ['no claim', lineOf({ kind: 'changes', part: 0, parts: 1 })],
    ['a claim of no sequence', lineOf({ kind: 'changes', claim: 0, part: 0, parts: 1 })],
    ['a part beyond the last', lineOf({ kind: 'posts', part: 1, parts: 1 })],
    ['too many parts', lineOf({ kind: 'posts', part: 0, parts: PARTS_MAX + 1 })],
    ['a long name', lineOf({ kind: 'claim', base: '', writer: 'x'.repeat(201) })],
  ])('of other forms cannot be used: %s', (_, head) => {
    expect(decodeOffchain({ head, body: NO_BODY })).toMatchObject({ isNewer: false });
  });

  it('cannot have a body that is too long, or none of a claim', () => {
    const head = lineOf({ kind: 'posts', part: 0, parts: 1 });
    expect(decodeOffchain({ head, body: new Uint8Array(PART_BYTES_MAX) })).toHaveProperty('head');
    const long = decodeOffchain({ head, body: new Uint8Array(PART_BYTES_MAX + 1) });
    expect(long).toMatchObject({ isNewer: false });
    const claim = decodeOffchain({
      head: lineOf({ kind: 'claim', base: '' }),
      body: Uint8Array.of(1),
    });
    expect(claim).toMatchObject({ isNewer: false });
  });

  it('of a later version are told apart', () => {
    const head = JSON.stringify({ version: 2, anything: true });
    expect(decodeOffchain({ head, body: NO_BODY })).toMatchObject({ isNewer: true });
  });

  it('have as many parts as their bytes need, at most 64 MiB', () => {
    expect(partsOf(NO_BODY)).toEqual([NO_BODY]);
    const bytes = Uint8Array.from({ length: 2 * PART_BYTES_MAX + 1 }, (_, at) => at % 251);
    const parts = partsOf(bytes) ?? [];
    expect(parts.map(({ length }) => length)).toEqual([PART_BYTES_MAX, PART_BYTES_MAX, 1]);
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
    expect(partsOf(new Uint8Array(64 * 2 ** 20))).toHaveLength(128);
    expect(partsOf(new Uint8Array(64 * 2 ** 20 + 1))).toBeNull();
  });
});
