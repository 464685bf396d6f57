import type { ServiceReads } from './service-reads.ts';

type ReadName = {
  [Group in keyof ServiceReads]: `${Group}.${keyof ServiceReads[Group] & string}`;
}[keyof ServiceReads];

/**
 * Reads that change nothing and are as of the newest slot when they begin: what they read of the
 * store and the unwritten slots afterwards is that of the same slot.
 */
const READS_OF_STATE: ReadonlySet<string> = new Set<ReadName>([
  'rows.current',
  'tokens.holderPage',
  'tokens.topTraders',
  'tokens.firstBuyers',
  'tokens.holderCounts',
  'tokens.search',
  'pools.list',
  'pools.listing',
  'wallets.find',
  'wallets.positions',
  'wallets.links',
  'wallets.createdTokens',
  'batches.pools',
  'batches.wallets',
  'batches.fraudChecks',
  'trades.page',
  'candles.read',
]);

/** Whether a call of this name (`group.method`) may be answered while a slot is applied. */
export function isReadOfState(name: string): boolean {
  return READS_OF_STATE.has(name);
}
