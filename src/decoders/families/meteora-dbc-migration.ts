import type { Instruction } from '../../model/instruction.ts';
import type { RawAmount } from '../../model/units.ts';
import { type DecodeResult, events, malformed } from '../legs/decoder.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

/** Accounts of a migration, as key indices; `vaults` are those of the new pool. */
export interface DbcMigrationAccounts {
  readonly virtual_pool: number;
  readonly pool: number;
  readonly base_mint: number;
  readonly base_vault: number;
  readonly quote_vault: number;
  readonly vaults: readonly number[];
}

/**
 * The migration of a curve: the amounts that the new pool's vaults received from the curve's
 * vaults.
 */
export function decodeDbcMigration(
  { vaults, ...at }: DbcMigrationAccounts,
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  if (Math.min(...Object.values(at)) < 0) return malformed('too few accounts');
  let baseRaw = 0n;
  let quoteRaw = 0n;
  for (const movement of view.tokenMovementsWithin(instruction)) {
    if (!vaults.includes(movement.destination)) continue;
    const received = movement.amount - (movement.fee ?? 0n);
    if (movement.source === at.base_vault) baseRaw += received;
    if (movement.source === at.quote_vault) quoteRaw += received;
  }
  if (baseRaw === 0n || quoteRaw === 0n) return malformed('a migration that did not fill a pool');
  return events({
    kind: 'migrate',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    venue: 'meteora_dbc',
    mint: view.transaction.keys.at(at.base_mint),
    fromPool: view.transaction.keys.at(at.virtual_pool),
    toPool: view.transaction.keys.at(at.pool),
    baseRaw: baseRaw as RawAmount,
    quoteRaw: quoteRaw as RawAmount,
  });
}
