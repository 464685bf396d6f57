import type { Instruction } from '../model/instruction.ts';
import type { Venue } from '../model/program.ts';
import type { Address } from '../model/units.ts';
import { type DecodeResult, type Decoder, events, IGNORED, resultOf, unknown } from './decoder.ts';
import { orientPair } from './pool-pair.ts';
import { readSwap, type SwapAccounts } from './swap-legs.ts';
import type { TokenMovement } from './token-movements.ts';
import type { TransactionView } from './transaction-view.ts';

/** A program that publishes no interface, and what transactions have shown of its swap. */
export interface LegsOnlyProgram {
  readonly name: Venue;
  readonly programId: string;
  readonly swap: LegsOnlySwap;
}

/** Positions of the swap instruction's accounts. */
export interface LegsOnlySwap {
  /** Leading bytes of the instruction's data; empty where the program hides them. */
  readonly tag: readonly number[];
  readonly pool: number;
  readonly vaults: readonly [number, number];
  readonly user: number;
  readonly userAccounts: readonly [number, number];
}

/**
 * Decodes swaps of a program that publishes no interface: what its vaults received and paid, and
 * nothing else (`legsOnly`). An instruction that is not the known one, or whose known accounts did
 * not move, is a swap if its transfers say so by themselves. One that moves no tokens is ignored, one
 * that moves some in another manner is unknown.
 *
 * The pool of a swap recognised by transfers is the account that owns both vaults, else the vault of
 * the base token: one and the same for every swap between these vaults, in either direction.
 */
export function legsOnlyDecoder({ name, programId, swap }: LegsOnlyProgram): Decoder {
  return {
    name,
    programId: programId as Address,
    isVenue: true,
    decode(instruction, view) {
      const movements = view.tokenMovementsUnder(instruction);
      if (movements.length === 0) return IGNORED;
      const accounts =
        knownAccounts(name, swap, instruction, movements) ??
        recognisedAccounts(name, view, movements);
      if (accounts === null) return unknown(instruction.data, Math.max(1, swap.tag.length));
      return decodeSwap(instruction, view, accounts);
    },
  };
}

function decodeSwap(
  instruction: Instruction,
  view: TransactionView,
  accounts: SwapAccounts,
): DecodeResult {
  const shared = ownsBothVaults(view, accounts) ? {} : { areVaultsShared: true as const };
  const reading = readSwap(view, instruction, { ...accounts, ...shared });
  if (reading.status !== 'event') return resultOf(reading);
  return events({ ...reading.event, legsOnly: true });
}

/** Where somebody else owns the vaults, nobody knows whether other pools hold tokens there too. */
function ownsBothVaults(view: TransactionView, { pool, vaults }: SwapAccounts): boolean {
  const address = view.transaction.keys.at(pool);
  return vaults.every((vault) => view.tokenAccount(vault)?.owner === address);
}

function knownAccounts(
  venue: Venue,
  swap: LegsOnlySwap,
  instruction: Instruction,
  movements: readonly TokenMovement[],
): SwapAccounts | null {
  if (!swap.tag.every((byte, index) => instruction.data[index] === byte)) return null;
  const at = (position: number) => instruction.accountIndex(position);
  const [one, other] = swap.vaults;
  const vaults = [at(one), at(other)] as const;
  const [first, second] = swap.userAccounts;
  const userAccounts = [at(first), at(second)] as const;
  const pool = at(swap.pool);
  if (pool < 0 || !vaults.every((vault) => vault >= 0 && isMoved(movements, vault))) return null;
  return { venue, pool, vaults, user: at(swap.user), userAccounts };
}

function isMoved(movements: readonly TokenMovement[], account: number): boolean {
  return movements.some(({ source, destination }) => source === account || destination === account);
}

/**
 * Two transfers of different mints that cross, one of them authorised by a signer: the trader's.
 * Where neither or both are, nobody can say which side is the pool, and there is no swap.
 */
function recognisedAccounts(
  venue: Venue,
  view: TransactionView,
  movements: readonly TokenMovement[],
): SwapAccounts | null {
  const transfers = movements.filter(({ kind, amount }) => kind === 'transfer' && amount > 0n);
  const [one, other] = transfers;
  if (one === undefined || other === undefined || transfers.length !== 2) return null;
  if (one.mint === other.mint || view.isSigner(one.authority) === view.isSigner(other.authority)) {
    return null;
  }
  const [paid, got] = view.isSigner(one.authority) ? [one, other] : [other, one];
  if (!isCrossing(view, paid, got)) return null;
  const vaults = [paid.destination, got.source] as const;
  const pool = poolOf(view, vaults);
  if (pool === null) return null;
  const userAccounts = [paid.source, got.destination] as const;
  return { venue, pool, vaults, user: paid.authority, userAccounts };
}

/** The trader owns both ends on its side, or somebody both ends on the other. */
function isCrossing(view: TransactionView, paid: TokenMovement, got: TokenMovement): boolean {
  const ownerOf = (account: number) => view.tokenAccount(account)?.owner ?? null;
  const isSame = (one: number, other: number) =>
    ownerOf(one) !== null && ownerOf(one) === ownerOf(other);
  return isSame(paid.source, got.destination) || isSame(paid.destination, got.source);
}

function poolOf(view: TransactionView, vaults: readonly [number, number]): number | null {
  const [one, other] = vaults;
  const owner = view.tokenAccount(one)?.owner ?? null;
  if (owner !== null && owner === view.tokenAccount(other)?.owner) {
    const index = view.transaction.keys.indexOf(owner);
    if (index >= 0) return index;
  }
  const pair = orientPair(view, one, other);
  return typeof pair === 'string' ? null : pair.base;
}
