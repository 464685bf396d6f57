import { WRAPPED_SOL } from '../../model/program.ts';
import type { ChainTransaction } from '../../model/transaction.ts';
import type { Address } from '../../model/units.ts';
import type { SystemMovement } from './system-movements.ts';
import { forEachTokenCall } from './token-calls.ts';
import { isTokenProgram, type TokenMovement } from './token-movements.ts';

/** Token-2022's own wrapped SOL, derived from its program by the seed "native-mint". */
const TOKEN_2022_WRAPPED_SOL = '9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP' as Address;

/** Tokens that are lamports: moving them moves the lamports of the accounts. */
export function isNativeMint(mint: Address | null): boolean {
  return mint === WRAPPED_SOL || mint === TOKEN_2022_WRAPPED_SOL;
}

/**
 * Lamports that accounts held when token programs closed them, all of which went to the close's
 * destination. No instruction says how many: they are what the account began with and what was sent
 * to it since, followed in execution order. Left out where that cannot be told, and where the
 * account does not end with the lamports that follow: the balances contradict the close.
 */
export function closedLamports(
  transaction: ChainTransaction,
  movements: readonly TokenMovement[],
  systemMovements: readonly SystemMovement[],
): ReadonlyMap<TokenMovement, bigint> {
  if (!movements.some(({ kind }) => kind === 'close')) return new Map();
  const ordered = inOrder(movements, systemMovements);
  const unknown = drainedAccounts(transaction);
  for (;;) {
    const held = new HeldLamports(transaction, unknown);
    const closed = followCloses(ordered, held);
    const contradicted = [...closed.keys()].filter(({ source }) => !held.endsAsRecorded(source));
    if (contradicted.length === 0) return closed;
    // Nor is it known then what reached the accounts that they were closed into.
    for (const { source } of contradicted) unknown.add(source);
  }
}

function followCloses(
  ordered: readonly (TokenMovement | SystemMovement)[],
  held: HeldLamports,
): Map<TokenMovement, bigint> {
  const closed = new Map<TokenMovement, bigint>();
  for (const movement of ordered) {
    if ('lamports' in movement) {
      held.move(movement.from, movement.to, movement.lamports, movement.lamports);
    } else if (movement.kind === 'close') {
      const lamports = held.close(movement.source, movement.destination);
      if (lamports !== null && lamports > 0n) closed.set(movement, lamports);
    } else if (movement.kind !== 'sync' && isNativeMint(movement.mint)) {
      const { source, destination, amount, fee } = movement;
      held.move(source, destination, amount, amount - (fee ?? 0n));
    }
  }
  return closed;
}

/** Execution order; parts of a batch keep theirs. */
function inOrder(
  movements: readonly TokenMovement[],
  systemMovements: readonly SystemMovement[],
): (TokenMovement | SystemMovement)[] {
  return [...movements, ...systemMovements].sort(
    (one, other) => one.instruction.index - other.instruction.index,
  );
}

/** Lamports of accounts as a transaction goes on; null once they cannot be told. */
class HeldLamports {
  private readonly transaction: ChainTransaction;
  private readonly unknown: ReadonlySet<number>;
  private readonly held = new Map<number, bigint | null>();

  /** Nothing is told of `unknown` accounts, by key index. */
  constructor(transaction: ChainTransaction, unknown: ReadonlySet<number>) {
    this.transaction = transaction;
    this.unknown = unknown;
  }

  /** What is sent may be more than what arrives. */
  move(from: number, to: number, sent: bigint, received: bigint): void {
    this.add(from, -sent);
    this.add(to, received);
  }

  /** Empties an account into another; what it held. */
  close(source: number, destination: number): bigint | null {
    const lamports = this.of(source);
    this.held.set(source, 0n);
    this.add(destination, lamports);
    return lamports;
  }

  endsAsRecorded(account: number): boolean {
    return this.of(account) === this.transaction.lamportsAfter[account];
  }

  private of(account: number): bigint | null {
    if (this.unknown.has(account)) return null;
    const held = this.held.get(account);
    return held === undefined ? (this.transaction.lamportsBefore[account] ?? null) : held;
  }

  private add(account: number, change: bigint | null): void {
    if (account < 0) return;
    const held = this.of(account);
    this.held.set(account, held === null || change === null ? null : held + change);
  }
}

const WITHDRAW_EXCESS_LAMPORTS = 38;
const UNWRAP_LAMPORTS = 45;

/** Accounts that instructions move "whatever is not needed" of or to: how much, no record tells. */
function drainedAccounts({ instructions }: ChainTransaction): Set<number> {
  const drained = new Set<number>();
  for (const instruction of instructions) {
    if (!isTokenProgram(instruction.programId)) continue;
    forEachTokenCall(instruction, (data, firstAccount) => {
      if (data[0] !== WITHDRAW_EXCESS_LAMPORTS && data[0] !== UNWRAP_LAMPORTS) return;
      drained.add(instruction.accountIndex(firstAccount));
      drained.add(instruction.accountIndex(firstAccount + 1));
    });
  }
  return drained;
}
