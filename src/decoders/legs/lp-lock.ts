import type { LpLock } from '../../model/chain-event.ts';
import { asRawAmount } from '../../model/units.ts';
import type { ProgramCall } from './program-decoder.ts';

/** Accounts of a lock of liquidity, as key indices. */
export interface LockedLiquidity {
  readonly pool: number;
  readonly provider: number;
}

/** The event of locked liquidity whose end the record does not show. */
export function toLpLock(
  { instruction, view }: ProgramCall<never>,
  { pool, provider }: LockedLiquidity,
  amount: bigint,
  lockKind: LpLock['lockKind'],
): LpLock {
  const { keys } = view.transaction;
  return {
    kind: 'lpLock',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    pool: keys.at(pool),
    provider: keys.at(provider),
    amountRaw: asRawAmount(amount),
    lockKind,
    unlockTimeMs: null,
  };
}
