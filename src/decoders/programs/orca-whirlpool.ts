/** Orca's concentrated-liquidity pools, program whirLbMi…. */
import type { Address } from '../../model/units.ts';
import { whirlpoolDecoder } from '../families/whirlpool.ts';
import { whirlpoolLayout } from '../families/whirlpool-layout.ts';

export const orcaWhirlpool = whirlpoolDecoder(
  'orca_whirlpool',
  'whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc' as Address,
  whirlpoolLayout,
);
