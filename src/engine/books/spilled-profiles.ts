/**
 * Profiles that memory had no room for, as a snapshot holds them behind the graph of all else.
 *
 * Layout: for each, by ascending number of its wallet, PROFILE, the number as a count of
 * graph-tags.ts, and the row; then END.
 */

import { WALLET_LAYOUT } from '../../fold/wallets/features/wallet-row.ts';
import type { WalletBook } from '../../fold/wallets/wallet-book.ts';
import type { ByteReader } from '../../lib/byte-reader.ts';
import { GraphError } from '../../lib/graph-types.ts';
import type { RowSpill } from '../../model/row-spill.ts';

const PROFILE = 1;
const END = 0;
const CHUNK_BYTES = 256 * 1_024;
/** A tag and a number of a wallet, of which there are fewer than 2^35. */
const HEAD_BYTES = 6;

/**
 * In chunks of about 256 KiB, each of which ends where a profile ends and is gone when the next one is
 * asked for.
 */
export function* writeProfiles(spill: RowSpill): Generator<Buffer> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let size = 0;
  for (const [wallet, row] of spill.entries()) {
    if (size + HEAD_BYTES + row.length > chunk.length) {
      yield chunk.subarray(0, size);
      size = 0;
    }
    chunk[size++] = PROFILE;
    let rest = wallet;
    for (; rest > 127; rest >>>= 7) chunk[size++] = (rest & 127) | 128;
    chunk[size++] = rest;
    chunk.set(row, size);
    size += row.length;
  }
  yield Buffer.concat([chunk.subarray(0, size), Buffer.of(END)]);
}

/**
 * Puts the profiles into an empty spill. Throws GraphError for bytes that are no such text, or not of
 * exactly the profiles that `wallets` does not hold itself.
 */
export function readProfiles(bytes: ByteReader, wallets: WalletBook, spill: RowSpill): void {
  for (let before = -1; ; ) {
    const tag = bytes.tag();
    if (tag === END) break;
    if (tag !== PROFILE) throw new GraphError(`no profile begins with ${tag}`);
    const wallet = bytes.count();
    if (wallet <= before) throw new GraphError('profiles are out of order');
    if (!wallets.isSpilled(wallet)) throw new GraphError(`wallet ${wallet} has no such profile`);
    spill.put(wallet, bytes.bytes(WALLET_LAYOUT.rowBytes));
    before = wallet;
  }
  if (spill.size !== wallets.spilledCount) {
    throw new GraphError(`${wallets.spilledCount} profiles are said and ${spill.size} are there`);
  }
}
