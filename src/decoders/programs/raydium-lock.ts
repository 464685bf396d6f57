/**
 * Raydium's liquidity locking ("burn and earn"), program LockrWmn….
 *
 * It locks LP tokens of CPMM pools, or the NFT of a CLMM position, permanently. The owner receives
 * an NFT that claims the earnings, and the locked tokens can never be withdrawn. Fees of CPMM
 * liquidity are paid by burning the small part of the locked LP tokens that the pool's growth has
 * released; fees of a position move no locked token.
 */

import type { Address } from '../../model/units.ts';
import { PERMANENT, readTokenLock } from '../families/token-lock.ts';
import { type Decoder, IGNORED, unknown } from '../legs/decoder.ts';
import { anchorLayout } from '../transaction/anchor-layout.ts';
import { isSelfEvent } from '../transaction/discriminator.ts';
import { accountsOf, eventTable, instructionTable } from '../transaction/program-layout.ts';

/** Known from the program's published interface (carbon-raydium-liquidity-locking-decoder). */
export const raydiumLockLayout = anchorLayout({
  instructions: {
    lock_cp_liquidity: { liquidity_owner: 2, locked_lp_vault: 10 },
    lock_clmm_position: { position_nft_owner: 2, locked_nft_account: 7 },
    collect_cp_fees: { locked_lp_vault: 14 },
  },
  ignoredInstructions: ['collect_clmm_fees_and_rewards'],
  events: {},
  ignoredEvents: ['SettleCpFeeEvent'],
});

const INSTRUCTIONS = instructionTable(raydiumLockLayout);
const EVENTS = eventTable(raydiumLockLayout);
const locker = 'raydium_lock';

export const raydiumLock: Decoder = {
  name: locker,
  programId: 'LockrWmn6K5twhz3y9w1dQERbmgSaRkfnTeTKbpofwE' as Address,
  isVenue: false,
  decode(instruction, view) {
    const { data } = instruction;
    if (isSelfEvent(data)) {
      return EVENTS.get(data, 8) === undefined ? unknown(data.subarray(8), 8) : IGNORED;
    }
    const { instructions } = raydiumLockLayout;
    const name = INSTRUCTIONS.get(data);
    switch (name) {
      case 'lock_cp_liquidity': {
        const at = accountsOf(instruction, instructions[name]);
        const accounts = { locker, escrow: at.locked_lp_vault, owner: at.liquidity_owner } as const;
        return readTokenLock(view, instruction, accounts, PERMANENT);
      }
      case 'lock_clmm_position': {
        const at = accountsOf(instruction, instructions[name]);
        const [escrow, owner] = [at.locked_nft_account, at.position_nft_owner];
        return readTokenLock(view, instruction, { locker, escrow, owner }, PERMANENT);
      }
      case 'collect_cp_fees': {
        const { locked_lp_vault: escrow } = accountsOf(instruction, instructions[name]);
        return readTokenLock(view, instruction, { locker, escrow, owner: -1 }, null);
      }
      case 'ignored':
        return IGNORED;
      default:
        return unknown(data, 8);
    }
  },
};
