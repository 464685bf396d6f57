import type { LockTerms, TokenLock } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { LockerName } from '../../model/program.ts';
import type { RawAmount } from '../../model/units.ts';
import { type DecodeResult, events, IGNORED, malformed } from '../legs/decoder.ts';
import { deltaOf } from '../legs/swap-legs.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

/** What a locker's instruction names, as key indices of the transaction. */
export interface LockAccounts {
  readonly locker: LockerName;
  /** Token account that keeps the tokens. */
  readonly escrow: number;
  /** -1 when the instruction does not name who locked them. */
  readonly owner: number;
}

/**
 * Reads what an instruction of a locker moved into or out of the escrow, whatever venue called the
 * locker or was called by it. Its arguments tell times only, never amounts.
 */
export function readTokenLock(
  view: TransactionView,
  instruction: Instruction,
  { locker, escrow, owner }: LockAccounts,
  terms: LockTerms | null,
): DecodeResult {
  if (escrow < 0) return malformed('too few accounts');
  const escrowDelta = deltaOf(view.tokenMovementsWithin(instruction), escrow);
  if (escrowDelta === 0n) return IGNORED;
  const mint = view.tokenAccount(escrow)?.mint ?? null;
  if (mint === null) return malformed('the record does not tell the mint');
  const { keys } = view.transaction;
  const lock: TokenLock = {
    kind: 'tokenLock',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    locker,
    escrow: keys.at(escrow),
    mint,
    owner: owner < 0 ? null : keys.at(owner),
    escrowDelta: escrowDelta as RawAmount,
    terms,
  };
  return events(lock);
}

/** The amounts of an unlock schedule and its times in Unix seconds, as programs take them. */
export interface UnlockSchedule {
  /** From here on the first amount is free and periods are counted; 0: not told. */
  readonly cliffTime: bigint;
  readonly cliffAmount: bigint;
  readonly periodSeconds: bigint;
  /** Each frees a part, one after another; null: not told. */
  readonly periodCount: bigint | null;
}

/** When the first and the last part of a schedule come free. */
export function termsOf(
  { cliffTime, cliffAmount, periodSeconds, periodCount }: UnlockSchedule,
  isRevocable: boolean,
): LockTerms {
  const hasStart = cliffTime > 0n;
  const first = cliffAmount > 0n || periodCount === 0n ? cliffTime : cliffTime + periodSeconds;
  const last = periodCount === null ? null : cliffTime + periodSeconds * periodCount;
  return {
    isPermanent: false,
    firstUnlockTimeMs: hasStart ? toTimeMs(first) : null,
    lastUnlockTimeMs: hasStart && last !== null ? toTimeMs(last) : null,
    isRevocable,
  };
}

/** The last time a Date can say: what is later is as good as that. */
const LAST_TIME_MS = 8_640_000_000_000_000n;

function toTimeMs(seconds: bigint): number {
  const timeMs = seconds * 1_000n;
  return Number(timeMs > LAST_TIME_MS ? LAST_TIME_MS : timeMs);
}

/** Kept for good. */
export const PERMANENT: LockTerms = {
  isPermanent: true,
  firstUnlockTimeMs: null,
  lastUnlockTimeMs: null,
  isRevocable: false,
};
