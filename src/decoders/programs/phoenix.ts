/**
 * Phoenix order books, program PhoeNiXZ….
 *
 * A taker's order is filled and settled at once: the swap is read from the transfers between the
 * instruction and the market's two vaults, regardless of the side in its arguments. Orders that use
 * only previously deposited funds move no tokens; makers' orders, deposits and withdrawals are not
 * trades. All of them are ignored. A limit order that crosses the book is a swap too. The
 * collateral of its unfilled rest goes into the same vault, so the vaults then show no price. The
 * program's log lists every order that was placed; if it lists one, the swap is quarantined.
 */
import type { Instruction } from '../../model/instruction.ts';
import { type DecodeResult, events, IGNORED, malformed, resultOf } from '../legs/decoder.ts';
import { swap, swapAccounts } from '../legs/pool-readers.ts';
import { type ProgramCall, venueDecoder } from '../legs/program-decoder.ts';
import { deltaOf, readSwap } from '../legs/swap-legs.ts';
import type { ProgramLayout } from '../transaction/program-layout.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

const SWAP_ACCOUNTS = {
  market: 2,
  trader: 3,
  base_account: 4,
  quote_account: 5,
  base_vault: 6,
  quote_vault: 7,
};
/** The same accounts, after the trader's seat. */
const ORDER_ACCOUNTS = {
  market: 2,
  trader: 3,
  base_account: 5,
  quote_account: 6,
  base_vault: 7,
  quote_vault: 8,
};

/** Tags of the program's `PhoenixInstruction`, with the account names of its source. */
export const phoenixLayout = {
  instructions: {
    Swap: { discriminator: '00', accounts: SWAP_ACCOUNTS },
    PlaceLimitOrder: { discriminator: '02', accounts: ORDER_ACCOUNTS },
  },
  ignoredInstructions: {
    SwapWithFreeFunds: '01',
    PlaceLimitOrderWithFreeFunds: '03',
    ReduceOrder: '04',
    ReduceOrderWithFreeFunds: '05',
    CancelAllOrders: '06',
    CancelAllOrdersWithFreeFunds: '07',
    CancelUpTo: '08',
    CancelUpToWithFreeFunds: '09',
    CancelMultipleOrdersById: '0a',
    CancelMultipleOrdersByIdWithFreeFunds: '0b',
    WithdrawFunds: '0c',
    DepositFunds: '0d',
    RequestSeat: '0e',
    Log: '0f',
    PlaceMultiplePostOnlyOrders: '10',
    PlaceMultiplePostOnlyOrdersWithFreeFunds: '11',
    InitializeMarket: '64',
    ClaimAuthority: '65',
    NameSuccessor: '66',
    ChangeMarketStatus: '67',
    ChangeSeatStatus: '68',
    RequestSeatAuthorized: '69',
    EvictSeat: '6a',
    ForceCancelOrders: '6b',
    CollectFees: '6c',
    ChangeFeeRecipient: '6d',
  },
  events: {},
  ignoredEvents: {},
} satisfies ProgramLayout;

const SWAP = {
  pool: 'market',
  vaults: ['base_vault', 'quote_vault'],
  user: 'trader',
  userAccounts: ['base_account', 'quote_account'],
} as const;

export const phoenix = venueDecoder({
  name: 'phoenix',
  programId: 'PhoeNiXZ8ByJGLkxNfZRnkUfjvmuYqLR89jjFHGqdXY',
  layout: phoenixLayout,
  readers: { Swap: swap(SWAP), PlaceLimitOrder: decodeLimitOrder },
});

/** An order without a match moves at most one vault: that is collateral, not a trade. */
function decodeLimitOrder(call: ProgramCall<keyof typeof ORDER_ACCOUNTS>): DecodeResult {
  const { at, instruction, view } = call;
  if (Math.min(at.base_vault, at.quote_vault) < 0) return malformed('too few accounts');
  const movements = view.tokenMovementsUnder(instruction);
  const base = deltaOf(movements, at.base_vault);
  const quote = deltaOf(movements, at.quote_vault);
  if (base === 0n || quote === 0n || base > 0n === quote > 0n) return IGNORED;
  const reading = readSwap(view, instruction, swapAccounts(call, SWAP));
  if (reading.status !== 'event' || !hasPlacedOrder(instruction, view)) return resultOf(reading);
  const reason = 'the vaults also took the collateral of an order left resting';
  return events({ ...reading.event, quarantine: reading.event.quarantine ?? reason });
}

const LOG_TAG = 0x0f;
/** Log tag, event tag, instruction, sequence number, time, slot, market, signer, event count. */
const LOG_HEADER_BYTES = 93;
const PLACE_EVENT = 3;
/** Bytes of each market event after its tag. */
const EVENT_BYTES: Readonly<Record<number, number>> = {
  2: 66, // Fill
  3: 42, // Place
  4: 34, // Reduce
  5: 58, // Evict
  6: 42, // FillSummary
  7: 10, // Fee
  8: 26, // TimeInForce
  9: 58, // ExpiredOrder
};

/** True when the instruction's logs contain an order put on the book, or end in unreadable data. */
function hasPlacedOrder(instruction: Instruction, view: TransactionView): boolean {
  const logs = view.ownCallsOf(instruction).filter(({ data }) => data[0] === LOG_TAG);
  return logs.length === 0 || logs.some(({ data }) => namesPlacedOrder(data));
}

function namesPlacedOrder(log: Uint8Array): boolean {
  let offset = LOG_HEADER_BYTES;
  while (offset < log.length) {
    const tag = log[offset] as number;
    const byteCount = EVENT_BYTES[tag];
    if (tag === PLACE_EVENT || byteCount === undefined) return true;
    offset += 1 + byteCount;
  }
  return offset !== log.length;
}
