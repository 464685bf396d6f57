/**
 * The system program: SOL transfers, and the funding of new accounts.
 *
 * A transfer below a venue's instruction is a leg or a fee of its swap on a native curve and part
 * of the venue's event. The creation of an account always yields an event, since rent is never a
 * leg.
 */
import { readU32 } from '../../lib/little-endian.ts';
import type { SolTransfer } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import { SYSTEM_PROGRAM } from '../../model/program.ts';
import { asLamports } from '../../model/units.ts';
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

/** `SystemInstruction` tags (u32) that move lamports, including withdrawals from nonce accounts. */
const MOVING: ReadonlySet<number> = new Set([0, 2, 3, 5, 11, 13]);
/**
 * The newest tag, CreateAccountAllowPrefund. Tags not listed above concern nonces, space and
 * owners.
 */
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
    lamports: asLamports(lamports),
  };
  return events(event);
}
