import { type DecodeResult, events, malformed } from '../legs/decoder.ts';
import { toMigrate } from '../legs/launch-readers.ts';
import type { ProgramCall } from '../legs/program-decoder.ts';

type MigrationAccounts = 'virtual_pool' | 'pool' | 'base_mint' | 'base_vault' | 'quote_vault';

/**
 * The migration of a curve: the amounts that the new pool's vaults received from the curve's
 * vaults.
 */
export function decodeDbcMigration(
  call: ProgramCall<MigrationAccounts>,
  poolVaults: readonly number[],
): DecodeResult {
  const { at, instruction, view } = call;
  let base = 0n;
  let quote = 0n;
  for (const movement of view.tokenMovementsWithin(instruction)) {
    if (!poolVaults.includes(movement.destination)) continue;
    const received = movement.amount - (movement.fee ?? 0n);
    if (movement.source === at.base_vault) base += received;
    if (movement.source === at.quote_vault) quote += received;
  }
  if (base === 0n || quote === 0n) return malformed('a migration that did not fill a pool');
  const { keys } = view.transaction;
  const pools = {
    mint: keys.at(at.base_mint),
    fromPool: keys.at(at.virtual_pool),
    toPool: keys.at(at.pool),
  };
  return events(toMigrate(call, pools, { base, quote }));
}
