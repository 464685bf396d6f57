/**
 * Jupiter Lock, program LocpQguc…: vesting escrows.
 *
 * An escrow unlocks a first amount at its cliff and equal parts in the following periods. The
 * locked amount is read from the transfers between the instruction and its token account. A root
 * escrow only collects tokens for escrows that are created from it later, under terms of which the
 * chain has only a hash; it is not a lock yet.
 */

import { BorshReader } from '../../model/borsh-reader.ts';
import type { LockTerms } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { Address } from '../../model/units.ts';
import { readTokenLock, termsOf } from '../families/token-lock.ts';
import { type DecodeResult, type Decoder, IGNORED, malformed, unknown } from '../legs/decoder.ts';
import { anchorLayout } from '../transaction/anchor-layout.ts';
import { isSelfEvent } from '../transaction/discriminator.ts';
import { accountsOf, eventTable, instructionTable } from '../transaction/program-layout.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

/** Known from the program's source (jup-ag/jup-lock). */
export const jupiterLockLayout = anchorLayout({
  instructions: {
    create_vesting_escrow: { escrow_token: 2, sender: 3 },
    create_vesting_escrow_v2: { escrow_token: 3, sender: 4 },
    create_vesting_escrow_from_root: { escrow_token: 3 },
    claim: { escrow_token: 1 },
    claim_v2: { escrow_token: 2 },
    cancel_vesting_escrow: { escrow_token: 2 },
  },
  ignoredInstructions: [
    'close_vesting_escrow',
    'create_root_escrow',
    'create_vesting_escrow_metadata',
    'fund_root_escrow',
    'update_vesting_escrow_recipient',
  ],
  events: {},
  ignoredEvents: [
    'EventCancelVestingEscrow',
    'EventClaim',
    'EventCloseVestingEscrow',
    'EventCreateRootEscrow',
    'EventCreateVestingEscrow',
    'EventFundRootEscrow',
    'EventUpdateVestingEscrowRecipient',
  ],
});

const INSTRUCTIONS = instructionTable(jupiterLockLayout);
const EVENTS = eventTable(jupiterLockLayout);
const locker = 'jupiter_lock';

export const jupiterLock: Decoder = {
  name: locker,
  programId: 'LocpQgucEQHbqNABEYvBvwoxCPsSbG91A1QaQhQQqjn' as Address,
  isVenue: false,
  decode(instruction, view) {
    const { data } = instruction;
    if (isSelfEvent(data)) {
      return EVENTS.get(data, 8) === undefined ? unknown(data.subarray(8), 8) : IGNORED;
    }
    const { instructions } = jupiterLockLayout;
    const name = INSTRUCTIONS.get(data);
    switch (name) {
      case 'create_vesting_escrow':
      case 'create_vesting_escrow_v2': {
        const at = accountsOf(instruction, instructions[name]);
        return decodeCreate(instruction, view, at.escrow_token, at.sender);
      }
      case 'create_vesting_escrow_from_root': {
        const at = accountsOf(instruction, instructions[name]);
        return decodeCreate(instruction, view, at.escrow_token, -1);
      }
      case 'claim':
      case 'claim_v2':
      case 'cancel_vesting_escrow': {
        const { escrow_token: escrow } = accountsOf(instruction, instructions[name]);
        return readTokenLock(view, instruction, { locker, escrow, owner: -1 }, null);
      }
      case 'ignored':
        return IGNORED;
      default:
        return unknown(data, 8);
    }
  },
};

function decodeCreate(
  instruction: Instruction,
  view: TransactionView,
  escrow: number,
  owner: number,
): DecodeResult {
  const terms = readTerms(instruction.data);
  if (terms === null) return malformed('escrow parameters cut short');
  return readTokenLock(view, instruction, { locker, escrow, owner }, terms);
}

/**
 * Parameters: vesting start, cliff time, period in seconds, amount at the cliff, amount per period,
 * number of periods, who may change the recipient, who may cancel (0: nobody). Without a period's
 * length or amount there is only the cliff.
 */
function readTerms(data: Uint8Array): LockTerms | null {
  const reader = new BorshReader(data, 8);
  reader.skip(8);
  const cliffTime = reader.u64();
  const periodSeconds = reader.u64();
  const cliffAmount = reader.u64();
  const amountPerPeriod = reader.u64();
  const numberOfPeriod = reader.u64();
  reader.skip(1);
  const cancelMode = reader.u8();
  if (reader.isShort) return null;
  const periodCount = periodSeconds === 0n || amountPerPeriod === 0n ? 0n : numberOfPeriod;
  return termsOf({ cliffTime, cliffAmount, periodSeconds, periodCount }, cancelMode !== 0);
}
