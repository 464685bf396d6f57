import { anchorEvent } from '../transaction/anchor-layout.ts';
import { readEvent } from '../transaction/self-event.ts';

/** The event of a curve's migration to a pump_amm pool. */
export const migrationEventLayout = anchorEvent(
  'CompletePumpAmmMigrationEvent',
  {
    user: 'pubkey',
    mint: 'pubkey',
    mint_amount: 'u64',
    sol_amount: 'u64',
    pool_migration_fee: 'u64',
    bonding_curve: 'pubkey',
    timestamp: 'i64',
    pool: 'pubkey',
  },
  { quote_mint: 'pubkey' },
);

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
  const event = readEvent(migrationEventLayout, data);
  return event === null ? null : { baseRaw: event.mint_amount, quoteRaw: event.sol_amount };
}
