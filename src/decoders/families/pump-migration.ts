import { type DecodeResult, events, IGNORED, malformed } from '../legs/decoder.ts';
import { toMigrate } from '../legs/launch-readers.ts';
import type { ProgramCall } from '../legs/program-decoder.ts';
import { deltaOf } from '../legs/swap-legs.ts';
import { migrationEventLayout, readMigrationEvent } from './pump-migration-event.ts';

/**
 * Reads the migration of a complete curve to a pool. Anyone may call it again on a migrated curve;
 * it then moves nothing and emits no event.
 */
export function decodePumpMigration(
  call: ProgramCall<'bonding_curve' | 'pool'>,
  mint: number,
  baseVault: number,
): DecodeResult {
  const { at, instruction, view } = call;
  const left = -deltaOf(view.tokenMovementsUnder(instruction), baseVault);
  const data = view.selfEventOf(instruction, migrationEventLayout.discriminator);
  if (data === null) return left === 0n ? IGNORED : malformed('a migration without its event');
  const event = readMigrationEvent(data);
  if (event === null) return malformed('CompletePumpAmmMigrationEvent ends inside its fields');
  const { baseRaw, quoteRaw } = event;
  if (left < baseRaw) return malformed(`event says ${baseRaw} tokens, ${left} left the curve`);
  const { keys } = view.transaction;
  const pools = {
    mint: keys.at(mint),
    fromPool: keys.at(at.bonding_curve),
    toPool: keys.at(at.pool),
  };
  return events(toMigrate(call, pools, { base: baseRaw, quote: quoteRaw }));
}
