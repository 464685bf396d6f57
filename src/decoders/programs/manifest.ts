/**
 * Manifest order books, program MNFSTqtC….
 *
 * A swap takes from the book and is paid at once: what passed between the trader's accounts and the
 * market's two vaults. Tokens that a global order of a maker brought into a vault meanwhile are no
 * leg of it. Makers' orders, deposits and withdrawals move tokens and are no trades. Tags and account
 * orders are those of the published source.
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
/** Tags of markets, seats, orders and global accounts lie between these and beside the swaps. */
const LAST_TAG = 13;

export const manifest: Decoder = {
  ...swaps,
  decode(instruction, view) {
    const tag = instruction.data[0];
    if (tag === undefined || tag > LAST_TAG) return unknown(instruction.data, 1);
    return tag === SWAP || tag === SWAP_V2 ? swaps.decode(instruction, view) : IGNORED;
  },
};
