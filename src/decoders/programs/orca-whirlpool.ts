/** Orca's concentrated-liquidity pools, program whirLbMi…. */
import { whirlpoolReaders } from '../families/whirlpool.ts';
import { whirlpoolLayout } from '../families/whirlpool-layout.ts';
import { venueDecoder } from '../legs/program-decoder.ts';

export const orcaWhirlpool = venueDecoder({
  name: 'orca_whirlpool',
  programId: 'whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc',
  layout: whirlpoolLayout,
  readers: whirlpoolReaders,
});
