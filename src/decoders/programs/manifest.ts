/**
 * Manifest order books, program MNFSTqtC….
 *
 * A swap takes from the book and is settled immediately: its legs are the transfers between the
 * trader's accounts and the market's two vaults. Tokens that a maker's global order moved into a
 * vault meanwhile are not a leg. Makers' orders, deposits and withdrawals move tokens without being
 * trades. Tags and account orders are from the published source.
 */
import { type Decoder, IGNORED, unknown } from '../legs/decoder.ts';
import { swapOnlyDecoder } from '../legs/swap-only.ts';

const swaps = swapOnlyDecoder({
  name: 'manifest',
  programId: 'MNFSTqtC93rEfYHB6hF82sKdZpUDFWkViLByLd1k1Ms',
  swaps: [
    { tag: '04', user: 0, pool: 1, userAccounts: [3, 4], vaults: [5, 6] },
    { tag: '0d', user: 1, pool: 2, userAccounts: [4, 5], vaults: [6, 7] },
  ],
  tagBytes: 1,
  countsUserTransfersOnly: true,
});

const SWAP = 4;
const SWAP_V2 = 13;
/** All other tags up to this one are of markets, seats, orders and global accounts. */
const LAST_TAG = 13;

export const manifest: Decoder = {
  ...swaps,
  decode(instruction, view) {
    const tag = instruction.data[0];
    if (tag === undefined || tag > LAST_TAG) return unknown(instruction.data, 1);
    return tag === SWAP || tag === SWAP_V2 ? swaps.decode(instruction, view) : IGNORED;
  },
};
