/**
 * The system program: SOL transfers, and the funding of new accounts.
 *
 * A transfer below a venue's instruction is a leg or a fee of its swap on a native curve and part
 * of the venue's event. The creation of an account always yields an event, since rent is never a
 * leg. What leaves a nonce account or an address with a seed is paid by whoever controls it, and
 * what is sent to an account of wrapped SOL is paid to its owner. Who fills an own one wraps SOL, and
 * pays nobody.
 */
import { readU32 } from '../../lib/little-endian.ts';
import type { SolTransfer } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import { SYSTEM_PROGRAM } from '../../model/program.ts';
import { type Address, asLamports } from '../../model/units.ts';
import {
  type DecodeResult,
  type Decoder,
  events,
  IGNORED,
  malformed,
  unknown,
} from '../legs/decoder.ts';
import { isNativeMint } from '../transaction/close-refund.ts';
import { readSystemMovement } from '../transaction/system-movements.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';
import { withdrawnLamports } from '../transaction/withdrawn-lamports.ts';

/** `SystemInstruction` tags (u32) that move lamports, including withdrawals from nonce accounts. */
const MOVING: ReadonlySet<number> = new Set([0, 2, 3, 5, 11, 13]);
/**
 * The newest tag, CreateAccountAllowPrefund. Tags not listed above concern nonces, space and
 * owners.
 */
const TAG_MAX = 13;
const TAG_BYTES = 4;
const WITHDRAW_NONCE_ACCOUNT = 5;
const TRANSFER_WITH_SEED = 11;
/** Rent of the 80 bytes of a nonce account. */
const NONCE_RENT_LAMPORTS = 1_447_680n;

export const system: Decoder = {
  name: 'system',
  programId: SYSTEM_PROGRAM,
  isVenue: false,
  decode(instruction, view) {
    const { data } = instruction;
    if (data.length < TAG_BYTES) return malformed('no tag');
    const tag = readU32(data, 0);
    if (MOVING.has(tag)) return decodeMovement(instruction, view, tag);
    return tag <= TAG_MAX ? IGNORED : unknown(data, TAG_BYTES);
  },
};

function decodeMovement(
  instruction: Instruction,
  view: TransactionView,
  tag: number,
): DecodeResult {
  const movement = readSystemMovement(instruction);
  if (movement === null) return malformed('no amount');
  const { kind, from, to } = movement;
  if (movement.lamports === 0n) return IGNORED;
  if (from < 0 || to < 0) return malformed('too few accounts');
  const lamports =
    tag === WITHDRAW_NONCE_ACCOUNT
      ? withdrawnLamports(view, from, movement.lamports, NONCE_RENT_LAMPORTS)
      : movement.lamports;
  if (lamports === 0n) return IGNORED;
  if (kind === 'transfer' && view.isVenueLeg(instruction)) return IGNORED;
  const { keys } = view.transaction;
  const payer = controllerOf(instruction, tag) ?? keys.at(from);
  const owner = kind === 'transfer' ? ownerOfWrapped(view, to) : null;
  const isOwn = owner === payer;
  const event: SolTransfer = {
    kind: 'solTransfer',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    transferKind: isOwn ? 'wrap' : kind,
    from: payer,
    to: isOwn || owner === null ? keys.at(to) : owner,
    lamports: asLamports(lamports),
  };
  return event.from === event.to ? IGNORED : events(event);
}

/** Null for an account that holds no wrapped SOL, or whose owner the record does not tell. */
function ownerOfWrapped(view: TransactionView, accountIndex: number): Address | null {
  const account = view.tokenAccount(accountIndex);
  return isNativeMint(account?.mint ?? null) ? (account?.owner ?? null) : null;
}

/** Who signs for an account that cannot: the nonce authority, the base of an address with a seed. */
function controllerOf(instruction: Instruction, tag: number): Address | null {
  if (tag === WITHDRAW_NONCE_ACCOUNT) return instruction.account(4);
  return tag === TRANSFER_WITH_SEED ? instruction.account(1) : null;
}
