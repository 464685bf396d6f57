import { describe, expect, test } from 'vitest';
import { copiedChunks } from '../../../tests/support/copied-chunks.ts';
import { walletStage, walletTrade } from '../../../tests/support/wallet-stage.ts';
import { WALLET_LAYOUT } from '../../fold/wallets/features/wallet-row.ts';
import { MemorySpill } from '../../fold/wallets/memory-spill.ts';
import { ByteReader } from '../../lib/byte-reader.ts';
import { GraphError } from '../../lib/graph-types.ts';
import { readProfiles, writeProfiles } from './spilled-profiles.ts';

/** Wallets that traded, all spilled except the last `resident` ones. */
function spilled(wallets: number, resident = 0) {
  const stage = walletStage();
  for (let index = 0; index < wallets; index++) {
    stage.book.applyTrade(stage.wallet(`w${index}`), walletTrade(index));
  }
  stage.book.takeFlips();
  stage.book.evict(resident);
  return stage;
}

/** The bytes of one profile. */
function profile(wallet: number): Buffer {
  return Buffer.concat([Buffer.of(1, wallet), Buffer.alloc(WALLET_LAYOUT.rowBytes, 7)]);
}

const END = Buffer.of(0);

function read(chunks: readonly Uint8Array[], { book } = spilled(3, 1)) {
  const spill = new MemorySpill();
  readProfiles(new ByteReader(chunks), book, spill);
  return spill;
}

describe('profiles that were spilled', () => {
  test('are read back unchanged', () => {
    const { spill } = spilled(3, 1);
    const chunks = copiedChunks(writeProfiles(spill));
    expect(Buffer.concat(chunks)).toHaveLength(2 * (2 + WALLET_LAYOUT.rowBytes) + 1);
    expect([...read(chunks).entries()]).toEqual([...spill.entries()]);
  });

  test('are written as the end tag only when there are none', () => {
    expect([...writeProfiles(new MemorySpill())]).toEqual([END]);
    expect(read([END], spilled(2, 2)).size).toBe(0);
  });

  test('are written in chunks of bounded size, for any wallet numbers', () => {
    const ids = [0, 127, 128, 16_383, 16_384, 2 ** 31, 2 ** 32 - 2];
    const spill = new MemorySpill();
    const row = new Uint8Array(WALLET_LAYOUT.rowBytes).fill(9);
    for (const id of ids) spill.put(id, row);
    for (let id = 1_000; id < 3_000; id++) spill.put(id, row);
    const chunks = copiedChunks(writeProfiles(spill));
    expect(chunks.length).toBeGreaterThan(2);
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(256 * 1_024 + 1);
    const bytes = new ByteReader(chunks);
    const found: number[] = [];
    while (bytes.tag() === 1) {
      found.push(bytes.count());
      expect(bytes.bytes(row.length)).toEqual(row);
    }
    bytes.assertEnd();
    expect(found.filter((id) => ids.includes(id))).toEqual(ids);
    expect(found).toHaveLength(ids.length + 2_000);
  });

  test.each([
    ['that end early', [profile(0), profile(1)], 'the bytes end early'],
    ['with a truncated row', [profile(0).subarray(0, 100)], 'a value is cut off'],
    ['with an unknown tag', [Buffer.of(2)], 'unknown tag of a profile: 2'],
    ['out of order', [profile(1), profile(0), END], 'profiles are out of order'],
    ['of a wallet twice', [profile(0), profile(0), END], 'profiles are out of order'],
    ['of a wallet in memory', [profile(2), END], 'wallet 2 has no spilled profile'],
    ['of an unknown wallet', [profile(9), END], 'wallet 9 has no spilled profile'],
    ['with one missing', [profile(0), END], 'expected 2 profiles, got 1'],
  ])('are rejected: %s', (_, chunks, message) => {
    expect(() => read(chunks)).toThrow(GraphError);
    expect(() => read(chunks)).toThrow(message);
  });
});
