/**
 * The system program: SOL sent, and accounts funded as they are created.
 *
 * A transfer below a venue's instruction is a leg of its swap on a native curve, or a fee of it, and
 * told by the venue's event. Creating an account is told always: rent is no leg of anything.
 */
import { readU32 } from '../../lib/little-endian.ts';
import type { SolTransfer } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import { SYSTEM_PROGRAM } from '../../model/program.ts';
import type { Lamports } from '../../model/units.ts';
import {
  type DecodeResult,
  type Decoder,
  events,
  IGNORED,
  malformed,
  unknown,
} from '../legs/decoder.ts';
import { readSystemMovement } from '../transaction/system-movements.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

/** `SystemInstruction` tags (u32) that move lamports; a withdrawal from a nonce account does. */
const MOVING: ReadonlySet<number> = new Set([0, 2, 3, 5, 11, 13]);
/** The newest tag, CreateAccountAllowPrefund. Between the moving ones: nonces, space, owners. */
const TAG_MAX = 13;
const TAG_BYTES = 4;

export const system: Decoder = {
  name: 'system',
  programId: SYSTEM_PROGRAM,
  isVenue: false,
  decode(instruction, view) {
    const { data } = instruction;
    if (data.length < TAG_BYTES) return malformed('no tag');
    const tag = readU32(data, 0);
    if (MOVING.has(tag)) return decodeMovement(instruction, view);
    return tag <= TAG_MAX ? IGNORED : unknown(data, TAG_BYTES);
  },
};

function decodeMovement(instruction: Instruction, view: TransactionView): DecodeResult {
  const movement = readSystemMovement(instruction);
  if (movement === null) return malformed('no amount');
  const { kind, from, to, lamports } = movement;
  if (lamports === 0n) return IGNORED;
  if (from < 0 || to < 0) return malformed('too few accounts');
  if (kind === 'transfer' && view.isVenueLeg(instruction)) return IGNORED;
  const { keys } = view.transaction;
  const event: SolTransfer = {
    kind: 'solTransfer',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    transferKind: kind,
    from: keys.at(from),
    to: keys.at(to),
    lamports: lamports as Lamports,
  };
  return events(event);
}
