import { rowLayout } from '../../../lib/row-layout.ts';

/** Newest wallets of a row that are kept: some more than make a swarm, as some trade on. */
export const SWARM_RING = 16;

/** Single-use wallets that traded a mint by one skeleton within the last hour. */
export const SWARM_LAYOUT = rowLayout({
  /** Address id of the mint. */
  mint: 'u32',
  /** The part of the skeleton's hash by which the row is found. */
  skeleton: 'u32',
  /** Address ids of the newest wallets, and the time of the first trade of each, plus one. */
  wallets: ['u32', SWARM_RING],
  timesS: ['u32', SWARM_RING],
  lastS: 'u32',
  /** Queue of rows by last use. */
  older: 'u32',
  newer: 'u32',
  /** Where in the ring the next wallet goes. */
  next: 'u8',
});
