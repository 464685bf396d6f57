/** Fluxbeam pools, program FLUXubRm…: the library's token swap with Token-2022 mints. */
import { splTokenSwapLayout, tokenSwapDecoder } from '../families/token-swap.ts';

export const fluxbeam = tokenSwapDecoder(
  'fluxbeam',
  'FLUXubRmkEi2q6K3Y9kBPg9248ggaZVsoSFhtJHSrm1X',
  splTokenSwapLayout,
);
