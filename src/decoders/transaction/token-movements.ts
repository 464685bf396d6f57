import { readU64 } from '../../lib/little-endian.ts';
import { BorshReader } from '../../model/borsh-reader.ts';
import type { Instruction } from '../../model/instruction.ts';
import { SPL_TOKEN_PROGRAM, TOKEN_2022_PROGRAM } from '../../model/program.ts';
import type { ChainTransaction } from '../../model/transaction.ts';
import type { Address } from '../../model/units.ts';
import { forEachTokenCall } from './token-calls.ts';

/** Known facts about a token account, from balances and from initialisations in the transaction. */
export interface TokenAccount {
  mint: Address | null;
  owner: Address | null;
  decimals: number | null;
}

export type MovementKind = 'transfer' | 'mintTo' | 'burn' | 'close' | 'sync';

/** One token operation that changed, or may have changed, a balance. Accounts are key indices. */
export interface TokenMovement {
  readonly instruction: Instruction;
  readonly kind: MovementKind;
  /** -1 for mintTo. */
  readonly source: number;
  /** -1 for burn, and the refunded account for close. */
  readonly destination: number;
  /** The authority that signed for it; -1 when none is needed. */
  readonly authority: number;
  mint: Address | null;
  readonly amount: bigint;
  /** Token-2022 transfer fee withheld at the destination; null until it is known. */
  fee: bigint | null;
}

/** All movements by the token programs in one transaction. */
export interface TokenLedger {
  /** In execution order. */
  readonly movements: readonly TokenMovement[];
  /** By key index. */
  readonly accounts: ReadonlyMap<number, TokenAccount>;
  readonly balances: ReadonlyMap<number, { readonly before: bigint; readonly after: bigint }>;
}

export function isTokenProgram(programId: Address): boolean {
  return programId === SPL_TOKEN_PROGRAM || programId === TOKEN_2022_PROGRAM;
}

/**
 * Reads the token instructions of a successful transaction and determines mints and transfer fees.
 */
export function readTokenLedger(transaction: ChainTransaction): TokenLedger {
  const accounts = new Map<number, TokenAccount>();
  const balances = new Map<number, { before: bigint; after: bigint }>();
  for (const { accountIndex, mint, owner, decimals, before, after } of transaction.tokenBalances) {
    accounts.set(accountIndex, { mint, owner, decimals });
    balances.set(accountIndex, { before, after });
  }
  const movements: TokenMovement[] = [];
  for (const instruction of transaction.instructions) {
    if (isTokenProgram(instruction.programId)) {
      const note: NoteAccount = (index, mint, owner) => noteAccount(accounts, index, mint, owner);
      forEachTokenCall(instruction, (data, firstAccount) =>
        readTokenCall(instruction, data, firstAccount, movements, note),
      );
    }
  }
  settleMints(movements, accounts);
  settleFees(movements, balances);
  return { movements, accounts, balances };
}

type NoteAccount = (index: number, mint: Address | null, owner: Address | null) => void;

/** Instruction tags of the token programs (spl-token `TokenInstruction`, Token-2022 extensions). */
const TAG = {
  initializeAccount: 1,
  transfer: 3,
  mintTo: 7,
  burn: 8,
  closeAccount: 9,
  transferChecked: 12,
  mintToChecked: 14,
  burnChecked: 15,
  initializeAccount2: 16,
  syncNative: 17,
  initializeAccount3: 18,
  transferFeeExtension: 26,
  permissionedBurnExtension: 46,
} as const;
const TRANSFER_CHECKED_WITH_FEE = 1;
const PERMISSIONED_BURN = 1;
const PERMISSIONED_BURN_CHECKED = 2;
const AMOUNT_BYTES = 9;

function readTokenCall(
  instruction: Instruction,
  data: Uint8Array,
  firstAccount: number,
  movements: TokenMovement[],
  note: NoteAccount,
): void {
  const tag = data[0];
  const at = (position: number) => instruction.accountIndex(firstAccount + position);
  const push = (
    kind: MovementKind,
    source: number,
    destination: number,
    authority: number,
    mintPosition: number,
    amount: bigint,
    fee: bigint | null,
  ) => {
    const mint = mintPosition < 0 ? null : instruction.account(firstAccount + mintPosition);
    movements.push({ instruction, kind, source, destination, authority, mint, amount, fee });
  };
  const noFee = instruction.programId === SPL_TOKEN_PROGRAM ? 0n : null;
  switch (tag) {
    case TAG.transfer:
      if (data.length >= AMOUNT_BYTES)
        push('transfer', at(0), at(1), at(2), -1, readU64(data, 1), noFee);
      break;
    case TAG.transferChecked:
      if (data.length >= AMOUNT_BYTES)
        push('transfer', at(0), at(2), at(3), 1, readU64(data, 1), noFee);
      break;
    case TAG.transferFeeExtension:
      if (data[1] === TRANSFER_CHECKED_WITH_FEE && data.length >= 19)
        push('transfer', at(0), at(2), at(3), 1, readU64(data, 2), readU64(data, 11));
      break;
    case TAG.mintTo:
    case TAG.mintToChecked:
      if (data.length >= AMOUNT_BYTES) push('mintTo', -1, at(1), at(2), 0, readU64(data, 1), 0n);
      break;
    case TAG.burn:
    case TAG.burnChecked:
      if (data.length >= AMOUNT_BYTES) push('burn', at(0), -1, at(2), 1, readU64(data, 1), 0n);
      break;
    case TAG.permissionedBurnExtension:
      if (isPermissionedBurn(data)) push('burn', at(0), -1, at(3), 1, readU64(data, 2), 0n);
      break;
    case TAG.closeAccount:
      push('close', at(0), at(1), at(2), -1, 0n, 0n);
      break;
    case TAG.syncNative:
      push('sync', at(0), at(0), -1, -1, 0n, 0n);
      break;
    case TAG.initializeAccount:
      note(at(0), instruction.account(firstAccount + 1), instruction.account(firstAccount + 2));
      break;
    case TAG.initializeAccount2:
    case TAG.initializeAccount3:
      note(at(0), instruction.account(firstAccount + 1), ownerArgument(data));
      break;
  }
}

/** Accounts: source, mint, the mint's burn authority, owner. Data: two tags, amount. */
function isPermissionedBurn(data: Uint8Array): boolean {
  const isBurn = data[1] === PERMISSIONED_BURN || data[1] === PERMISSIONED_BURN_CHECKED;
  return isBurn && data.length >= 10;
}

function ownerArgument(data: Uint8Array): Address | null {
  const reader = new BorshReader(data, 1);
  const owner = reader.address();
  return reader.isShort ? null : owner;
}

function noteAccount(
  accounts: Map<number, TokenAccount>,
  index: number,
  mint: Address | null,
  owner: Address | null,
): void {
  const known = accounts.get(index);
  if (known === undefined) accounts.set(index, { mint, owner, decimals: null });
  else {
    known.mint ??= mint;
    known.owner ??= owner;
  }
}

/**
 * A plain transfer names no mint. It is taken from either known account, also through chains of
 * transfers.
 */
function settleMints(movements: readonly TokenMovement[], accounts: Map<number, TokenAccount>) {
  let hasLearnt = true;
  while (hasLearnt) {
    hasLearnt = false;
    for (const movement of movements) hasLearnt = learnMint(movement, accounts) || hasLearnt;
  }
}

/**
 * Determines one movement's mint and assigns it to its accounts; true when anything new was learnt.
 */
function learnMint(movement: TokenMovement, accounts: Map<number, TokenAccount>): boolean {
  const { kind, source, destination } = movement;
  if (kind === 'sync' || kind === 'close') return false;
  const from = accounts.get(source)?.mint ?? null;
  const to = accounts.get(destination)?.mint ?? null;
  const mint = movement.mint ?? from ?? to;
  if (mint === null) return false;
  const isNewToSource = from === null && source >= 0;
  const isNewToDestination = to === null && destination >= 0;
  const isNew = movement.mint === null || isNewToSource || isNewToDestination;
  movement.mint = mint;
  if (isNewToSource) noteAccount(accounts, source, mint, null);
  if (isNewToDestination) noteAccount(accounts, destination, mint, null);
  return isNew;
}

/**
 * Token-2022 withholds transfer fees without stating them in the instruction. The difference
 * between an account's expected and actual gain is the fee of its incoming transfers.
 */
function settleFees(movements: readonly TokenMovement[], balances: TokenLedger['balances']): void {
  const open = movements.filter((m) => m.kind === 'transfer' && m.fee === null);
  if (open.length === 0) return;
  const feeBps = new Map<Address | null, bigint>();
  const destinations = new Set(open.map((m) => m.destination));
  for (const destination of destinations) {
    const balance = balances.get(destination);
    if (balance === undefined) continue;
    const incoming = open.filter((m) => m.destination === destination && m.source !== destination);
    const missing = expectedGain(movements, destination) - (balance.after - balance.before);
    if (missing > 0n && incoming.length > 0) shareFee(incoming, missing, feeBps);
  }
  for (const movement of open) {
    if (movement.fee !== null) continue;
    const bps = balances.has(movement.destination) ? undefined : feeBps.get(movement.mint);
    movement.fee = bps === undefined ? 0n : feeAt(movement.amount, bps);
  }
}

function expectedGain(movements: readonly TokenMovement[], account: number): bigint {
  let gain = 0n;
  for (const movement of movements) {
    if (movement.destination === account) gain += movement.amount - (movement.fee ?? 0n);
    if (movement.source === account) gain -= movement.amount;
  }
  return gain;
}

/** A single transfer accounts for the whole difference, at any rate; several share one rate. */
function shareFee(
  incoming: readonly TokenMovement[],
  missing: bigint,
  feeBps: Map<Address | null, bigint>,
): void {
  const bps = rateOf(incoming, missing);
  for (const movement of incoming) {
    if (bps !== null) {
      movement.fee = feeAt(movement.amount, bps);
      feeBps.set(movement.mint, bps);
    } else if (incoming.length === 1 && missing <= movement.amount) {
      movement.fee = missing;
    }
  }
}

/** The lowest rate at which the transfers' fees add up to `total`; null when there is none. */
function rateOf(transfers: readonly TokenMovement[], total: bigint): bigint | null {
  const feesAt = (bps: bigint) => transfers.reduce((sum, m) => sum + feeAt(m.amount, bps), 0n);
  let low = 0n;
  let high = BPS;
  while (low < high) {
    const middle = (low + high) / 2n;
    if (feesAt(middle) < total) low = middle + 1n;
    else high = middle;
  }
  return feesAt(low) === total ? low : null;
}

const BPS = 10_000n;

/** Token-2022 rounds its transfer fee up (spl-token-2022 `TransferFee::calculate`). */
function feeAt(amount: bigint, bps: bigint): bigint {
  return (amount * bps + BPS - 1n) / BPS;
}
