/** Saros pools, program SSwapUty…: the library's token swap. */
import type { Address } from '../../model/units.ts';
import { SPL_TOKEN_SWAP, tokenSwapDecoder } from '../families/token-swap.ts';

export const saros = tokenSwapDecoder(
  'saros',
  'SSwapUtytfBdBn1b9NUGG6foMVPtcWgpRU32HToDUZr' as Address,
  SPL_TOKEN_SWAP,
);
