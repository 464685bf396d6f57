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
import { type LockRoles, termsOf, tokenLock, tokenLockWith } from '../families/token-lock.ts';
import { programDecoder } from '../legs/program-decoder.ts';
import { anchorLayout } from '../transaction/anchor-layout.ts';

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
