/**
 * Moonshot bonding curves, since renamed Moonit, program MoonCVVN….
 *
 * Tokens are the transfers of the curve's token account. The lamports of a buy are system
 * transfers. A sell debits the curve without an instruction, so its lamports are what the curve
 * lost, or the amount of the logged TradeEvent when several trades moved one curve. Fees go to the
 * program's two fee accounts; a tip in the same transaction is not part of a trade. `migrate_funds`
 * hands a complete curve to an operator who creates the pool in a later transaction. It names no
 * pool, so it is emitted as the curve's completion. The name and picture of a launch are set
 * through Metaplex's program.
 */

import type { Address } from '../../model/units.ts';
import {
  type NativeCurveAccounts,
  type NativeCurveTrade,
  readNativeCurveSwap,
} from '../families/native-curve-swap.ts';
import { type DecodeResult, events, IGNORED, resultOf } from '../legs/decoder.ts';
import { launch, toCurveComplete } from '../legs/launch-readers.ts';
import { type ProgramCall, venueDecoder, withAllAccounts } from '../legs/program-decoder.ts';
import { deltaOf } from '../legs/swap-legs.ts';
import { anchorEvent, anchorLayout } from '../transaction/anchor-layout.ts';
import { LOGGED_FIELDS_OFFSET, loggedEvents } from '../transaction/logged-events.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

const TRADE_ACCOUNTS = {
  sender: 0,
  sender_token_account: 1,
  curve_account: 2,
  curve_token_account: 3,
  dex_fee: 4,
  helio_fee: 5,
  mint: 6,
};

/** Names and order follow the program's interface `token_launchpad`. */
export const moonshotLayout = anchorLayout({
  instructions: {
    buy: TRADE_ACCOUNTS,
    sell: TRADE_ACCOUNTS,
    token_mint: { sender: 0, curve_account: 2, mint: 3, curve_token_account: 5, token_program: 7 },
    migrate_funds: { curve_account: 2, curve_token_account: 3, mint: 5 },
  },
  ignoredInstructions: ['config_init', 'config_update'],
  events: {},
  ignoredEvents: [],
});

export const moonshot = venueDecoder({
  name: 'moonshot',
  programId: 'MoonCVVNZFSYkqNXP6bxHLPL6QQJiMagDL3qcqUQTrG',
  layout: moonshotLayout,
  readers: {
    buy: withAllAccounts(decodeTrade),
    sell: withAllAccounts(decodeTrade),
    token_mint: launch({
      mint: 'mint',
      pool: 'curve_account',
      creator: 'sender',
      tokenProgram: 'token_program',
      baseVault: 'curve_token_account',
      quote: null,
    }),
    migrate_funds: withAllAccounts(decodeMigrateFunds),
  },
});

function decodeTrade({
  name,
  at,
  instruction,
  view,
}: ProgramCall<keyof typeof TRADE_ACCOUNTS>): DecodeResult {
  const curve = view.transaction.keys.at(at.curve_account);
  const accounts: NativeCurveAccounts = {
    venue: name,
    pool: at.curve_account,
    mint: at.mint,
    baseVault: at.curve_token_account,
    user: at.sender,
    userBase: at.sender_token_account,
    recipient: at.sender,
    feeAccounts: [at.dex_fee, at.helio_fee],
  };
  const reading = readNativeCurveSwap(view, instruction, accounts, (isBuy, tokenAmount) =>
    reportedTrade(view, curve, isBuy, tokenAmount),
  );
  return resultOf(reading);
}

/** Written only to the log; it is not a self-event. `type` is an enumeration; a label follows. */
const TRADE_EVENT = anchorEvent('TradeEvent', {
  amount: 'u64',
  collateral_amount: 'u64',
  dex_fee: 'u64',
  helio_fee: 'u64',
  allocation: 'u64',
  curve: 'pubkey',
  cost_token: 'pubkey',
  sender: 'pubkey',
  type: 'u8',
});
const BUY = 0;

/**
 * The logged event of the trade that moved these tokens; two matching events have the same content.
 */
function reportedTrade(
  view: TransactionView,
  curve: Address,
  isBuy: boolean,
  tokenAmount: bigint,
): NativeCurveTrade | null {
  for (const data of loggedEvents(view.transaction.logMessages, TRADE_EVENT.discriminator)) {
    const event = TRADE_EVENT.record.read(data, LOGGED_FIELDS_OFFSET);
    if (event === null || event.curve !== curve || event.amount !== tokenAmount) continue;
    if ((event.type === BUY) !== isBuy) continue;
    return { quoteAmount: event.collateral_amount, feeQuoteRaw: event.dex_fee + event.helio_fee };
  }
  return null;
}

function decodeMigrateFunds(
  call: ProgramCall<'mint' | 'curve_account' | 'curve_token_account'>,
): DecodeResult {
  const { at, instruction, view } = call;
  if (deltaOf(view.tokenMovementsUnder(instruction), at.curve_token_account) >= 0n) return IGNORED;
  return events(toCurveComplete(call, { mint: at.mint, pool: at.curve_account }));
}
