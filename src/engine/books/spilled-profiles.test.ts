import { describe, expect, test } from 'vitest';
import { copiedChunks } from '../../../tests/support/copied-chunks.ts';
import { walletStage, walletTrade } from '../../../tests/support/wallet-stage.ts';
import { WALLET_LAYOUT } from '../../fold/wallets/features/wallet-row.ts';
import { MemorySpill } from '../../fold/wallets/memory-spill.ts';
import { ByteReader } from '../../lib/byte-reader.ts';
import { GraphError } from '../../lib/graph-types.ts';
import { readProfiles, writeProfiles } from './spilled-profiles.ts';

/** Wallets that traded and are spilled but for the last `resident` of them. */
function spilled(wallets: number, resident = 0) {
  const stage = walletStage();
  for (let index = 0; index < wallets; index++) {
    stage.book.applyTrade(stage.wallet(`w${index}`), walletTrade(index));
  }
  stage.book.takeFlips();
  stage.book.evict(resident);
  return stage;
}

/** One profile, laid out by hand. */
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
  test('are written one after the other and read as they were', () => {
    const { spill } = spilled(3, 1);
    const chunks = copiedChunks(writeProfiles(spill));
    expect(Buffer.concat(chunks)).toHaveLength(2 * (2 + WALLET_LAYOUT.rowBytes) + 1);
    expect([...read(chunks).entries()]).toEqual([...spill.entries()]);
  });

  test('are an end and nothing else when there are none', () => {
    expect([...writeProfiles(new MemorySpill())]).toEqual([END]);
    expect(read([END], spilled(2, 2)).size).toBe(0);
  });

  test('come in chunks of a bounded size, whatever the numbers of the wallets are', () => {
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
    ['with a row that is cut off', [profile(0).subarray(0, 100)], 'a value is cut off'],
    ['that begin as nothing does', [Buffer.of(2)], 'no profile begins with 2'],
    ['out of order', [profile(1), profile(0), END], 'profiles are out of order'],
    ['of a wallet twice', [profile(0), profile(0), END], 'profiles are out of order'],
    ['of a wallet that has its own in memory', [profile(2), END], 'wallet 2 has no such profile'],
    ['of a wallet that is not known', [profile(9), END], 'wallet 9 has no such profile'],
    ['of which one is missing', [profile(0), END], '2 profiles are said and 1 are there'],
  ])('%s are no state', (_, chunks, message) => {
    expect(() => read(chunks)).toThrow(GraphError);
    expect(() => read(chunks)).toThrow(message);
  });
});
