/** PancakeSwap concentrated-liquidity pools, program HpNfyc2S…: Raydium's interface unchanged. */
import type { Address } from '../../model/units.ts';
import { clmmDecoder } from '../families/clmm.ts';
import { clmmLayout } from '../families/clmm-layout.ts';

export const pancakeswapClmm = clmmDecoder(
  'pancakeswap_clmm',
  'HpNfyc2Saw7RKkQd8nEL4khUcuPhQ7WwY1B2qjx8jxFq' as Address,
  clmmLayout,
);
