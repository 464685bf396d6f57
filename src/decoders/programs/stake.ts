/**
 * The stake program: lamports withdrawn from a stake account are paid by whoever may withdraw them.
 * Moving stake between accounts of one authority pays nobody.
 */
import { readU32, readU64 } from '../../lib/little-endian.ts';
import type { SolTransfer } from '../../model/chain-event.ts';
import { STAKE_PROGRAM } from '../../model/program.ts';
import { asLamports } from '../../model/units.ts';
import { type Decoder, events, IGNORED, malformed, unknown } from '../legs/decoder.ts';
import { withdrawnLamports } from '../transaction/withdrawn-lamports.ts';

const WITHDRAW = 4;
/** The newest tag of `StakeInstruction` (u32), MoveLamports. */
const TAG_MAX = 17;
const TAG_BYTES = 4;
/** Rent of the 200 bytes of a stake account. */
const RENT_LAMPORTS = 2_282_880n;

export const stake: Decoder = {
  name: 'stake',
  programId: STAKE_PROGRAM,
  isVenue: false,
  decode(instruction, view) {
    const { data } = instruction;
    if (data.length < TAG_BYTES) return malformed('no tag');
    const tag = readU32(data, 0);
    if (tag > TAG_MAX) return unknown(data, TAG_BYTES);
    if (tag !== WITHDRAW) return IGNORED;
    if (data.length < TAG_BYTES + 8) return malformed('no amount');
    // Stake account, recipient, clock, stake history, withdraw authority.
    const account = instruction.accountIndex(0);
    const to = instruction.account(1);
    const authority = instruction.account(4);
    if (account < 0 || to === null || authority === null) return malformed('too few accounts');
    const amount = readU64(data, TAG_BYTES);
    const lamports = withdrawnLamports(view, account, amount, RENT_LAMPORTS);
    if (lamports === 0n || to === authority) return IGNORED;
    const event: SolTransfer = {
      kind: 'solTransfer',
      outerIx: instruction.outerIx,
      innerIx: instruction.innerIx,
      transferKind: 'transfer',
      from: authority,
      to,
      lamports: asLamports(lamports),
    };
    return events(event);
  },
};
