import { rowLayout } from '../../lib/row-layout.ts';

/** Number of strongest inbound edges kept per wallet (METHODS §7.1). */
export const EDGES_MAX = 4;

/**
 * The payments to one wallet. A funder is an address id plus one, 0 for none. The `strength` of an
 * edge is the sum of its lamports, each weighted by its age as of `lastMs`.
 */
export const FUNDING_LAYOUT = rowLayout({
  wallet: 'u32',
  /** 1 once the wallet has traded; until then the row may be removed. */
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
