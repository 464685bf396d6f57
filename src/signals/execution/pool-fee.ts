import type { Venue } from '../../model/program.ts';

/**
 * What a swap costs in a pool of each venue, in hundredths of a percent. Where pools choose their fee,
 * a common one of new tokens; for what is not listed the dearest.
 */
const FEE_BPS: Readonly<Partial<Record<Venue, number>>> = {
  pump: 125,
  pump_amm: 125,
  raydium_amm_v4: 25,
  raydium_launchlab: 125,
  orca_v1: 30,
  orca_v2: 30,
};
const DEAREST_BPS = 200;

export function poolFeeBps(venue: Venue): number {
  return FEE_BPS[venue] ?? DEAREST_BPS;
}
