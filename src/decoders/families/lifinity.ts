import type { Venue } from '../../model/program.ts';
import type { Decoder } from '../legs/decoder.ts';
import { liquidity, swap } from '../legs/pool-readers.ts';
import { venueDecoder } from '../legs/program-decoder.ts';
import { anchorLayout } from '../transaction/anchor-layout.ts';

export const lifinityLayout = anchorLayout({
  instructions: {
    swap: {
      amm: 1,
      user_transfer_authority: 2,
      source_info: 3,
      destination_info: 4,
      swap_source: 5,
      swap_destination: 6,
    },
    deposit_all_token_types: {
      amm: 0,
      user_transfer_authority_info: 2,
      token_a: 5,
      token_b: 6,
      pool_mint: 7,
    },
    withdraw_all_token_types: {
      amm: 0,
      user_transfer_authority_info: 2,
      token_a: 4,
      token_b: 5,
      pool_mint: 6,
    },
  },
  ignoredInstructions: [],
  events: {},
  ignoredEvents: [],
});

const LIQUIDITY = liquidity({
  pool: 'amm',
  vaults: ['token_a', 'token_b'],
  provider: 'user_transfer_authority_info',
  lpMint: 'pool_mint',
});

/**
 * The decoder of one of Lifinity's programs, which price by an oracle and have the same interface.
 * Amounts are read from the transfers between the instruction and the two vaults. The instructions
 * that create pools are not published; a pool is first recorded with its first deposit or swap.
 */
export function lifinityDecoder(name: Venue, programId: string): Decoder {
  return venueDecoder({
    name,
    programId,
    layout: lifinityLayout,
    readers: {
      swap: swap({
        pool: 'amm',
        vaults: ['swap_source', 'swap_destination'],
        user: 'user_transfer_authority',
        userAccounts: ['source_info', 'destination_info'],
      }),
      deposit_all_token_types: LIQUIDITY,
      withdraw_all_token_types: LIQUIDITY,
    },
  });
}
