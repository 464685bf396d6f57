import type { Instruction } from '../../model/instruction.ts';
import type { RawAmount } from '../../model/units.ts';
import { type DecodeResult, events, IGNORED, malformed } from '../legs/decoder.ts';
import { deltaOf } from '../legs/swap-legs.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';
import { migrationEventLayout, readMigrationEvent } from './pump-migration-event.ts';

/** Accounts of a migration, as key indices. */
export interface MigrateAccounts {
  readonly mint: number;
  readonly curve: number;
  readonly baseVault: number;
  readonly pool: number;
}

/**
 * Reads the migration of a complete curve to a pool. Anyone may call it again on a migrated curve;
 * it then moves nothing and emits no event.
 */
export function decodePumpMigration(
  instruction: Instruction,
  view: TransactionView,
  at: MigrateAccounts,
): DecodeResult {
  if (Math.min(at.mint, at.curve, at.baseVault, at.pool) < 0) return malformed('too few accounts');
  const left = -deltaOf(view.tokenMovementsUnder(instruction), at.baseVault);
  const data = view.selfEventOf(instruction, migrationEventLayout.discriminator);
  if (data === null) return left === 0n ? IGNORED : malformed('a migration without its event');
  const event = readMigrationEvent(data);
  if (event === null) return malformed('CompletePumpAmmMigrationEvent ends inside its fields');
  const { baseRaw, quoteRaw } = event;
  if (left < baseRaw) return malformed(`event says ${baseRaw} tokens, ${left} left the curve`);
  return events({
    kind: 'migrate',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    venue: 'pump',
    mint: view.transaction.keys.at(at.mint),
    fromPool: view.transaction.keys.at(at.curve),
    toPool: view.transaction.keys.at(at.pool),
    baseRaw: baseRaw as RawAmount,
    quoteRaw: quoteRaw as RawAmount,
  });
}
