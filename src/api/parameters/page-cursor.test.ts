import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeBase58 } from '../../lib/base58.ts';
import { ApiError } from '../../model/errors.ts';
import { asAddress, asRawAmount, asSlot } from '../../model/units.ts';
import { CLONE_CURSOR, HOLDER_CURSOR, tradeCursor } from './list-cursors.ts';
import { CURSOR_LENGTH_MAX, type CursorFilters, pageCursor } from './page-cursor.ts';

const address = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => asAddress(encodeBase58(bytes)));
const trade = fc.record({
  timeMs: fc.maxSafeNat(),
  slot: fc.nat(2 ** 31 - 1).map(asSlot),
  txIndex: fc.nat(2 ** 31 - 1),
  outerIx: fc.nat(65_535),
  innerIx: fc.integer({ min: -32_768, max: 32_767 }),
  pool: address,
});
const TRADES = tradeCursor('trades');
const FILTERS: CursorFilters = { mint: 'a', side: null, least: 5n };
const refused = new ApiError(400, 'cursor must be one returned by an earlier page.');

describe('cursors of pages', () => {
  test('are read as the position that was written, and fit their maximum length', () => {
    fc.assert(
      fc.property(trade, address, fc.bigInt(0n, 2n ** 127n - 1n), (position, owner, amount) => {
        const text = TRADES.write(position, FILTERS);
        expect(TRADES.read(text, FILTERS)).toEqual(position);
        const holder = { balanceRaw: asRawAmount(amount), owner };
        const ofHolder = HOLDER_CURSOR.write(holder, {});
        expect(HOLDER_CURSOR.read(ofHolder, {})).toEqual(holder);
        const clone = { createdSlot: position.slot, mint: owner };
        expect(CLONE_CURSOR.read(CLONE_CURSOR.write(clone, {}), {})).toEqual(clone);
        expect(Math.max(text.length, ofHolder.length)).toBeLessThanOrEqual(CURSOR_LENGTH_MAX);
        expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
      }),
    );
  });

  test('are the first page when there is none', () => {
    expect(TRADES.read(undefined, FILTERS)).toBeNull();
  });

  test('are refused for other filters, another endpoint and another version', () => {
    fc.assert(
      fc.property(trade, (position) => {
        const text = TRADES.write(position, FILTERS);
        for (const filters of [{ ...FILTERS, side: 'buy' }, { ...FILTERS, least: 6n }, {}]) {
          expect(() => TRADES.read(text, filters)).toThrow(refused);
        }
        expect(() => tradeCursor('wallet-trades').read(text, FILTERS)).toThrow(refused);
        expect(() => HOLDER_CURSOR.read(text, FILTERS)).toThrow(refused);
      }),
    );
    const format = {
      endpoint: 'list',
      toParts: (text: string) => [text],
      toPosition: ([text = '']: readonly string[]) => text,
    };
    const first = pageCursor({ ...format, version: 1 });
    const second = pageCursor({ ...format, version: 2 });
    expect(first.read(first.write('here', {}), {})).toBe('here');
    expect(() => second.read(first.write('here', {}), {})).toThrow(refused);
  });

  test('are refused when any character is changed, removed or added', () => {
    const at = (text: string, index: number) => text.slice(0, index);
    fc.assert(
      fc.property(trade, fc.nat(), fc.constantFrom(...'aZ9_-'), (position, place, letter) => {
        const text = TRADES.write(position, FILTERS);
        const index = place % text.length;
        const rest = text.slice(index + 1);
        const changed = [at(text, index) + rest, `${at(text, index)}${letter}${text.slice(index)}`];
        if (text[index] !== letter) changed.push(at(text, index) + letter + rest);
        for (const other of changed) expect(() => TRADES.read(other, FILTERS)).toThrow(refused);
      }),
    );
  });

  test('are refused for any other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(() => TRADES.read(text, FILTERS)).toThrow(refused);
        const encoded = Buffer.from(`1.trades.${text}`).toString('base64url');
        expect(() => TRADES.read(encoded, FILTERS)).toThrow(refused);
      }),
    );
  });

  test.each([
    ['a time that is no number', ['x', '1', '0', '0', '-1']],
    ['a slot beyond all slots', ['1', String(2 ** 40), '0', '0', '-1']],
    ['an index below the column', ['1', '1', '-1', '0', '-1']],
    ['an instruction beyond the column', ['1', '1', '0', '65536', '-1']],
    ['an inner instruction beyond the column', ['1', '1', '0', '0', '32768']],
    ['a part that is missing', ['1', '1', '0', '0']],
  ])('are refused with %s even with the right hash', (_what, parts) => {
    const made = pageCursor<readonly string[]>({
      ...{ endpoint: 'trades', version: 1 },
      toParts: (given) => given,
      toPosition: (given) => given,
    });
    const text = made.write([...parts, encodeBase58(new Uint8Array(32))], FILTERS);
    expect(() => TRADES.read(text, FILTERS)).toThrow(refused);
  });
});
