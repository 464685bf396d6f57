import { BorshReader } from '../../model/borsh-reader.ts';
import type {
  AuthorityChange,
  ChainEvent,
  MintCreated,
  SolTransfer,
  TokenTransfer,
} from '../../model/chain-event.ts';
import type { EventPosition } from '../../model/event-position.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { MintExtension, MintExtensionFact } from '../../model/mint-extension.ts';
import { type Address, asLamports, asRawAmount } from '../../model/units.ts';
import { type DecodeResult, events, IGNORED, malformed, unknown } from '../legs/decoder.ts';
import { isNativeMint } from '../transaction/close-refund.ts';
import { forEachTokenCall } from '../transaction/token-calls.ts';
import type { TokenMovement } from '../transaction/token-movements.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';
import { readMintExtension } from './mint-extensions.ts';

/** How an instruction of a token program is handled. Movements are read from the ledger. */
export type TokenAction =
  | 'initializeMint'
  | 'setAuthority'
  | 'movement'
  | 'unwrapLamports'
  | 'mintExtension'
  | 'ignored';

/** Tags shared by both token programs (spl-token and p-token `TokenInstruction`). */
export const TOKEN_ACTIONS: Readonly<Record<number, TokenAction>> = {
  0: 'initializeMint',
  1: 'ignored', // InitializeAccount
  2: 'ignored', // InitializeMultisig
  3: 'movement', // Transfer
  4: 'ignored', // Approve
  5: 'ignored', // Revoke
  6: 'setAuthority',
  7: 'movement', // MintTo
  8: 'movement', // Burn
  9: 'movement', // CloseAccount
  10: 'ignored', // FreezeAccount
  11: 'ignored', // ThawAccount
  12: 'movement', // TransferChecked
  13: 'ignored', // ApproveChecked
  14: 'movement', // MintToChecked
  15: 'movement', // BurnChecked
  16: 'ignored', // InitializeAccount2
  17: 'movement', // SyncNative
  18: 'ignored', // InitializeAccount3
  19: 'ignored', // InitializeMultisig2
  20: 'initializeMint', // InitializeMint2
  21: 'ignored', // GetAccountDataSize
  22: 'ignored', // InitializeImmutableOwner
  23: 'ignored', // AmountToUiAmount
  24: 'ignored', // UiAmountToAmount
  38: 'ignored', // WithdrawExcessLamports: the record does not show the amount
  45: 'unwrapLamports',
};

/** The action of one call, from its data; undefined for an unknown tag. */
export type ActionOf = (data: Uint8Array) => TokenAction | undefined;

/** One call: an instruction, or one part of a batch. */
interface TokenCall {
  readonly instruction: Instruction;
  readonly data: Uint8Array;
  readonly firstAccount: number;
}

/**
 * Decodes an instruction of a token program, part by part if it is a batch. When one part cannot be
 * decoded, its result is reported for the whole instruction; the events of the other parts are
 * never reported alone.
 */
export function decodeTokenInstruction(
  instruction: Instruction,
  view: TransactionView,
  actionOf: ActionOf,
): DecodeResult {
  const movements = view.movementsOf(instruction);
  const results: DecodeResult[] = [];
  let next = 0;
  forEachTokenCall(instruction, (data, firstAccount) => {
    const action = actionOf(data);
    const movement = action === 'movement' ? movements[next++] : undefined;
    results.push(decodeCall({ instruction, data, firstAccount }, view, action, movement));
  });
  const [first] = results;
  return results.length === 1 && first !== undefined ? first : combined(results);
}

function combined(results: readonly DecodeResult[]): DecodeResult {
  const found: ChainEvent[] = [];
  for (const result of results) {
    if (result.status === 'unknown' || result.status === 'malformed') return result;
    if (result.status === 'event') found.push(...result.events);
  }
  return found.length === 0 ? IGNORED : events(...found);
}

function decodeCall(
  call: TokenCall,
  view: TransactionView,
  action: TokenAction | undefined,
  movement: TokenMovement | undefined,
): DecodeResult {
  switch (action) {
    case 'initializeMint':
      return decodeInitializeMint(call);
    case 'setAuthority':
      return decodeSetAuthority(call);
    case 'movement':
      return movement === undefined ? malformed('no amount') : decodeMovement(movement, view);
    case 'unwrapLamports':
      return decodeUnwrapLamports(call, view);
    case 'mintExtension':
      return decodeMintExtension(call);
    case 'ignored':
      return IGNORED;
    default:
      return call.data.length === 0 ? malformed('no data') : unknown(call.data, 1);
  }
}

/** Data: tag, decimals, mint authority, whether a freeze authority follows, freeze authority. */
function decodeInitializeMint({ instruction, data, firstAccount }: TokenCall): DecodeResult {
  const mint = instruction.account(firstAccount);
  const reader = new BorshReader(data, 1);
  const decimals = reader.u8();
  const mintAuthority = reader.address();
  const freezeAuthority = reader.bool() ? reader.address() : null;
  if (mint === null || reader.isShort) return malformed('mint initialisation cut short');
  const event: MintCreated = {
    kind: 'mintCreated',
    ...positionOf(instruction),
    mint,
    decimals,
    tokenProgram: instruction.programId,
    mintAuthority,
    freezeAuthority,
  };
  return events(event);
}

/** Authority types of every mint; the other types concern accounts and extensions. */
const AUTHORITY_KINDS: readonly AuthorityChange['authorityKind'][] = ['mint', 'freeze'];
/** The only other authority type with power over all holders' tokens. */
const PERMANENT_DELEGATE = 8;

/** Data: tag, authority type, whether a new authority follows, new authority. */
function decodeSetAuthority({ instruction, data, firstAccount }: TokenCall): DecodeResult {
  const mint = instruction.account(firstAccount);
  const reader = new BorshReader(data, 1);
  const authorityType = reader.u8();
  const authorityKind = AUTHORITY_KINDS[authorityType];
  const newAuthority = reader.bool() ? reader.address() : null;
  if (mint === null || reader.isShort) return malformed('authority change cut short');
  if (authorityType === PERMANENT_DELEGATE) {
    const extension = { kind: 'permanentDelegate', delegate: newAuthority } as const;
    return extensionOf(instruction, mint, extension);
  }
  if (authorityKind === undefined) return IGNORED;
  const event: AuthorityChange = {
    kind: 'authority',
    ...positionOf(instruction),
    mint,
    authorityKind,
    newAuthority,
  };
  return events(event);
}

function decodeMintExtension({ instruction, data, firstAccount }: TokenCall): DecodeResult {
  const mint = instruction.account(firstAccount);
  const extension = readMintExtension(data);
  if (mint === null || extension === null) return malformed('mint extension cut short');
  return extensionOf(instruction, mint, extension);
}

function extensionOf(
  instruction: Instruction,
  mint: Address,
  extension: MintExtensionFact,
): DecodeResult {
  const event: MintExtension = {
    kind: 'mintExtension',
    ...positionOf(instruction),
    mint,
    extension,
  };
  return events(event);
}

function decodeMovement(movement: TokenMovement, view: TransactionView): DecodeResult {
  switch (movement.kind) {
    case 'close':
      return decodeClose(movement, view);
    case 'sync':
      // The lamports arrived by a system transfer, which is a separate event.
      return IGNORED;
    case 'transfer':
      return view.isVenueLeg(movement.instruction) ? IGNORED : decodeTransfer(movement, view);
    default:
      // A venue's event does not report what it minted and burned, which the supply depends on.
      return decodeTransfer(movement, view);
  }
}

function decodeTransfer(movement: TokenMovement, view: TransactionView): DecodeResult {
  const { instruction, kind, source, destination, mint, amount, fee } = movement;
  const isComplete = (kind === 'mintTo' || source >= 0) && (kind === 'burn' || destination >= 0);
  if (!isComplete) return malformed('too few accounts');
  if (amount === 0n) return IGNORED;
  if (mint === null) return malformed('the record does not tell the mint');
  const event: TokenTransfer = {
    kind: 'tokenTransfer',
    ...positionOf(instruction),
    transferKind: kind === 'mintTo' || kind === 'burn' ? kind : 'transfer',
    mint,
    fromOwner: view.tokenAccount(source)?.owner ?? null,
    toOwner: view.tokenAccount(destination)?.owner ?? null,
    amountGross: asRawAmount(amount),
    feeWithheld: asRawAmount(fee ?? 0n),
  };
  return events(event);
}

/** Rent of a token account without extensions. */
const RENT_LAMPORTS = 2_039_280n;

/** The lamports of a closed account come from its owner: refunded rent, and unwrapped SOL. */
function decodeClose(close: TokenMovement, view: TransactionView): DecodeResult {
  const { instruction, source, destination } = close;
  if (source < 0 || destination < 0) return malformed('too few accounts');
  const lamports = view.lamportsAtClose(close);
  if (lamports === null) return IGNORED;
  const left = { instruction, source, destination, lamports, rentLamports: RENT_LAMPORTS };
  return events(...refund(view, left));
}

/**
 * Data: tag, whether an amount follows, amount. Without an amount everything is unwrapped, and the
 * record does not show how much.
 */
function decodeUnwrapLamports(call: TokenCall, view: TransactionView): DecodeResult {
  const { instruction, data, firstAccount } = call;
  const source = instruction.accountIndex(firstAccount);
  const destination = instruction.accountIndex(firstAccount + 1);
  const reader = new BorshReader(data, 1);
  const lamports = reader.bool() ? reader.u64() : 0n;
  if (reader.isShort || source < 0 || destination < 0) return malformed('unwrapping cut short');
  if (lamports === 0n) return IGNORED;
  return events(...refund(view, { instruction, source, destination, lamports, rentLamports: 0n }));
}

/** Lamports that left a token account; accounts are key indexes. */
interface LeftLamports {
  readonly instruction: Instruction;
  readonly source: number;
  readonly destination: number;
  readonly lamports: bigint;
  /** The part of them that is rent, at most. */
  readonly rentLamports: bigint;
}

/**
 * The refund, and as a payment of its own what goes beyond rent to somebody else's wallet: who may
 * close an account can pay with it. Accounts of programs, which do not sign, pay out trades.
 */
function refund(view: TransactionView, left: LeftLamports): SolTransfer[] {
  const { instruction, source, destination, lamports, rentLamports } = left;
  const account = view.tokenAccount(source);
  const to = view.transaction.keys.at(destination);
  const owner = account?.owner ?? null;
  const payee = view.tokenAccount(destination)?.owner ?? to;
  const isPaying =
    owner !== null &&
    owner !== payee &&
    lamports > rentLamports &&
    view.hasSigned(owner) &&
    !view.isVenueLeg(instruction);
  const paid = isPaying ? lamports - rentLamports : 0n;
  const refunded: SolTransfer = {
    kind: 'solTransfer',
    ...positionOf(instruction),
    transferKind: isNativeMint(account?.mint ?? null) ? 'unwrap' : 'closeRefund',
    from: owner ?? view.transaction.keys.at(source),
    to,
    lamports: asLamports(lamports - paid),
  };
  if (paid === 0n) return [refunded];
  const payment: SolTransfer = {
    ...refunded,
    transferKind: 'transfer',
    to: payee,
    lamports: asLamports(paid),
  };
  return refunded.lamports === 0n ? [payment] : [refunded, payment];
}

function positionOf({ outerIx, innerIx }: Instruction): EventPosition {
  return { outerIx, innerIx };
}
