/**
 * OpenBook's first order books, program srmqPvym…, and Serum v3, program 9xQeWvG8…, whose code it
 * continues.
 *
 * An order pays into the market when it is placed, and what it got is fetched later by
 * `SettleFunds`, for all orders since the last time together: neither is a trade, and which
 * settlement belongs to which fill is not in the record. Only `SendTake` trades and settles at once;
 * its swap is what the transfers below it did to the two vaults.
 */
import { readU32 } from '../../lib/little-endian.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { Venue } from '../../model/program.ts';
import type { Address } from '../../model/units.ts';
import { type DecodeResult, type Decoder, IGNORED, resultOf, unknown } from '../decoder.ts';
import { accountsOf } from '../program-layout.ts';
import { readSwap } from '../swap-legs.ts';
import type { TransactionView } from '../transaction-view.ts';

/** Accounts of `SendTake`, named as in the program's source. */
export const sendTakeAccounts = {
  market: 0,
  coin_wallet: 5,
  pc_wallet: 6,
  signer: 7,
  coin_vault: 8,
  pc_vault: 9,
};

const SEND_TAKE = 13;
/** The last of the program's `MarketInstruction`s, `ReplaceOrdersByClientIds`. */
const LAST_TAG = 20;
const VERSION_BYTES = 1;
const TAG_BYTES = 4;

export const openbookV1 = orderBook('openbook_v1', 'srmqPvymJeFKQ4zGQed1GFppgkRHL9kaELCbyksJtPX');
export const serumV3 = orderBook('serum_v3', '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin');

function orderBook(name: Venue, programId: string): Decoder {
  return {
    name,
    programId: programId as Address,
    isVenue: true,
    decode(instruction, view) {
      const tag = tagOf(instruction.data);
      if (tag === SEND_TAKE) return decodeSendTake(name, instruction, view);
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
  const reading = readSwap(view, instruction, {
    venue,
    pool: at.market,
    vaults: [at.coin_vault, at.pc_vault],
    user: at.signer,
    userAccounts: [at.coin_wallet, at.pc_wallet],
  });
  return resultOf(reading);
}
