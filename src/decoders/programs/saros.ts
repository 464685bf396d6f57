/** Saros pools, program SSwapUty…: the library's token swap. */
import { splTokenSwapLayout, tokenSwapDecoder } from '../families/token-swap.ts';

export const saros = tokenSwapDecoder(
  'saros',
  'SSwapUtytfBdBn1b9NUGG6foMVPtcWgpRU32HToDUZr',
  splTokenSwapLayout,
);
