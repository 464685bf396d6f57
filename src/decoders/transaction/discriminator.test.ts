import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hex } from '../../../tests/support/borsh-bytes.ts';
import {
  DiscriminatorTable,
  hasDiscriminator,
  isSelfEvent,
  SELF_EVENT_TAG,
} from './discriminator.ts';

const BUY = '66063d1201daebea';
const SELL = '33e685a4017f83ad';

describe('DiscriminatorTable', () => {
  const table = new DiscriminatorTable({ [BUY]: 'buy', [SELL]: 'sell' });

  test('finds the entry of the eight bytes at an offset', () => {
    expect(table.get(hex(`${BUY}00ff`))).toBe('buy');
    expect(table.get(hex(SELL))).toBe('sell');
    expect(table.get(hex(`0000${SELL}`), 2)).toBe('sell');
  });

  test('finds no other bytes', () => {
    expect(table.get(hex('66063d1201daebeb'))).toBeUndefined();
    expect(table.get(hex('66063d12017f83ad'))).toBeUndefined();
    expect(table.get(hex(BUY).subarray(0, 7))).toBeUndefined();
    expect(table.get(hex(BUY), 1)).toBeUndefined();
    expect(table.get(new Uint8Array(0))).toBeUndefined();
  });

  test('rejects entries that dispatch could confuse, and invalid discriminators', () => {
    expect(() => new DiscriminatorTable({ [BUY]: 1, '66063d1200000000': 2 })).toThrow('ambiguous');
    expect(() => new DiscriminatorTable({ '66063d12': 1 })).toThrow('not a discriminator');
    expect(() => new DiscriminatorTable({ '66063D1201DAEBEA': 1 })).toThrow('not a discriminator');
  });

  test('accepts any eight bytes, including high bits', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), (bytes) => {
        const digits = Buffer.from(bytes).toString('hex');
        expect(new DiscriminatorTable({ [digits]: 'it' }).get(bytes)).toBe('it');
        expect(hasDiscriminator(bytes, 0, digits)).toBe(true);
      }),
    );
  });
});

describe('a self-event', () => {
  test('begins with the tag Anchor derives from anchor:event, and names its event', () => {
    const derived = createHash('sha256').update('anchor:event').digest().subarray(0, 8);
    expect(Buffer.from(derived).reverse().toString('hex')).toBe(SELF_EVENT_TAG);
    expect(isSelfEvent(hex(SELF_EVENT_TAG + BUY))).toBe(true);
    expect(isSelfEvent(hex(SELF_EVENT_TAG))).toBe(false);
    expect(isSelfEvent(hex(BUY + SELF_EVENT_TAG))).toBe(false);
  });

  test('has its discriminator at an offset', () => {
    const data = hex(SELF_EVENT_TAG + BUY);
    expect(hasDiscriminator(data, 8, BUY)).toBe(true);
    expect(hasDiscriminator(data, 8, SELL)).toBe(false);
    expect(hasDiscriminator(data, 9, BUY)).toBe(false);
  });
});
