/** Raydium concentrated-liquidity pools, program CAMMCzo5…. */
import type { Address } from '../../model/units.ts';
import { clmmDecoder } from '../clmm.ts';
import { clmmLayout } from '../clmm-layout.ts';

export const raydiumClmm = clmmDecoder(
  'raydium_clmm',
  'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK' as Address,
  clmmLayout,
);
