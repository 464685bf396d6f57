import { WRAPPED_SOL } from '../model/program.ts';
import type { Address } from '../model/units.ts';
import { forEachTokenCall } from './token-calls.ts';
import { isTokenProgram, type TokenMovement } from './token-movements.ts';
import { changeOf, type TransactionView } from './transaction-view.ts';

/** Token-2022's own wrapped SOL, derived from its program by the seed "native-mint". */
const TOKEN_2022_WRAPPED_SOL = '9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP' as Address;

/** Tokens that are lamports: moving them moves the lamports of the accounts. */
export function isNativeMint(mint: Address | null): boolean {
  return mint === WRAPPED_SOL || mint === TOKEN_2022_WRAPPED_SOL;
}

/**
 * Lamports an account held when a token program closed it, all of which went to `close.destination`.
 * No instruction says how many: they are what the account began with and what was sent to it since.
 * Null when that cannot be told.
 */
export function lamportsAtClose(view: TransactionView, close: TokenMovement): bigint | null {
  const account = close.source;
  const before = view.transaction.lamportsBefore[account];
  if (before === undefined || isDrained(view, account)) return null;
  let held = before;
  let emptiedAt = -1;
  for (const movement of view.ledger.movements) {
    if (movement === close) break;
    if (movement.kind === 'close' && movement.source === account) {
      held = 0n;
      emptiedAt = movement.instruction.index;
      continue;
    }
    const change = lamportChange(view, movement, account);
    if (change === null) return null;
    held += change;
  }
  held += systemChange(view, account, emptiedAt, close.instruction.index);
  return held > 0n ? held : null;
}

/** What one token operation added to an account's lamports; null when that cannot be told. */
function lamportChange(
  view: TransactionView,
  movement: TokenMovement,
  account: number,
): bigint | null {
  if (movement.kind === 'close') {
    return movement.destination === account ? lamportsAtClose(view, movement) : 0n;
  }
  return isNativeMint(movement.mint) ? changeOf(movement, account) : 0n;
}

function systemChange(
  view: TransactionView,
  account: number,
  after: number,
  before: number,
): bigint {
  let change = 0n;
  for (const { instruction, from, to, lamports } of view.systemMovements) {
    if (instruction.index <= after || instruction.index >= before) continue;
    if (to === account) change += lamports;
    if (from === account) change -= lamports;
  }
  return change;
}

const WITHDRAW_EXCESS_LAMPORTS = 38;
const UNWRAP_LAMPORTS = 45;

/** Instructions that move "whatever is not needed": amounts the record does not tell. */
function isDrained(view: TransactionView, account: number): boolean {
  let isFound = false;
  for (const instruction of view.transaction.instructions) {
    if (!isTokenProgram(instruction.programId)) continue;
    forEachTokenCall(instruction, (data, firstAccount) => {
      if (data[0] !== WITHDRAW_EXCESS_LAMPORTS && data[0] !== UNWRAP_LAMPORTS) return;
      isFound ||= instruction.accountIndex(firstAccount) === account;
      isFound ||= instruction.accountIndex(firstAccount + 1) === account;
    });
  }
  return isFound;
}
