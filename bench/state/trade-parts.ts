import { WRAPPED_SOL } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { accountAddress, type MarketContext } from './market-context.ts';
import { FIRST_LAUNCH_ROW } from './market-options.ts';
import { addressOf, KIND } from './numbered-texts.ts';
import type { OpenPositions } from './open-positions.ts';
import {
  addSwap,
  addVaultBalances,
  holdingsOf,
  PLAIN,
  quoteBuy,
  type SwapAmounts,
  type SwapMarks,
} from './swap-events.ts';
import { ACCOUNT_RENT_LAMPORTS, type TransactionDraft } from './transaction-draft.ts';

const TOKEN_DECIMALS = 6;
/** How far back a wallet's own position is searched for. */
const KNOWN_POSITIONS = 12;
/** Share of the trades against SOL in a pool that wrap it in an account for the trade alone. */
const WRAPPED_SHARE = 0.8;

/** The open positions of a mint. */
export interface MintPositions {
  readonly positions: OpenPositions;
  readonly list: number;
}

/** Null if no wallet has a position that it may still sell. */
export function positionsOf({ state }: MarketContext, row: number): MintPositions | null {
  const list = state.mints.positions[row] as number;
  if (list === 0) return null;
  return { positions: row < FIRST_LAUNCH_ROW ? state.established : state.launched, list: list - 1 };
}

/** The open positions of a mint, which gets a list if it has none. */
export function ensurePositions(market: MarketContext, row: number): MintPositions {
  const known = positionsOf(market, row);
  if (known !== null) return known;
  const { state } = market;
  const positions = row < FIRST_LAUNCH_ROW ? state.established : state.launched;
  const list = positions.assign(row, (dropped) => {
    state.mints.positions[dropped] = 0;
  });
  state.mints.positions[row] = list + 1;
  return { positions, list };
}

/** Who buys how much. */
export interface Purchase {
  readonly row: number;
  readonly wallet: number;
  /** Spent at 150 USD per SOL, whatever the quote is. */
  readonly lamports: number;
  /** Default: a plain swap. */
  readonly marks?: SwapMarks;
}

/** A purchase by the payer of a transaction: its account, the swap, and all balances. */
export function addPurchaseParts(
  market: MarketContext,
  draft: TransactionDraft,
  { row, wallet, lamports, marks = PLAIN }: Purchase,
): void {
  const { state, markets } = market;
  const { positions, list } = ensurePositions(market, row);
  const index = positions.find(list, wallet, KNOWN_POSITIONS);
  const account = index === -1 ? state.counters.accounts++ : positions.account(list, index);
  const before = index === -1 ? 0 : positions.amount(list, index);
  const text = accountAddress(account);
  if (index === -1) draft.openAccount(text);
  const holdings = holdingsOf(market, row);
  const amounts = quoteBuy(market, row, markets.quoteOf(row, lamports));
  if (marks.router === null) addPaidSwap(market, draft, row, amounts);
  else addSwap(market, draft, row, amounts, marks);
  const after = before + amounts.baseRaw;
  addVaultBalances(market, draft, row, holdings);
  const { mint } = markets.addressesOf(row);
  draft.balance({
    account: text,
    owner: draft.payer,
    mint,
    decimals: TOKEN_DECIMALS,
    before,
    after,
  });
  if (index === -1) positions.add(list, wallet, account, after);
  else positions.setAmount(list, index, after);
}

/** A swap with the wrapping of the trader's SOL, or with the balance of its dollars. */
export function addPaidSwap(
  market: MarketContext,
  draft: TransactionDraft,
  row: number,
  amounts: SwapAmounts,
): void {
  const { state, markets } = market;
  const { quoteMint } = markets.addressesOf(row);
  const { isBuy, traderQuoteRaw } = amounts;
  if (quoteMint !== WRAPPED_SOL) {
    addSwap(market, draft, row, amounts);
    addDollars(market, draft, quoteMint, isBuy ? -traderQuoteRaw : traderQuoteRaw);
    return;
  }
  if (markets.isCurve(row) || !state.random.isWithin(WRAPPED_SHARE)) {
    addSwap(market, draft, row, amounts);
    return;
  }
  const wrapper = addressOf(KIND.wrapper, state.counters.transactions);
  const paid = isBuy ? traderQuoteRaw : 0;
  draft.pay('createAccount', draft.payer, wrapper, ACCOUNT_RENT_LAMPORTS + paid);
  addSwap(market, draft, row, amounts);
  const got = isBuy ? 0 : traderQuoteRaw;
  draft.pay('unwrap', wrapper, draft.payer, ACCOUNT_RENT_LAMPORTS + got);
}

/** Dollars of the payer; only their change counts, since balances of quotes have no holders. */
export function addDollars(
  { state }: MarketContext,
  draft: TransactionDraft,
  mint: Address,
  change: number,
): void {
  const account = addressOf(KIND.wrapper, state.counters.transactions);
  const before = change < 0 ? -change * 2 : change;
  const owner = draft.payer;
  draft.balance({ account, owner, mint, decimals: TOKEN_DECIMALS, before, after: before + change });
}
