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
import { isSelfEvent } from '../transaction/discriminator.ts';
import {
  accountsOf,
  eventTable,
  instructionTable,
  type ProgramLayout,
} from '../transaction/program-layout.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

export const openbookV2Layout = {
  instructions: {
    place_take_order: {
      discriminator: '032c47031ac7cb55',
      accounts: {
        signer: 0,
        market: 2,
        market_base_vault: 6,
        market_quote_vault: 7,
        user_base_account: 9,
        user_quote_account: 10,
      },
    },
  },
  ignoredInstructions: {
    cancel_all_and_place_orders: '809bde3cba28e132',
    cancel_all_orders: 'c453f3ab1164a08f',
    cancel_order: '5f81edf00831df84',
    cancel_order_by_client_order_id: '73b2c908afb77b77',
    close_market: '589af8ba300e7bf4',
    close_open_orders_account: 'b04a73d236b35b67',
    close_open_orders_indexer: '67f9e5e7f7fdc588',
    consume_events: 'dd91b1341f2f3fc9',
    consume_given_events: 'd1e336046dac2947',
    create_market: '67e261ebc8bcfbfe',
    create_open_orders_account: 'ccb5afde287dbc47',
    create_open_orders_indexer: '404099ffd947f985',
    deposit: 'f223c68952e1f2b6',
    edit_order: 'fed0761dadf8c846',
    edit_order_pegged: '3ebb7d451add9d85',
    place_order: '33c29baf6d82606a',
    place_order_pegged: '8db9fb3f4a55d291',
    place_orders: '3c3f327b0cc53cbe',
    prune_orders: '1bd59fbf0c747079',
    refill: '80cf8e0b36e826c9',
    set_delegate: 'f21e2e4c6ceb80b5',
    set_market_expired: 'db52dbec3c73c540',
    settle_funds: 'ee40a3604bab1021',
    settle_funds_expired: '6b123845e43837a4',
    stub_oracle_close: '5c892d032d3c75e0',
    stub_oracle_create: 'ac3f65538d4cc7d8',
    stub_oracle_set: '6dc64f7941caa18e',
    sweep_fees: 'afe1624776422294',
  },
  events: {},
  ignoredEvents: {
    DepositLog: '8dbaa8fc6c8d485e',
    FillLog: '9617299498a2d740',
    MarketMetaDataLog: 'd157d4eca43a3c75',
    OpenOrdersPositionLog: 'c4f99421a8e44906',
    SetDelegateLog: '3582975c6d399170',
    SettleFundsLog: '0a32f075ed43e6e9',
    SweepFeesLog: 'd2f21a4d5e30ff3d',
    TotalOrderFillEvent: '08eb303aae4c9c69',
  },
} satisfies ProgramLayout;

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
