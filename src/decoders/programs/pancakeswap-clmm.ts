/** PancakeSwap concentrated-liquidity pools, program HpNfyc2S…: Raydium's interface unchanged. */
import { clmmReaders } from '../families/clmm.ts';
import { clmmLayout } from '../families/clmm-layout.ts';
import { venueDecoder } from '../legs/program-decoder.ts';

export const pancakeswapClmm = venueDecoder({
  name: 'pancakeswap_clmm',
  programId: 'HpNfyc2Saw7RKkQd8nEL4khUcuPhQ7WwY1B2qjx8jxFq',
  layout: clmmLayout,
  readers: clmmReaders,
});
