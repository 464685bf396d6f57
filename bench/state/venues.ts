import type { Venue } from '../../src/model/program.ts';
import { type Address, asAddress } from '../../src/model/units.ts';

/** A program that makes markets, as the generator uses it. */
export interface VenueForm {
  readonly venue: Venue;
  readonly programId: Address;
  /** Owner of the vaults of all its pools; null if each pool owns its own. */
  readonly authority: Address | null;
  /** Fees of a trade, taken from its quote; of a curve they leave the curve. */
  readonly feeBps: number;
  /** Part of the trades or launches that it gets. */
  readonly weight: number;
}

const PUMP = {
  venue: 'pump',
  programId: asAddress('6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P'),
  authority: null,
  feeBps: 125,
  weight: 84,
} as const;

/** Launchpads. All sell along the same constant product. */
export const CURVES: readonly VenueForm[] = [
  PUMP,
  {
    venue: 'raydium_launchlab',
    programId: asAddress('LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj'),
    authority: asAddress('WLHv2UAZm6z4KyaaELi5pjdbJh6RESMva1Rnn8pJVVh'),
    feeBps: 125,
    weight: 9,
  },
  {
    venue: 'meteora_dbc',
    programId: asAddress('dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN'),
    authority: asAddress('FhVo3mqL8PW5pH5U2CN4XE33DokiyZnUwuGpH2hmHLuM'),
    feeBps: 100,
    weight: 7,
  },
];

/** Where curves migrate to, and where established mints trade. */
export const POOLS: readonly VenueForm[] = [
  {
    venue: 'pump_amm',
    programId: asAddress('pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA'),
    authority: null,
    feeBps: 30,
    weight: 44,
  },
  {
    venue: 'raydium_amm_v4',
    programId: asAddress('675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8'),
    authority: asAddress('5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1'),
    feeBps: 25,
    weight: 20,
  },
  {
    venue: 'raydium_cpmm',
    programId: asAddress('CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C'),
    authority: asAddress('GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL'),
    feeBps: 25,
    weight: 10,
  },
  {
    venue: 'meteora_dlmm',
    programId: asAddress('LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo'),
    authority: null,
    feeBps: 30,
    weight: 10,
  },
  {
    venue: 'orca_whirlpool',
    programId: asAddress('whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc'),
    authority: null,
    feeBps: 30,
    weight: 8,
  },
  {
    venue: 'raydium_clmm',
    programId: asAddress('CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK'),
    authority: null,
    feeBps: 25,
    weight: 8,
  },
];

/** Index of a venue for a number in [0, 1), by weight. */
export function drawVenue(venues: readonly VenueForm[], share: number): number {
  let left = share * 100;
  for (const [index, { weight }] of venues.entries()) {
    if (left < weight) return index;
    left -= weight;
  }
  return 0;
}
