import type { Instruction } from '../../model/instruction.ts';
import { SYSTEM_PROGRAM } from '../../model/program.ts';
import type { ChainTransaction } from '../../model/transaction.ts';
import type { Address } from '../../model/units.ts';
import { closedLamports } from './close-refund.ts';
import { hasDiscriminator, isSelfEvent } from './discriminator.ts';
import { type InstructionTree, instructionTree } from './instruction-tree.ts';
import { isRouterProgram } from './router-programs.ts';
import { readSystemMovements, type SystemMovement } from './system-movements.ts';
import {
  isTokenProgram,
  readTokenLedger,
  type TokenAccount,
  type TokenLedger,
  type TokenMovement,
} from './token-movements.ts';

/**
 * Levels of calls that are followed upwards. The runtime allows 5, and 9 with SIMD-0268; deeper
 * records are not followed.
 */
const CALLERS_MAX = 16;

/**
 * One successful transaction as seen by decoders: the call tree, movements by the token and system
 * programs, and balances at any point in between. Built once per transaction.
 */
export class TransactionView {
  readonly transaction: ChainTransaction;
  readonly ledger: TokenLedger;
  readonly systemMovements: readonly SystemMovement[];
  private readonly tree: InstructionTree;
  /**
   * Index of the instruction that owns each token or system movement: its nearest venue, else its
   * caller.
   */
  private readonly ownerOf: Int32Array;
  private readonly isVenue: (programId: Address) => boolean;
  /** Computed on first use, since most transactions close nothing. */
  private closed: ReadonlyMap<TokenMovement, bigint> | null = null;

  constructor(transaction: ChainTransaction, isVenue: (programId: Address) => boolean) {
    this.transaction = transaction;
    this.isVenue = isVenue;
    this.tree = instructionTree(transaction.instructions, transaction.logMessages);
    this.ledger = readTokenLedger(transaction);
    this.systemMovements = readSystemMovements(transaction);
    this.ownerOf = ownersOf(transaction.instructions, this.tree, isVenue);
  }

  /** Program that called this instruction; null for an outer one. */
  callerOf(instruction: Instruction): Address | null {
    const parent = this.tree.parent[instruction.index] as number;
    return this.transaction.instructions[parent]?.programId ?? null;
  }

  /**
   * The nearest router above this instruction, otherwise the program that called it; null when
   * there is neither.
   */
  routerOf(instruction: Instruction): Address | null {
    let index = this.tree.parent[instruction.index] as number;
    while (index >= 0) {
      const { programId } = this.transaction.instructions[index] as Instruction;
      if (isRouterProgram(programId)) return programId;
      index = this.tree.parent[index] as number;
    }
    return this.callerOf(instruction);
  }

  /** Token movements owned by this instruction and not by a venue instruction below it. */
  tokenMovementsUnder(instruction: Instruction): TokenMovement[] {
    return this.ownedBy(instruction, this.ledger.movements);
  }

  /** Token movements of this instruction and of everything it called, including other venues. */
  tokenMovementsWithin(instruction: Instruction): TokenMovement[] {
    const end = this.tree.last[instruction.index] as number;
    const { movements } = this.ledger;
    return movements.slice(firstAfter(movements, instruction.index), firstAfter(movements, end));
  }

  /** The movements made directly by an instruction of a token program, in order. */
  movementsOf({ index }: Instruction): TokenMovement[] {
    const { movements } = this.ledger;
    return movements.slice(firstAfter(movements, index - 1), firstAfter(movements, index));
  }

  systemMovementsUnder(instruction: Instruction): SystemMovement[] {
    return this.ownedBy(instruction, this.systemMovements);
  }

  /** The movements, in execution order, that the instruction owns; all are below it. */
  private ownedBy<Movement extends { readonly instruction: Instruction }>(
    instruction: Instruction,
    movements: readonly Movement[],
  ): Movement[] {
    const end = this.tree.last[instruction.index] as number;
    const owned: Movement[] = [];
    for (let at = firstAfter(movements, instruction.index); at < movements.length; at++) {
      const movement = movements[at] as Movement;
      const { index } = movement.instruction;
      if (index > end) break;
      if (this.ownerOf[index] === instruction.index) owned.push(movement);
    }
    return owned;
  }

  /** The venue, otherwise the caller, that a leaf instruction acted for; null for an outer leaf. */
  ownerOfLeaf(instruction: Instruction): Instruction | null {
    return this.transaction.instructions[this.ownerOf[instruction.index] as number] ?? null;
  }

  /** True below a venue's instruction: the movement is part of the venue's own event. */
  isVenueLeg(instruction: Instruction): boolean {
    const owner = this.ownerOfLeaf(instruction);
    return owner !== null && this.isVenue(owner.programId);
  }

  /**
   * Data of the first event with this discriminator that the instruction's program emitted by
   * calling itself during the instruction, or null. Fields begin at EVENT_FIELDS_OFFSET.
   */
  selfEventOf(instruction: Instruction, eventDiscriminator: string): Uint8Array | null {
    const { instructions } = this.transaction;
    const end = this.tree.last[instruction.index] as number;
    for (let index = instruction.index + 1; index <= end; index++) {
      const inner = instructions[index] as Instruction;
      if (this.tree.parent[index] !== instruction.index) continue;
      if (inner.programIndex !== instruction.programIndex || !isSelfEvent(inner.data)) continue;
      if (hasDiscriminator(inner.data, 8, eventDiscriminator)) return inner.data;
    }
    return null;
  }

  /** The instructions above this one, nearest first, at most CALLERS_MAX. */
  callersOf(instruction: Instruction): Instruction[] {
    const callers: Instruction[] = [];
    let index = this.tree.parent[instruction.index] as number;
    while (index >= 0 && callers.length < CALLERS_MAX) {
      callers.push(this.transaction.instructions[index] as Instruction);
      index = this.tree.parent[index] as number;
    }
    return callers;
  }

  /** True for the instruction itself and for everything it called, directly or indirectly. */
  isWithin(instruction: Instruction, caller: Instruction): boolean {
    const { index } = instruction;
    return index >= caller.index && index <= (this.tree.last[caller.index] as number);
  }

  /** Everything that the instruction called, directly or indirectly, in execution order. */
  calledBy(instruction: Instruction): readonly Instruction[] {
    const end = this.tree.last[instruction.index] as number;
    return this.transaction.instructions.slice(instruction.index + 1, end + 1);
  }

  /** The calls that the instruction's program made to itself during the instruction, in order. */
  ownCallsOf(instruction: Instruction): Instruction[] {
    const { instructions } = this.transaction;
    const end = this.tree.last[instruction.index] as number;
    return instructions.filter(
      ({ index, programIndex }) =>
        index > instruction.index &&
        index <= end &&
        this.tree.parent[index] === instruction.index &&
        programIndex === instruction.programIndex,
    );
  }

  tokenAccount(accountIndex: number): TokenAccount | null {
    return this.ledger.accounts.get(accountIndex) ?? null;
  }

  /** Decimals of a mint from the transaction's balances; null when they do not show them. */
  decimalsOf(mint: Address): number | null {
    for (const balance of this.transaction.tokenBalances) {
      if (balance.mint === mint) return balance.decimals;
    }
    return null;
  }

  /**
   * Raw balance of a token account after `instruction` and everything it called; null when unknown.
   */
  tokenBalanceAfter(accountIndex: number, instruction: Instruction): bigint | null {
    const balance = this.ledger.balances.get(accountIndex);
    if (balance === undefined) return null;
    const end = this.tree.last[instruction.index] as number;
    let amount = balance.before;
    for (const movement of this.ledger.movements) {
      if (movement.instruction.index > end) break;
      amount += changeOf(movement, accountIndex);
    }
    return amount;
  }

  /**
   * Whether the decoded movements explain the account's balance change over the transaction. Null
   * when this cannot be determined: no balances, or wrapped SOL that also moved as lamports.
   */
  isReconciled(accountIndex: number): boolean | null {
    const balance = this.ledger.balances.get(accountIndex);
    if (balance === undefined) return null;
    let moved = 0n;
    for (const movement of this.ledger.movements) {
      const touches = movement.source === accountIndex || movement.destination === accountIndex;
      if (touches && (movement.kind === 'sync' || movement.kind === 'close')) return null;
      moved += changeOf(movement, accountIndex);
    }
    return moved === balance.after - balance.before;
  }

  /** Lamports that left an account when it was closed; null when unknown. */
  lamportsAtClose(close: TokenMovement): bigint | null {
    this.closed ??= closedLamports(this.transaction, this.ledger.movements, this.systemMovements);
    return this.closed.get(close) ?? null;
  }

  isSigner(accountIndex: number): boolean {
    return accountIndex >= 0 && accountIndex < this.transaction.signerCount;
  }

  /** True for the address of an account that signed. */
  hasSigned(address: Address): boolean {
    const { keys, signerCount } = this.transaction;
    for (let index = 0; index < signerCount; index++) if (keys.at(index) === address) return true;
    return false;
  }
}

/** Index of the first movement of an instruction after `index`, by binary search. */
function firstAfter(
  movements: readonly { readonly instruction: Instruction }[],
  index: number,
): number {
  let low = 0;
  let high = movements.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const movement = movements[middle] as { readonly instruction: Instruction };
    if (movement.instruction.index <= index) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Change of an account by one movement: received net of fee, sent gross. */
export function changeOf(movement: TokenMovement, accountIndex: number): bigint {
  let change = 0n;
  if (movement.kind === 'close' || movement.kind === 'sync') return change;
  if (movement.destination === accountIndex) change += movement.amount - (movement.fee ?? 0n);
  if (movement.source === accountIndex) change -= movement.amount;
  return change;
}

function ownersOf(
  instructions: readonly Instruction[],
  tree: InstructionTree,
  isVenue: (programId: Address) => boolean,
): Int32Array {
  const nearestVenue = new Int32Array(instructions.length).fill(-1);
  const owner = new Int32Array(instructions.length).fill(-1);
  for (const instruction of instructions) {
    const { index } = instruction;
    const parent = tree.parent[index] as number;
    const inherited = parent < 0 ? -1 : (nearestVenue[parent] as number);
    const isOwnVenue = isVenue(instruction.programId) && !isSelfEvent(instruction.data);
    nearestVenue[index] = isOwnVenue ? index : inherited;
    owner[index] = inherited >= 0 ? inherited : nearestCaller(instructions, tree, parent);
  }
  return owner;
}

/**
 * Token and system programs also call each other to create accounts; the caller above them is
 * returned.
 */
function nearestCaller(
  instructions: readonly Instruction[],
  tree: InstructionTree,
  from: number,
): number {
  let index = from;
  while (index >= 0) {
    const { programId } = instructions[index] as Instruction;
    if (!isTokenProgram(programId) && programId !== SYSTEM_PROGRAM) return index;
    index = tree.parent[index] as number;
  }
  return -1;
}
