import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slotFacts } from '../../tests/support/build-facts.ts';
import { asSlot } from '../model/units.ts';
import {
  type ClusterStep,
  decodeHead,
  encodeHead,
  STEP_VERSION,
  type StepHead,
} from './step-head.ts';
import { bodyOf, decodeMessage, encodeMessage, headOf } from './step-message.ts';

const FACTS: ClusterStep = {
  kind: 'facts',
  facts: {
    ...slotFacts(7, 1_700_000_000_000, []),
    blockhash: 'seven',
    previousBlockhash: 'six',
  },
};
const RANGE = { from: asSlot(3), to: asSlot(4) };
const STEPS: readonly ClusterStep[] = [
  FACTS,
  { kind: 'undo', toSlot: asSlot(6), toBlockhash: 'six' },
  { kind: 'final', slot: asSlot(7) },
  { kind: 'missing', ...RANGE, reason: 'no node has “them”\n' },
  { kind: 'dropped', ...RANGE },
  { kind: 'skipped', ...RANGE },
];
const around = (step: ClusterStep): StepHead => ({
  step: headOf(step),
  final: { slot: asSlot(2), blockhash: 'two' },
  lateSeq: 9,
  writer: 'w',
});

describe('messages of the log', () => {
  it('carry every kind of step without loss', () => {
    for (const step of STEPS) {
      const head = around(step);
      const decoded = decodeMessage(encodeMessage(head, bodyOf(step)));
      expect(decoded).toEqual({ kind: 'step', head, step });
    }
  });

  it('have a head that is one line of printable ASCII, as headers require', () => {
    for (const step of STEPS) expect(encodeHead(around(step))).toMatch(/^[\x20-\x7e]+$/);
  });

  it('without a head are foreign', () => {
    expect(decodeMessage({ head: null, body: Buffer.from('hello') })).toEqual({ kind: 'foreign' });
  });

  it('of a newer version name the way out', () => {
    const line = encodeHead(around(FACTS)).replace(`"version":${STEP_VERSION}`, '"version":2');
    expect(decodeHead(line)).toMatch(/version 2 .* update the replica/);
  });

  it('are unusable when the body is cut, of another block, or no facts', () => {
    const { head, body } = encodeMessage(around(FACTS), bodyOf(FACTS));
    const other = bodyOf({ ...FACTS, facts: { ...FACTS.facts, blockhash: 'other' } });
    for (const wrong of [
      body.subarray(0, body.length - 1),
      other,
      zstdCompressSync('[]'),
      Buffer.of(),
    ]) {
      expect(decodeMessage({ head, body: wrong }).kind).toBe('unusable');
    }
  });

  it('are unusable, and never an exception, whatever single character of the head is changed', () => {
    const { head, body } = encodeMessage(around(FACTS), bodyOf(FACTS));
    const line = head ?? '';
    fc.assert(
      fc.property(
        fc.nat(line.length - 1),
        fc.string({ minLength: 0, maxLength: 3 }),
        (at, text) => {
          const changed = line.slice(0, at) + text + line.slice(at + 1);
          const decoded = decodeMessage({ head: changed, body });
          // A changed writer or final hash is still a head; the block is checked against its facts.
          if (decoded.kind === 'step') expect(decoded.step).toEqual(FACTS);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('refuse a range that is reversed and a slot that cannot be', () => {
    const head = around({ kind: 'skipped', from: asSlot(4), to: asSlot(3) });
    expect(decodeHead(encodeHead(head))).toMatch(/reversed/);
    const line = encodeHead(around({ kind: 'final', slot: asSlot(7) }));
    expect(decodeHead(line.replace('"slot":7', '"slot":-7'))).toMatch(/other fields/);
  });
});
