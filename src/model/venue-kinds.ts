import type { Venue } from './program.ts';

/** True for venues whose pools are bonding curves: one-sided, priced by virtual reserves. */
export function isCurveVenue(venue: Venue): boolean {
  return CURVE_VENUES.has(venue);
}

const CURVE_VENUES: ReadonlySet<Venue> = new Set<Venue>([
  'pump',
  'raydium_launchlab',
  'meteora_dbc',
  'moonshot',
  'boop',
]);

/**
 * True for venues with liquidity in price ranges, where the total reserves do not give the price.
 */
export function isRangeVenue(venue: Venue): boolean {
  return RANGE_VENUES.has(venue);
}

const RANGE_VENUES: ReadonlySet<Venue> = new Set<Venue>([
  'meteora_dlmm',
  'meteora_damm_v2',
  'raydium_clmm',
  'orca_whirlpool',
  'pancakeswap_clmm',
  'byreal_clmm',
  'fusion',
  'cropper_clmm',
]);
