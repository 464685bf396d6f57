/** Raydium concentrated-liquidity pools, program CAMMCzo5…. */
import type { Address } from '../../model/units.ts';
import { clmmDecoder } from '../families/clmm.ts';
import { clmmLayout } from '../families/clmm-layout.ts';

export const raydiumClmm = clmmDecoder(
  'raydium_clmm',
  'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK' as Address,
  clmmLayout,
);
