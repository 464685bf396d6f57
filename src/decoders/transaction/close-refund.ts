import { WRAPPED_SOL } from '../../model/program.ts';
import type { ChainTransaction } from '../../model/transaction.ts';
import { type Address, asAddress } from '../../model/units.ts';
import type { SystemMovement } from './system-movements.ts';
import { forEachTokenCall } from './token-calls.ts';
import { isTokenProgram, type TokenMovement } from './token-movements.ts';

/** Token-2022's own wrapped SOL, derived from its program by the seed "native-mint". */
const TOKEN_2022_WRAPPED_SOL = asAddress('9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP');

/** True for tokens that are lamports: transferring them transfers the lamports of the accounts. */
export function isNativeMint(mint: Address | null): boolean {
  return mint === WRAPPED_SOL || mint === TOKEN_2022_WRAPPED_SOL;
}

/**
 * Lamports in accounts at the time token programs closed them, all of which went to the close's
 * destination. No instruction states the amount: it is computed from the account's initial lamports
 * and all movements since, in execution order. Closes are omitted when the amount cannot be
 * determined, and when the computed final lamports of the account differ from the recorded ones,
 * since the balances then contradict the close.
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
    const balances = new LamportBalances(transaction, unknown);
    const closed = followCloses(ordered, balances);
    const contradicted = [...closed.keys()].filter(
      ({ source }) => !balances.endsAsRecorded(source),
    );
    if (contradicted.length === 0) return closed;
    // The amount received by the accounts that these were closed into is then unknown as well.
    for (const { source } of contradicted) unknown.add(source);
  }
}

function followCloses(
  ordered: readonly (TokenMovement | SystemMovement)[],
  balances: LamportBalances,
): Map<TokenMovement, bigint> {
  const closed = new Map<TokenMovement, bigint>();
  for (const movement of ordered) {
    if ('lamports' in movement) {
      balances.move(movement.from, movement.to, movement.lamports, movement.lamports);
    } else if (movement.kind === 'close') {
      const lamports = balances.close(movement.source, movement.destination);
      if (lamports !== null && lamports > 0n) closed.set(movement, lamports);
    } else if (movement.kind !== 'sync' && isNativeMint(movement.mint)) {
      const { source, destination, amount, fee } = movement;
      balances.move(source, destination, amount, amount - (fee ?? 0n));
    }
  }
  return closed;
}

/** In execution order; the sort is stable, so parts of a batch keep their order. */
function inOrder(
  movements: readonly TokenMovement[],
  systemMovements: readonly SystemMovement[],
): (TokenMovement | SystemMovement)[] {
  return [...movements, ...systemMovements].sort(
    (one, other) => one.instruction.index - other.instruction.index,
  );
}

/** Lamports of accounts while a transaction's movements are applied; null once unknown. */
class LamportBalances {
  private readonly transaction: ChainTransaction;
  private readonly unknown: ReadonlySet<number>;
  private readonly current = new Map<number, bigint | null>();

  /** `unknown`: key indexes of accounts whose lamports are never known. */
  constructor(transaction: ChainTransaction, unknown: ReadonlySet<number>) {
    this.transaction = transaction;
    this.unknown = unknown;
  }

  /** `sent` may be greater than `received`. */
  move(from: number, to: number, sent: bigint, received: bigint): void {
    this.add(from, -sent);
    this.add(to, received);
  }

  /** Moves all lamports of an account to another and returns their amount. */
  close(source: number, destination: number): bigint | null {
    const lamports = this.of(source);
    this.current.set(source, 0n);
    this.add(destination, lamports);
    return lamports;
  }

  endsAsRecorded(account: number): boolean {
    return this.of(account) === this.transaction.lamportsAfter[account];
  }

  private of(account: number): bigint | null {
    if (this.unknown.has(account)) return null;
    const known = this.current.get(account);
    return known === undefined ? (this.transaction.lamportsBefore[account] ?? null) : known;
  }

  private add(account: number, change: bigint | null): void {
    if (account < 0) return;
    const before = this.of(account);
    this.current.set(account, before === null || change === null ? null : before + change);
  }
}

const WITHDRAW_EXCESS_LAMPORTS = 38;
const UNWRAP_LAMPORTS = 45;

/**
 * Accounts that instructions move excess lamports from or to; the record does not show the amount.
 */
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
