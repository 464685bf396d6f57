/**
 * Jupiter Lock, program LocpQguc…: vesting escrows.
 *
 * An escrow unlocks a first amount at its cliff and equal parts in the following periods. The
 * locked amount is read from the transfers between the instruction and its token account. A root
 * escrow only collects tokens for escrows that are created from it later, under terms of which the
 * chain has only a hash; it is not a lock yet.
 */

import type { LockTerms } from '../../model/chain-event.ts';
import { type LockRoles, termsOf, tokenLock, tokenLockWith } from '../families/token-lock.ts';
import { programDecoder } from '../legs/program-decoder.ts';
import { anchorLayout } from '../transaction/anchor-layout.ts';
import { borshRecord } from '../transaction/borsh-record.ts';
import { DISCRIMINATOR_BYTES } from '../transaction/discriminator.ts';

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

const RELEASED = tokenLock({ escrow: 'escrow_token' });

export const jupiterLock = programDecoder({
  name: 'jupiter_lock',
  programId: 'LocpQgucEQHbqNABEYvBvwoxCPsSbG91A1QaQhQQqjn',
  layout: jupiterLockLayout,
  readers: {
    create_vesting_escrow: created({ escrow: 'escrow_token', owner: 'sender' }),
    create_vesting_escrow_v2: created({ escrow: 'escrow_token', owner: 'sender' }),
    create_vesting_escrow_from_root: created({ escrow: 'escrow_token' }),
    claim: RELEASED,
    claim_v2: RELEASED,
    cancel_vesting_escrow: RELEASED,
  },
});

function created<const Accounts extends string>(roles: LockRoles<Accounts>) {
  return tokenLockWith(roles, readTerms, 'escrow parameters cut short');
}

/** The last two are who may change the recipient and who may cancel (0: nobody). */
const PARAMETERS = borshRecord({
  vesting_start_time: 'u64',
  cliff_time: 'u64',
  frequency: 'u64',
  cliff_unlock_amount: 'u64',
  amount_per_period: 'u64',
  number_of_period: 'u64',
  update_recipient_mode: 'u8',
  cancel_mode: 'u8',
});

/** Without a period's length (in seconds) or amount there is only the cliff. */
function readTerms(data: Uint8Array): LockTerms | null {
  const parameters = PARAMETERS.read(data, DISCRIMINATOR_BYTES);
  if (parameters === null) return null;
  const { frequency: periodSeconds, amount_per_period, number_of_period } = parameters;
  const hasPeriods = periodSeconds > 0n && amount_per_period > 0n;
  return termsOf(
    {
      cliffTime: parameters.cliff_time,
      cliffAmount: parameters.cliff_unlock_amount,
      periodSeconds,
      periodCount: hasPeriods ? number_of_period : 0n,
    },
    parameters.cancel_mode !== 0,
  );
}
