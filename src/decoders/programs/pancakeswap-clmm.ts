/** PancakeSwap concentrated-liquidity pools, program HpNfyc2S…: Raydium's interface unchanged. */
import type { Address } from '../../model/units.ts';
import { clmmDecoder } from '../clmm.ts';
import { clmmLayout } from '../clmm-layout.ts';

export const pancakeswapClmm = clmmDecoder(
  'pancakeswap_clmm',
  'HpNfyc2Saw7RKkQd8nEL4khUcuPhQ7WwY1B2qjx8jxFq' as Address,
  clmmLayout,
);
