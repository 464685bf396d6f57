/** Raydium concentrated-liquidity pools, program CAMMCzo5…. */
import { clmmReaders } from '../families/clmm.ts';
import { clmmLayout } from '../families/clmm-layout.ts';
import { venueDecoder } from '../legs/program-decoder.ts';

export const raydiumClmm = venueDecoder({
  name: 'raydium_clmm',
  programId: 'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK',
  layout: clmmLayout,
  readers: clmmReaders,
});
