/**
 * Swaps of pools that no decoder knows, by what transfers show and nothing else.
 *
 * A swap is inferred from an instruction of a program without a decoder if its own transfers, those
 * that happened below it and below no program with a decoder, are one mint from a trader to an
 * authority and another mint back from that same authority. Innermost instructions come first, and a
 * transfer is used once, so that the program that called a pool is no second swap.
 *
 * Much looks alike. What is asked of an exchange, and what it keeps out:
 * - A program signs for the side that is taken as the pool: it is no signer of the transaction, and no
 *   delegate paid for it. Two people who both sign, a maker and a taker, are no pool.
 * - The authority both receives and pays. An escrow whose maker is paid directly does not receive.
 * - In the whole subtree it has no transfers but these. A router's account is paid by the trader and
 *   pays it, and between the two exchanges the same tokens with pools: it passes them on.
 * - The accounts on the pool's side are none that traded with a known venue: a router may settle with
 *   its customer in an instruction of its own.
 * - Where no side signs, the pool is the one that moves tokens below this program alone. Where that is
 *   said of both, nobody can say which is the pool, and there is no swap.
 * - Exactly two mints moved, and none was burned or minted to a party: receipts of deposits and loans,
 *   LP tokens, liquid stake, wrapped tokens, redemptions. What the pool's own authority mints to
 *   somebody who took no part is its fee, paid as a share of the pool.
 * - One account for each mint on the pool's side, with tokens in it before and after the transaction: an
 *   escrow of one order begins empty on one side and ends empty on the other.
 * - Both mints have decimals: what is counted in pieces is an NFT, a ticket, a game item.
 * - The amounts are not the same but for decimals: an exchange of old tokens for new ones has no price.
 * - The instruction does not name itself otherwise (`otherwise-named.ts`), and its program is none that
 *   is known for other things (`no-pool-programs.ts`).
 *
 * What remains alike by transfers is counted as a swap: an order of one person that is filled in parts
 * within single instructions, a loan against collateral that issues no receipt. So inferred swaps count
 * in volumes, wallets and positions, and set no price where a known pool does.
 *
 * The pool of an inferred swap is the vault of the base token: the same for both directions. The
 * vaults' owner would not do: where it is an authority that all pools of a program share, or a market
 * maker's, swaps of other pairs would be of the same pool.
 */
import type { ChainEvent } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { Swap } from '../../model/swap.ts';
import type { Address } from '../../model/units.ts';
import { orientPair } from '../legs/pool-pair.ts';
import { readSwap } from '../legs/swap-legs.ts';
import { isNamedOtherwise } from '../transaction/otherwise-named.ts';
import type { TokenMovement } from '../transaction/token-movements.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';
import { type Exchange, readExchange } from './inferred-exchange.ts';
import { inferredTraderOf } from './inferred-trader.ts';

/** What a program is to the search: its transfers are nobody's, its caller's, or its own. */
export type ProgramRole = 'known' | 'transparent' | 'unknown';

/**
 * Adds the inferred swaps to a transaction's events, in execution order, and takes out the token
 * transfers that are their legs: as below a known venue, the swap stands for them.
 */
export function addInferredSwaps(
  events: readonly ChainEvent[],
  view: TransactionView,
  roleOf: (programId: Address) => ProgramRole,
): ChainEvent[] {
  const found = findSwaps(view, roleOf);
  if (found.length === 0) return [...events];
  const legs = new Set(found.flatMap(({ transfers }) => transfers.map(legPlace)));
  const kept = events.filter(
    (event) =>
      event.kind !== 'tokenTransfer' ||
      event.transferKind !== 'transfer' ||
      !legs.has(place(event)),
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
  // What was called comes after its caller, so that backwards the innermost is first.
  for (const index of [...below.keys()].sort((one, other) => other - one)) {
    const instruction = view.transaction.instructions[index] as Instruction;
    const own = (below.get(index) ?? []).filter((movement) => !used.has(movement));
    if (own.length < 2 || isNamedOtherwise(instruction.data)) continue;
    const exchange = readExchange(view, instruction, own);
    const swap = exchange === null ? null : toSwap(view, instruction, exchange);
    if (swap === null) continue;
    found.push({ swap, transfers: own });
    for (const movement of own) used.add(movement);
  }
  return found;
}

/** Most transactions move one mint or none. */
function hasTwoMints(movements: readonly TokenMovement[]): boolean {
  let first: Address | null = null;
  for (const { kind, mint } of movements) {
    if (kind !== 'transfer' || mint === null) continue;
    first ??= mint;
    if (mint !== first) return true;
  }
  return false;
}

/** What moved tokens, by the unknown programs' instructions above it up to the first known one. */
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

interface Place {
  readonly outerIx: number;
  readonly innerIx: number;
}

function place({ outerIx, innerIx }: Place): string {
  return `${outerIx}.${innerIx}`;
}

function legPlace({ instruction }: TokenMovement): string {
  return place(instruction);
}

/** Events of one instruction keep their order. */
function inOrder(events: ChainEvent[]): ChainEvent[] {
  return events.sort((one, other) => one.outerIx - other.outerIx || one.innerIx - other.innerIx);
}
