/**
 * OpenBook v2 order books, program opnb2LAf….
 *
 * `place_take_order` trades and settles at once: its swap is read from the transfers between the
 * instruction and the market's two vaults. Every other order pays in when it is placed and is
 * settled later, for many fills together, by `settle_funds`. Neither of these is a trade.
 */

import type { Instruction } from '../../model/instruction.ts';
import type { Address } from '../../model/units.ts';
import { type DecodeResult, type Decoder, IGNORED, resultOf, unknown } from '../legs/decoder.ts';
import { readSwap } from '../legs/swap-legs.ts';
import { anchorLayout } from '../transaction/anchor-layout.ts';
import { isSelfEvent } from '../transaction/discriminator.ts';
import { accountsOf, eventTable, instructionTable } from '../transaction/program-layout.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

export const openbookV2Layout = anchorLayout({
  instructions: {
    place_take_order: {
      signer: 0,
      market: 2,
      market_base_vault: 6,
      market_quote_vault: 7,
      user_base_account: 9,
      user_quote_account: 10,
    },
  },
  ignoredInstructions: [
    'cancel_all_and_place_orders',
    'cancel_all_orders',
    'cancel_order',
    'cancel_order_by_client_order_id',
    'close_market',
    'close_open_orders_account',
    'close_open_orders_indexer',
    'consume_events',
    'consume_given_events',
    'create_market',
    'create_open_orders_account',
    'create_open_orders_indexer',
    'deposit',
    'edit_order',
    'edit_order_pegged',
    'place_order',
    'place_order_pegged',
    'place_orders',
    'prune_orders',
    'refill',
    'set_delegate',
    'set_market_expired',
    'settle_funds',
    'settle_funds_expired',
    'stub_oracle_close',
    'stub_oracle_create',
    'stub_oracle_set',
    'sweep_fees',
  ],
  events: {},
  ignoredEvents: [
    'DepositLog',
    'FillLog',
    'MarketMetaDataLog',
    'OpenOrdersPositionLog',
    'SetDelegateLog',
    'SettleFundsLog',
    'SweepFeesLog',
    'TotalOrderFillEvent',
  ],
});

const INSTRUCTIONS = instructionTable(openbookV2Layout);
const EVENTS = eventTable(openbookV2Layout);

export const openbookV2: Decoder = {
  name: 'openbook_v2',
  programId: 'opnb2LAfJYbRMAHHvqjCwQxanZn7ReEHp1k81EohpZb' as Address,
  isVenue: true,
  decode(instruction, view) {
    const { data } = instruction;
    if (isSelfEvent(data)) {
      return EVENTS.get(data, 8) === undefined ? unknown(data.subarray(8), 8) : IGNORED;
    }
    switch (INSTRUCTIONS.get(data)) {
      case 'place_take_order':
        return decodeTake(instruction, view);
      case 'ignored':
        return IGNORED;
      default:
        return unknown(data, 8);
    }
  },
};

function decodeTake(instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, openbookV2Layout.instructions.place_take_order);
  const reading = readSwap(view, instruction, {
    venue: 'openbook_v2',
    pool: at.market,
    vaults: [at.market_base_vault, at.market_quote_vault],
    user: at.signer,
    userAccounts: [at.user_base_account, at.user_quote_account],
  });
  return resultOf(reading);
}
