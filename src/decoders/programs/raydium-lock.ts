/**
 * Raydium's liquidity locking ("burn and earn"), program LockrWmn….
 *
 * It locks LP tokens of CPMM pools, or the NFT of a CLMM position, permanently. The owner receives
 * an NFT that claims the earnings, and the locked tokens can never be withdrawn. Fees of CPMM
 * liquidity are paid by burning the small part of the locked LP tokens that the pool's growth has
 * released; fees of a position move no locked token.
 */

import { PERMANENT, tokenLock } from '../families/token-lock.ts';
import { programDecoder } from '../legs/program-decoder.ts';
import { anchorLayout } from '../transaction/anchor-layout.ts';

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

export const raydiumLock = programDecoder({
  name: 'raydium_lock',
  programId: 'LockrWmn6K5twhz3y9w1dQERbmgSaRkfnTeTKbpofwE',
  layout: raydiumLockLayout,
  readers: {
    lock_cp_liquidity: tokenLock(
      { escrow: 'locked_lp_vault', owner: 'liquidity_owner' },
      PERMANENT,
    ),
    lock_clmm_position: tokenLock(
      { escrow: 'locked_nft_account', owner: 'position_nft_owner' },
      PERMANENT,
    ),
    collect_cp_fees: tokenLock({ escrow: 'locked_lp_vault' }),
  },
});
