import type { Instruction } from '../../model/instruction.ts';
import type { Venue } from '../../model/program.ts';
import { asAddress } from '../../model/units.ts';
import type { TokenMovement } from '../transaction/token-movements.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';
import { type DecodeResult, type Decoder, events, IGNORED, resultOf, unknown } from './decoder.ts';
import { orientPair } from './pool-pair.ts';
import { accountsOfForm, formOf, parseForms, type SwapForm } from './swap-form.ts';
import { readSwap, type SwapAccounts } from './swap-legs.ts';

/** A program without a published interface, and its swap forms known from transactions. */
export interface LegsOnlyProgram {
  readonly name: Venue;
  readonly programId: string;
  readonly swaps: readonly SwapForm[];
  /**
   * Position of the pool in swaps that are recognised by their transfers, if it is the same in
   * every instruction.
   */
  readonly recognisedPool?: number;
  /** Other instructions exchange tokens without being swaps, so only the known forms are read. */
  readonly hasOtherExchanges?: true;
}

/**
 * Decodes swaps of a program without a published interface: the amounts its vaults received and
 * paid, and nothing else (`legsOnly`). An instruction of an unknown form, or whose known accounts
 * did not move, is a swap if its transfers alone show one. An instruction that moves no tokens is
 * ignored; any other that moves tokens is unknown.
 *
 * The pool of a swap recognised by transfers is the account at its known position, otherwise the
 * owner of both vaults, otherwise the vault of the base token. It is the same for every swap
 * between these vaults, in either direction.
 */
export function legsOnlyDecoder(program: LegsOnlyProgram): Decoder {
  const { name, recognisedPool } = program;
  const forms = parseForms(program.swaps);
  const tagBytes = Math.max(1, ...forms.map(({ tag }) => tag.length));
  return {
    name,
    programId: asAddress(program.programId),
    isVenue: true,
    decode(instruction, view) {
      const movements = view.tokenMovementsUnder(instruction);
      if (movements.length === 0) return IGNORED;
      const form = formOf(forms, instruction.data);
      const known = form === null ? null : accountsOfForm(name, form, instruction);
      if (known !== null && areMoved(known, movements)) {
        return decodeSwap(instruction, view, known);
      }
      const pool = recognisedPool === undefined ? -1 : instruction.accountIndex(recognisedPool);
      const recognised = program.hasOtherExchanges
        ? null
        : recognisedAccounts(name, pool, view, movements);
      if (recognised === null) return unknown(instruction.data, tagBytes);
      return decodeSwap(instruction, view, recognised);
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

/** False when the pool does not own the vaults: other pools may then hold tokens in them too. */
function ownsBothVaults(view: TransactionView, { pool, vaults }: SwapAccounts): boolean {
  const address = view.transaction.keys.at(pool);
  return vaults.every((vault) => view.tokenAccount(vault)?.owner === address);
}

/** True when the pool is present and both its vaults moved. */
function areMoved({ pool, vaults }: SwapAccounts, movements: readonly TokenMovement[]): boolean {
  return pool >= 0 && vaults.every((vault) => vault >= 0 && isMoved(movements, vault));
}

function isMoved(movements: readonly TokenMovement[], account: number): boolean {
  return movements.some(({ source, destination }) => source === account || destination === account);
}

/**
 * Two crossing transfers of different mints, one of them authorised by a signer: the trader's. When
 * neither or both are, the pool's side cannot be determined and there is no swap.
 */
function recognisedAccounts(
  venue: Venue,
  knownPool: number,
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
  const pool = knownPool >= 0 ? knownPool : poolOf(view, vaults);
  if (pool === null) return null;
  const userAccounts = [paid.source, got.destination] as const;
  return { venue, pool, vaults, user: paid.authority, userAccounts };
}

/** The trader owns both ends on its side, or one owner has both ends on the other side. */
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
