import type { Venue } from '../../model/program.ts';

/**
 * The swap fee of each venue, in hundredths of a percent. If a venue's pools choose their fee, a
 * common one of new tokens; venues not listed get the highest.
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
