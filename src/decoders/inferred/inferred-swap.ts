/**
 * Swaps on pools without a decoder, recognised from transfers alone.
 *
 * A swap is inferred from an instruction of a program without a decoder if its own transfers (those
 * below it and not below a program with a decoder) consist of one mint from a trader to an
 * authority and another mint back from the same authority. Innermost instructions are examined
 * first, and each transfer is used once, so the program that called a pool does not count as a
 * second swap.
 *
 * Other operations look similar. Conditions of an exchange, and what each of them excludes:
 * - A program signs for the side that is taken as the pool: that side did not sign the transaction,
 *   and no delegate paid for it. Two people who both sign, a maker and a taker, are not a pool.
 * - The authority both receives and pays. An escrow whose maker is paid directly does not receive.
 * - In the whole subtree it has no other transfers. A router's account is paid by the trader and
 *   pays the trader, and in between exchanges the same tokens with pools: it passes them on.
 * - The accounts on the pool's side did not trade with a known venue: a router may settle with its
 *   customer in a separate instruction.
 * - If neither side signs, the pool is the side that moves tokens below this program only. If that
 *   is true of both, the pool cannot be determined, and there is no swap.
 * - Exactly two mints moved, and none was burned or minted to a party. This excludes receipts of
 *   deposits and loans, LP tokens, liquid stake, wrapped tokens and redemptions. Tokens that the
 *   pool's own authority mints to an uninvolved owner are its fee, paid as a share of the pool.
 * - One account for each mint on the pool's side, with tokens in it before and after the
 *   transaction: an escrow of one order starts empty on one side and ends empty on the other.
 * - Both mints have decimals: a token counted in whole pieces is an NFT, a ticket or a game item.
 * - The amounts differ by more than decimals: a swap of old tokens for new ones has no price.
 * - The instruction does not name itself as something else (`non-swap-names.ts`), and its program
 *   is not known for another purpose (`no-pool-programs.ts`).
 *
 * Operations that still look the same by transfers are counted as swaps: an order of one person
 * that is filled in parts within single instructions, or a loan against collateral that issues no
 * receipt. Inferred swaps therefore count in volumes, wallets and positions, but set no price where
 * a known pool does.
 *
 * The pool of an inferred swap is the vault of the base token, which is the same for both
 * directions. The owner of the vaults is not suitable: if it is an authority shared by all pools of
 * a program, or a market maker's, swaps of different pairs would belong to the same pool.
 */
import type { ChainEvent } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { Swap } from '../../model/swap.ts';
import type { Address } from '../../model/units.ts';
import { orientPair } from '../legs/pool-pair.ts';
import { readSwap } from '../legs/swap-legs.ts';
import { hasNonSwapName } from '../transaction/non-swap-names.ts';
import type { TokenMovement } from '../transaction/token-movements.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';
import { type Exchange, readExchange } from './inferred-exchange.ts';
import { inferredTraderOf } from './inferred-trader.ts';

/**
 * Role of a program in the search. `known`: its transfers are already decoded; `transparent`: they
 * belong to its caller; `unknown`: they may be its own swap.
 */
export type ProgramRole = 'known' | 'transparent' | 'unknown';

/**
 * Adds the inferred swaps to a transaction's events, in execution order, and removes the token
 * transfers that are their legs, as for swaps of known venues.
 */
export function addInferredSwaps(
  events: readonly ChainEvent[],
  view: TransactionView,
  roleOf: (programId: Address) => ProgramRole,
): ChainEvent[] {
  const found = findSwaps(view, roleOf);
  if (found.length === 0) return [...events];
  const legs = new Set(found.flatMap(({ transfers }) => transfers.map(legPosition)));
  const kept = events.filter(
    (event) =>
      event.kind !== 'tokenTransfer' ||
      event.transferKind !== 'transfer' ||
      !legs.has(positionOf(event)),
  );
  return inOrder([...kept, ...found.map(({ swap }) => swap)]);
}

interface FoundSwap {
  readonly swap: Swap;
  readonly transfers: readonly TokenMovement[];
}

function findSwaps(
  view: TransactionView,
  roleOf: (programId: Address) => ProgramRole,
): FoundSwap[] {
  if (!hasTwoMints(view.ledger.movements)) return [];
  const found: FoundSwap[] = [];
  const used = new Set<TokenMovement>();
  const below = movementsBelow(view, roleOf);
  // Callees come after their caller, so the reverse order has the innermost first.
  for (const index of [...below.keys()].sort((one, other) => other - one)) {
    const instruction = view.transaction.instructions[index] as Instruction;
    const own = (below.get(index) ?? []).filter((movement) => !used.has(movement));
    if (own.length < 2 || hasNonSwapName(instruction.data)) continue;
    const exchange = readExchange(view, instruction, own);
    const swap = exchange === null ? null : toSwap(view, instruction, exchange);
    if (swap === null) continue;
    found.push({ swap, transfers: own });
    for (const movement of own) used.add(movement);
  }
  return found;
}

/** Most transactions move at most one mint. */
function hasTwoMints(movements: readonly TokenMovement[]): boolean {
  let first: Address | null = null;
  for (const { kind, mint } of movements) {
    if (kind !== 'transfer' || mint === null) continue;
    first ??= mint;
    if (mint !== first) return true;
  }
  return false;
}

/** Token movements by each unknown program's instruction above them, up to the first known one. */
function movementsBelow(
  view: TransactionView,
  roleOf: (programId: Address) => ProgramRole,
): Map<number, TokenMovement[]> {
  const below = new Map<number, TokenMovement[]>();
  for (const movement of view.ledger.movements) {
    if (movement.kind === 'sync' || movement.kind === 'close' || movement.amount === 0n) continue;
    for (const { index } of unknownCallersOf(view, movement.instruction, roleOf)) {
      const list = below.get(index);
      if (list === undefined) below.set(index, [movement]);
      else list.push(movement);
    }
  }
  return below;
}

function unknownCallersOf(
  view: TransactionView,
  leaf: Instruction,
  roleOf: (programId: Address) => ProgramRole,
): Instruction[] {
  if (view.isVenueLeg(leaf)) return [];
  const callers = view.callersOf(leaf);
  const end = callers.findIndex(({ programId }) => roleOf(programId) === 'known');
  return callers
    .slice(0, end < 0 ? callers.length : end)
    .filter(({ programId }) => roleOf(programId) === 'unknown');
}

function toSwap(view: TransactionView, instruction: Instruction, exchange: Exchange): Swap | null {
  const { vaults, traderAccounts, movements } = exchange;
  const pair = orientPair(view, ...vaults);
  if (typeof pair === 'string') return null;
  const reading = readSwap(view, instruction, {
    venue: 'inferred',
    pool: pair.base,
    vaults,
    user: movements.find(({ destination }) => destination === vaults[0])?.authority ?? -1,
    userAccounts: traderAccounts,
    movements,
    areVaultsShared: true,
  });
  if (reading.status !== 'event') return null;
  return {
    ...reading.event,
    trader: view.hasSigned(exchange.trader)
      ? reading.event.trader
      : inferredTraderOf(view, instruction),
    legsOnly: true,
    program: instruction.programId,
  };
}

interface Position {
  readonly outerIx: number;
  readonly innerIx: number;
}

function positionOf({ outerIx, innerIx }: Position): string {
  return `${outerIx}.${innerIx}`;
}

function legPosition({ instruction }: TokenMovement): string {
  return positionOf(instruction);
}

/** The sort is stable: events of one instruction keep their order. */
function inOrder(events: ChainEvent[]): ChainEvent[] {
  return events.sort((one, other) => one.outerIx - other.outerIx || one.innerIx - other.innerIx);
}
