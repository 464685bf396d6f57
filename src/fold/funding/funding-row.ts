import { rowLayout } from '../../lib/row-layout.ts';

/** Strongest inbound edges that are kept of a wallet (METHODS §7.1). */
export const EDGES_MAX = 4;

/**
 * Who paid a wallet. Funders are numbers plus one, 0 for none. Of an edge `strength` is the sum of
 * its lamports, each weighed by its age as of `lastMs`.
 */
export const FUNDING_LAYOUT = rowLayout({
  wallet: 'u32',
  /** 1 once the wallet traded: until then it may be forgotten. */
  isTrader: 'u8',
  firstFunder: 'u32',
  firstSlot: 'u32',
  firstMs: 'f64',
  firstLamports: 'u64',
  funder: ['u32', EDGES_MAX],
  strength: ['f64', EDGES_MAX],
  lamports: ['f64', EDGES_MAX],
  sinceMs: ['f64', EDGES_MAX],
  lastMs: ['f64', EDGES_MAX],
});
