import { BorshReader } from '../../model/borsh-reader.ts';
import { anchorEvent } from '../transaction/anchor-layout.ts';
import { EVENT_FIELDS_OFFSET } from '../transaction/transaction-view.ts';

/** The event of a curve's migration to a pump_amm pool. */
export const migrationEventLayout = anchorEvent('CompletePumpAmmMigrationEvent', [
  'user',
  'mint',
  'mint_amount',
  'sol_amount',
  'pool_migration_fee',
  'bonding_curve',
  'timestamp',
  'pool',
  'quote_mint',
]);

/** Initial amounts of the pool, in raw units; `quoteRaw` in the curve's quote. */
export interface PumpMigrationEvent {
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
}

/**
 * Reads the data of an event, including tag and discriminator; null when they end inside its
 * fields.
 */
export function readMigrationEvent(data: Uint8Array): PumpMigrationEvent | null {
  const reader = new BorshReader(data, EVENT_FIELDS_OFFSET);
  reader.skip(2 * KEY_BYTES);
  const baseRaw = reader.u64();
  const quoteRaw = reader.u64();
  reader.skip(U64_BYTES + KEY_BYTES + U64_BYTES + KEY_BYTES);
  if (reader.remaining > 0) reader.skip(KEY_BYTES);
  return reader.isShort ? null : { baseRaw, quoteRaw };
}

const KEY_BYTES = 32;
const U64_BYTES = 8;
