/** Fluxbeam pools, program FLUXubRm…: the library's token swap with Token-2022 mints. */
import type { Address } from '../../model/units.ts';
import { SPL_TOKEN_SWAP, tokenSwapDecoder } from '../families/token-swap.ts';

export const fluxbeam = tokenSwapDecoder(
  'fluxbeam',
  'FLUXubRmkEi2q6K3Y9kBPg9248ggaZVsoSFhtJHSrm1X' as Address,
  SPL_TOKEN_SWAP,
);
