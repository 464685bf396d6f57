/**
 * PumpSwap pools, program pAMMBay6….
 *
 * Amounts are read from the transfers between the instruction and the pool's two token accounts.
 * The program's own event adds what transfers do not show: the fees, which of them stay in the
 * pool's vault without being its liquidity, and the signed reserves that the pool prices with in
 * addition to its vaults. An event that the transfers contradict quarantines the swap.
 */

import type { Instruction } from '../../model/instruction.ts';
import type { Address } from '../../model/units.ts';
import { decodeBoostBurn, decodeInitBoost } from '../families/pump-amm-boost.ts';
import { decodeCreatorChange, decodeSweep } from '../families/pump-amm-fees.ts';
import { pumpAmmLayout } from '../families/pump-amm-layout.ts';
import { decodeMultiHopSwap } from '../families/pump-amm-multi-hop.ts';
import { isOwnBase } from '../families/pump-amm-sides.ts';
import { decodePoolSwap } from '../families/pump-amm-swap.ts';
import { type DecodeResult, type Decoder, IGNORED, resultOf, unknown } from '../legs/decoder.ts';
import { readLiquidity, readPoolCreated } from '../legs/liquidity-legs.ts';
import { isSelfEvent } from '../transaction/discriminator.ts';
import { accountsOf, eventTable, instructionTable } from '../transaction/program-layout.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

const INSTRUCTIONS = instructionTable(pumpAmmLayout);
const EVENTS = eventTable(pumpAmmLayout);

export const pumpAmm: Decoder = {
  name: 'pump_amm',
  programId: 'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA' as Address,
  isVenue: true,
  decode(instruction, view) {
    const { data } = instruction;
    if (isSelfEvent(data)) {
      return EVENTS.get(data, 8) === undefined ? unknown(data.subarray(8), 8) : IGNORED;
    }
    const kind = INSTRUCTIONS.get(data);
    switch (kind) {
      case 'buy':
      case 'buy_exact_quote_in':
        return decodePoolSwap(instruction, view, true, 'paid');
      case 'sell':
        return decodePoolSwap(instruction, view, false, 'paid');
      case 'buy_v2':
      case 'buy_exact_quote_in_v2':
        return decodePoolSwap(instruction, view, true, 'kept');
      case 'sell_v2':
        return decodePoolSwap(instruction, view, false, 'kept');
      case 'multi_hop_swap':
        return decodeMultiHopSwap(instruction, view);
      case 'deposit':
      case 'withdraw':
        return decodeLiquidity(instruction, view);
      case 'create_pool':
        return decodeCreatePool(instruction, view);
      case 'init_boost':
        return decodeInitBoost(instruction, view);
      case 'boost_buy_and_burn':
        return decodeBoostBurn(instruction, view);
      case 'sweep_protocol_fee':
        return decodeSweep(instruction, view, 'protocol');
      case 'sweep_creator_fee':
        return decodeSweep(instruction, view, 'creator');
      case 'admin_cto_pool':
      case 'admin_set_coin_creator':
      case 'migrate_pool_coin_creator':
      case 'set_coin_creator':
        return decodeCreatorChange(
          instruction,
          view,
          pumpAmmLayout.instructions[kind].accounts.pool,
        );
      case 'ignored':
        return IGNORED;
      default:
        return unknown(data, 8);
    }
  },
};

function decodeLiquidity(instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, pumpAmmLayout.instructions.deposit);
  const { pool_base_token_account: base, pool_quote_token_account: quote } = at;
  const reading = readLiquidity(view, instruction, {
    venue: 'pump_amm',
    pool: at.pool,
    vaults: [base, quote],
    isBaseFirst: isOwnBase(view, base, quote),
    provider: at.user,
    lpMint: at.lp_mint,
  });
  return resultOf(reading);
}

function decodeCreatePool(instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, pumpAmmLayout.instructions.create_pool);
  const { pool_base_token_account: base, pool_quote_token_account: quote } = at;
  const reading = readPoolCreated(view, instruction, {
    venue: 'pump_amm',
    pool: at.pool,
    vaults: [base, quote],
    isBaseFirst: isOwnBase(view, base, quote),
    provider: at.creator,
    lpMint: at.lp_mint,
  });
  return resultOf(reading);
}
