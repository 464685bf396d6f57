/**
 * Wallet profiles that were spilled from memory, as a snapshot stores them after the state graph.
 *
 * Layout: for each profile, in ascending order of wallet number: the tag PROFILE, the wallet number
 * as a count of graph-tags.ts, and the row. The tag END closes the section.
 */

import { WALLET_LAYOUT } from '../../fold/wallets/features/wallet-row.ts';
import type { WalletBook } from '../../fold/wallets/wallet-book.ts';
import type { ByteReader } from '../../lib/byte-reader.ts';
import { GraphError } from '../../lib/graph-types.ts';
import type { RowSpill } from '../../model/row-spill.ts';

const PROFILE = 1;
const END = 0;
const CHUNK_BYTES = 256 * 1_024;
/** A tag and a wallet number, which is below 2^35. */
const HEAD_BYTES = 6;

/**
 * Yields chunks of about 256 KiB, each ending at the end of a profile. The buffer is reused: a
 * chunk is valid only until the next one is requested.
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
 * Reads the profiles into an empty spill. Throws GraphError for malformed bytes and when the
 * profiles are not exactly those that `wallets` marks as spilled.
 */
export function readProfiles(bytes: ByteReader, wallets: WalletBook, spill: RowSpill): void {
  for (let before = -1; ; ) {
    const tag = bytes.tag();
    if (tag === END) break;
    if (tag !== PROFILE) throw new GraphError(`unknown tag of a profile: ${tag}`);
    const wallet = bytes.count();
    if (wallet <= before) throw new GraphError('profiles are out of order');
    if (!wallets.isSpilled(wallet)) throw new GraphError(`wallet ${wallet} has no spilled profile`);
    spill.put(wallet, bytes.bytes(WALLET_LAYOUT.rowBytes));
    before = wallet;
  }
  if (spill.size !== wallets.spilledCount) {
    throw new GraphError(`expected ${wallets.spilledCount} profiles, got ${spill.size}`);
  }
}
