/**
 * OpenBook's first order books, program srmqPvym…, and Serum v3, program 9xQeWvG8…, whose code it
 * continues.
 *
 * An order pays into the market when it is placed. Its proceeds are fetched later by `SettleFunds`,
 * together with those of all orders since the last settlement. Neither is a trade, and the record
 * does not show which settlement belongs to which fill. Two cases are read:
 *
 * - `SendTake` trades and settles at once; its swap is read from the transfers between the
 *   instruction and the two vaults.
 * - Routers place an order that is filled at once or cancelled, and settle its open-orders account
 *   in the same transaction. The swap has the position of the settlement. It consists of the
 *   changes of the two vaults by the settlement and by the orders since the previous one. A
 *   router's open-orders account is empty before; a balance that another client's account still
 *   held would be included.
 */
import { readU32 } from '../../lib/little-endian.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { Venue } from '../../model/program.ts';
import { asAddress } from '../../model/units.ts';
import { type DecodeResult, type Decoder, IGNORED, resultOf, unknown } from '../legs/decoder.ts';
import { readSwap, type SwapAccounts } from '../legs/swap-legs.ts';
import { accountsOf } from '../transaction/program-layout.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

/** Accounts of `SendTake`, with the names of the program's source. */
export const sendTakeAccounts = {
  market: 0,
  coin_wallet: 5,
  pc_wallet: 6,
  signer: 7,
  coin_vault: 8,
  pc_vault: 9,
};

/** Accounts of `NewOrderV3`, with the names of the program's source. */
export const newOrderAccounts = { market: 0, open_orders: 1, order_payer: 6 };

/** Accounts of `SettleFunds`, with the names of the program's source. */
export const settleFundsAccounts = {
  market: 0,
  open_orders: 1,
  owner: 2,
  coin_vault: 3,
  pc_vault: 4,
  coin_wallet: 5,
  pc_wallet: 6,
};

const SETTLE_FUNDS = 5;
const NEW_ORDER_V3 = 10;
const SEND_TAKE = 13;
/** Preceded by side, limit price, two quantities and the self-trade rule. */
const ORDER_TYPE_OFFSET = 5 + 4 + 8 + 8 + 8 + 4;
const IMMEDIATE_OR_CANCEL = 1;
/** The last tag of the program's `MarketInstruction`, `ReplaceOrdersByClientIds`. */
const LAST_TAG = 20;
const VERSION_BYTES = 1;
const TAG_BYTES = 4;

export const openbookV1 = orderBook('openbook_v1', 'srmqPvymJeFKQ4zGQed1GFppgkRHL9kaELCbyksJtPX');
export const serumV3 = orderBook('serum_v3', '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin');

function orderBook(name: Venue, programId: string): Decoder {
  return {
    name,
    programId: asAddress(programId),
    isVenue: true,
    decode(instruction, view) {
      const tag = tagOf(instruction.data);
      if (tag === SEND_TAKE) return decodeSendTake(name, instruction, view);
      if (tag === SETTLE_FUNDS) return decodeSettlement(name, instruction, view);
      if (tag !== null && tag <= LAST_TAG) return IGNORED;
      return unknown(instruction.data, VERSION_BYTES + TAG_BYTES);
    },
  };
}

/** Data: version 0 (u8), tag (u32), arguments. Null for anything else. */
function tagOf(data: Uint8Array): number | null {
  if (data.length < VERSION_BYTES + TAG_BYTES || data[0] !== 0) return null;
  return readU32(data, VERSION_BYTES);
}

function decodeSendTake(
  venue: Venue,
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  const at = accountsOf(instruction, { accounts: sendTakeAccounts });
  return resultOf(readSwap(view, instruction, marketAccounts(venue, at, at.signer)));
}

function marketAccounts(
  venue: Venue,
  at: Omit<typeof sendTakeAccounts, 'signer'>,
  user: number,
): SwapAccounts {
  return {
    venue,
    pool: at.market,
    vaults: [at.coin_vault, at.pc_vault],
    user,
    userAccounts: [at.coin_wallet, at.pc_wallet],
  };
}

/** A settlement is read only if all orders it settles were filled immediately before it. */
function decodeSettlement(
  venue: Venue,
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  const orders = ordersSettledBy(instruction, view);
  if (orders.length === 0 || !orders.every(({ data }) => isImmediate(data))) return IGNORED;
  const at = accountsOf(instruction, { accounts: settleFundsAccounts });
  const movements = [...orders, instruction].flatMap((one) => view.tokenMovementsUnder(one));
  const accounts = { ...marketAccounts(venue, at, at.owner), movements };
  return resultOf(readSwap(view, instruction, accounts));
}

/** Orders of the same open-orders account since its last settlement in the transaction. */
function ordersSettledBy(settlement: Instruction, view: TransactionView): Instruction[] {
  const market = settlement.accountIndex(settleFundsAccounts.market);
  const openOrders = settlement.accountIndex(settleFundsAccounts.open_orders);
  let orders: Instruction[] = [];
  for (const instruction of view.transaction.instructions) {
    if (instruction.index >= settlement.index) break;
    if (instruction.programIndex !== settlement.programIndex) continue;
    if (instruction.accountIndex(newOrderAccounts.market) !== market) continue;
    if (instruction.accountIndex(newOrderAccounts.open_orders) !== openOrders) continue;
    const tag = tagOf(instruction.data);
    if (tag === NEW_ORDER_V3) orders.push(instruction);
    if (tag === SETTLE_FUNDS) orders = [];
  }
  return orders;
}

function isImmediate(data: Uint8Array): boolean {
  if (data.length < ORDER_TYPE_OFFSET + 4) return false;
  return readU32(data, ORDER_TYPE_OFFSET) === IMMEDIATE_OR_CANCEL;
}
