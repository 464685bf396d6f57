import type { TargetState } from '../../alerts/triggers/trigger-book.ts';
import type { PoolRecord } from '../../model/pool-record.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import type { TriggerTarget } from '../../model/trigger.ts';
import { type Address, asSlot, type Slot } from '../../model/units.ts';

/** The records that the states of targets follow from. */
export interface TargetRecords {
  pool(pool: Address): PoolRecord | null;
  token(mint: Address): Pick<TokenRecord, 'primaryPool' | 'slot'> | null;
}

/** A target as it is now. That of a token is its primary pool, the one that gives it its price. */
export function stateOf(records: TargetRecords, target: TriggerTarget): TargetState {
  const { kind, address } = target;
  const pool = kind === 'pool' ? address : (records.token(address)?.primaryPool ?? null);
  return { target, pool: pool === null ? null : records.pool(pool) };
}

/**
 * The slot that last changed what the triggers of a target are compared with: its pool or, for a
 * token, also its record, which names the primary pool. Null while no pool is known.
 */
export function slotOf(records: TargetRecords, target: TriggerTarget): Slot | null {
  const { pool } = stateOf(records, target);
  if (pool === null || target.kind === 'pool') return pool?.slot ?? null;
  return asSlot(Math.max(pool.slot, records.token(target.address)?.slot ?? pool.slot));
}
