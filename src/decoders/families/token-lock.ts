import type { LockTerms, TokenLock } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { LockerName } from '../../model/program.ts';
import { asRawAmount } from '../../model/units.ts';
import { type DecodeResult, events, IGNORED, malformed } from '../legs/decoder.ts';
import { type InstructionReader, indexOf } from '../legs/program-decoder.ts';
import { deltaOf } from '../legs/swap-legs.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

/** Accounts of a locker's instruction, as key indices of the transaction. */
export interface LockAccounts {
  readonly locker: LockerName;
  /** Token account that holds the tokens. */
  readonly escrow: number;
  /** -1 when the instruction does not name the owner. */
  readonly owner: number;
}

/**
 * Reads the amount that a locker's instruction moved into or out of the escrow, including movements
 * by venues that called the locker or were called by it. The terms come from the instruction's
 * arguments; amounts are never read from them.
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
    escrowDelta: asRawAmount(escrowDelta),
    terms,
  };
  return events(lock);
}

/** The accounts of a locker's instruction by the names that its layout has for them. */
export interface LockRoles<Accounts extends string> {
  readonly escrow: Accounts;
  /** Omitted when the instruction does not name the owner. */
  readonly owner?: Accounts;
}

/** An instruction that moves tokens into or out of an escrow, under terms that it does not name. */
export function tokenLock<const Accounts extends string>(
  { escrow, owner }: LockRoles<Accounts>,
  terms: LockTerms | null = null,
): InstructionReader<Accounts, LockerName> {
  return ({ name, at, instruction, view }) => {
    const accounts = { locker: name, escrow: at[escrow], owner: indexOf(at, owner) };
    return readTokenLock(view, instruction, accounts, terms);
  };
}

/** The same under the terms of its arguments; `reason` is for arguments that are cut short. */
export function tokenLockWith<const Accounts extends string>(
  roles: LockRoles<Accounts>,
  readTerms: (data: Uint8Array) => LockTerms | null,
  reason: string,
): InstructionReader<Accounts, LockerName> {
  return (call) => {
    const terms = readTerms(call.instruction.data);
    return terms === null ? malformed(reason) : tokenLock(roles, terms)(call);
  };
}

/** The amounts and times (Unix seconds) of an unlock schedule, as the programs take them. */
export interface UnlockSchedule {
  /** When the first amount unlocks and periods start; 0 when not specified. */
  readonly cliffTime: bigint;
  readonly cliffAmount: bigint;
  readonly periodSeconds: bigint;
  /** Number of periods, each of which unlocks a part; null when not specified. */
  readonly periodCount: bigint | null;
}

/** When the first and the last part of a schedule unlock. */
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

/** The maximum time of a Date; later times are capped to it. */
const LAST_TIME_MS = 8_640_000_000_000_000n;

function toTimeMs(seconds: bigint): number {
  const timeMs = seconds * 1_000n;
  return Number(timeMs > LAST_TIME_MS ? LAST_TIME_MS : timeMs);
}

/** Locked permanently. */
export const PERMANENT: LockTerms = {
  isPermanent: true,
  firstUnlockTimeMs: null,
  lastUnlockTimeMs: null,
  isRevocable: false,
};
