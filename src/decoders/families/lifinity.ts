import type { Instruction } from '../../model/instruction.ts';
import type { Venue } from '../../model/program.ts';
import type { Address } from '../../model/units.ts';
import { type DecodeResult, type Decoder, resultOf, unknown } from '../legs/decoder.ts';
import { readLiquidity } from '../legs/liquidity-legs.ts';
import { readSwap } from '../legs/swap-legs.ts';
import { anchorLayout } from '../transaction/anchor-layout.ts';
import { accountsOf, instructionTable } from '../transaction/program-layout.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

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

const INSTRUCTIONS = instructionTable(lifinityLayout);

/**
 * The decoder of one of Lifinity's programs, which price by an oracle and have the same interface.
 * Amounts are read from the transfers between the instruction and the two vaults. The instructions
 * that create pools are not published; a pool is first recorded with its first deposit or swap.
 */
export function lifinityDecoder(venue: Venue, programId: Address): Decoder {
  return {
    name: venue,
    programId,
    isVenue: true,
    decode(instruction, view) {
      const { deposit_all_token_types, withdraw_all_token_types } = lifinityLayout.instructions;
      switch (INSTRUCTIONS.get(instruction.data)) {
        case 'swap':
          return decodeSwap(venue, instruction, view);
        case 'deposit_all_token_types':
          return decodeLiquidity(
            venue,
            accountsOf(instruction, deposit_all_token_types),
            instruction,
            view,
          );
        case 'withdraw_all_token_types':
          return decodeLiquidity(
            venue,
            accountsOf(instruction, withdraw_all_token_types),
            instruction,
            view,
          );
        default:
          return unknown(instruction.data, 8);
      }
    },
  };
}

function decodeSwap(venue: Venue, instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, lifinityLayout.instructions.swap);
  const reading = readSwap(view, instruction, {
    venue,
    pool: at.amm,
    vaults: [at.swap_source, at.swap_destination],
    user: at.user_transfer_authority,
    userAccounts: [at.source_info, at.destination_info],
  });
  return resultOf(reading);
}

function decodeLiquidity(
  venue: Venue,
  at: Record<'amm' | 'user_transfer_authority_info' | 'token_a' | 'token_b' | 'pool_mint', number>,
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  const reading = readLiquidity(view, instruction, {
    venue,
    pool: at.amm,
    vaults: [at.token_a, at.token_b],
    provider: at.user_transfer_authority_info,
    lpMint: at.pool_mint,
  });
  return resultOf(reading);
}
