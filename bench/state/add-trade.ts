import { USDC } from '../../src/model/program.ts';
import { TERMINAL_OF_FEE_ACCOUNT, type Terminal } from '../../src/model/terminal-accounts.ts';
import { JITO_TIP_ACCOUNTS } from '../../src/model/tip-accounts.ts';
import { type Address, asAddress } from '../../src/model/units.ts';
import { chooseBuyer, chooseKnownWallet, chooseMint } from './choose-trade.ts';
import { attractionOf } from './launch-plan.ts';
import {
  accountAddress,
  addTransaction,
  type MarketContext,
  walletAddress,
} from './market-context.ts';
import { FIRST_LAUNCH_ROW, SOL_ROWS } from './market-options.ts';
import { firstBaseOf } from './mint-markets.ts';
import { mixed, mixedShare } from './random-numbers.ts';
import {
  addSwap,
  addVaultBalances,
  holdingsOf,
  quoteBuy,
  quoteSale,
  type SwapAmounts,
} from './swap-events.ts';
import { addDollars, addPaidSwap, addPurchaseParts, positionsOf } from './trade-parts.ts';
import { TransactionDraft } from './transaction-draft.ts';

const TOKEN_DECIMALS = 6;
const TIPPED_SHARE = 0.12;
const TIP_ACCOUNTS = JITO_TIP_ACCOUNTS.map(asAddress);
const TERMINAL_WALLETS_SHARE = 0.3;
const TERMINAL_FEE_BPS = 90;
const TERMINALS: readonly (readonly [Address, Terminal])[] = [...TERMINAL_OF_FEE_ACCOUNT].map(
  ([account, terminal]) => [asAddress(account), terminal],
);

/** A purchase spends this times a power of two, and up to twice as much. */
const BUY_LAMPORTS = 8_000_000;
const BUY_POWERS = 8;
/** Every purchase of a market in which each wallet buys once. */
const SINGLE_BUY_LAMPORTS = 10_000_000;
/** How much more is spent on the launch that attracts most. */
const ATTRACTED_FACTOR = 1.5;
/** Trades of SOL against dollars are larger. */
const SOL_TRADE_FACTOR = 10;

/** Share of the trades that are purchases; of a launch this, and more the more it attracts. */
const BUYS_OF_LAUNCH = 0.5;
const BUYS_OF_ATTRACTION = 0.15;
const BUYS_WHEN_DEAR = 0.47;
const BUYS_WHEN_CHEAP = 0.55;
/** Share of the trades in which a bot buys and sells back within a transaction. */
const ROUND_TRIP_SHARE = 0.005;
/** Share of the purchases in pools against SOL that are paid in dollars. */
const ROUTED_SHARE = 0.1;
const JUPITER = asAddress('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4');
/** Share of the sales that are of the newest position, and of those that are of half of one. */
const NEWEST_SOLD_SHARE = 0.05;
const HALF_SOLD_SHARE = 0.25;
/** Other sales are of positions in the older part of the list. */
const OLDER_PART = 0.75;
/** Share of the sales of an established mint that are of tokens bought before the history. */
const OLD_HOLDER_SHARE = 0.2;

/** A trade of one mint by one wallet. */
export function addTrade(market: MarketContext): void {
  const { markets, options, state } = market;
  const row = chooseMint(market);
  if (markets.isSol(row)) {
    addSolTrade(market, row);
    return;
  }
  if (options.newWalletShare < 1 && state.random.isWithin(ROUND_TRIP_SHARE)) {
    addRoundTrip(market, row);
    return;
  }
  if (!isPurchase(market, row) && addSale(market, row)) return;
  if (isRouted(market, row)) addRoutedPurchase(market, row);
  else addPurchase(market, row);
}

function isPurchase({ options, state }: MarketContext, row: number): boolean {
  if (options.newWalletShare >= 1) return true;
  if (row >= FIRST_LAUNCH_ROW) {
    return state.random.isWithin(BUYS_OF_LAUNCH + BUYS_OF_ATTRACTION * attractionOf(row));
  }
  // Established mints and SOL stay near their first price.
  const isDear = (state.mints.base[row] as number) < firstBaseOf(row);
  return state.random.isWithin(isDear ? BUYS_WHEN_DEAR : BUYS_WHEN_CHEAP);
}

function addPurchase(market: MarketContext, row: number): void {
  const { options, markets } = market;
  const wallet = chooseBuyer(market, row);
  const draft = new TransactionDraft(walletAddress(wallet), markets.venueOf(row).programId);
  const lamports =
    options.walletsPerMint === null ? drawSpending(market, row) : SINGLE_BUY_LAMPORTS;
  addTip(market, draft);
  addPurchaseParts(market, draft, { row, wallet, lamports });
  addTerminalFee(draft, wallet, lamports);
  addTransaction(market, draft);
}

/** A router joins two pools, so the second one has to be a pool against SOL. */
function isRouted({ options, state, markets }: MarketContext, row: number): boolean {
  if (options.newWalletShare >= 1 || markets.isCurve(row)) return false;
  return state.mints.isStableQuoted[row] === 0 && state.random.isWithin(ROUTED_SHARE);
}

/** A purchase for dollars: a router first buys SOL for them, which only passes through. */
function addRoutedPurchase(market: MarketContext, row: number): void {
  const { markets, state } = market;
  const wallet = chooseBuyer(market, row);
  const draft = new TransactionDraft(walletAddress(wallet), JUPITER);
  const solRow = state.random.below(SOL_ROWS);
  const holdings = holdingsOf(market, solRow);
  const sol = quoteBuy(market, solRow, markets.quoteOf(solRow, drawSpending(market, row)));
  const marks = { router: JUPITER, isIntermediateHop: true, isAtomicRoundTrip: false };
  addSwap(market, draft, solRow, sol, marks);
  addDollars(market, draft, USDC, -sol.traderQuoteRaw);
  addVaultBalances(market, draft, solRow, holdings);
  const lamports = sol.baseRaw;
  addPurchaseParts(market, draft, {
    row,
    wallet,
    lamports,
    marks: { ...marks, isIntermediateHop: false },
  });
  addTransaction(market, draft);
}

/** A sale of a position or of half of it; returns false if there is none to sell. */
function addSale(market: MarketContext, row: number): boolean {
  const { state } = market;
  const { random } = state;
  if (row < FIRST_LAUNCH_ROW && random.isWithin(OLD_HOLDER_SHARE)) {
    addOldHolderSale(market, row);
    return true;
  }
  const found = positionsOf(market, row);
  if (found === null) return false;
  const { positions, list } = found;
  const size = positions.sizeOf(list);
  if (size === 0) return false;
  const index = random.isWithin(NEWEST_SOLD_SHARE)
    ? size - 1
    : random.below(Math.ceil(size * OLDER_PART));
  const before = positions.amount(list, index);
  const isHalf = before > 1 && random.isWithin(HALF_SOLD_SHARE);
  const sold = isHalf ? Math.floor(before / 2) : before;
  const amounts = quoteSale(market, row, sold);
  if (amounts === null) return false;
  const wallet = positions.wallet(list, index);
  const account = positions.account(list, index);
  positions.setAmount(list, index, before - sold);
  sell(market, row, { wallet, account, before, amounts });
  return true;
}

/** The first sale of an account that is older than the history. */
function addOldHolderSale(market: MarketContext, row: number): void {
  const { state, markets } = market;
  const { base, quote } = markets.tradingReserves(row);
  const worthRaw = markets.quoteOf(row, drawLamports(market));
  const sold = Math.floor((worthRaw * base) / quote) + 1;
  const amounts = quoteSale(market, row, sold);
  if (amounts === null) return;
  const wallet =
    state.counters.wallets === 0 ? state.counters.wallets++ : chooseKnownWallet(market);
  const account = state.counters.accounts++;
  const rest = state.random.isWithin(HALF_SOLD_SHARE) ? sold : 0;
  sell(market, row, { wallet, account, before: sold + rest, amounts });
}

interface Sale {
  readonly wallet: number;
  readonly account: number;
  /** Balance of the account before the sale. */
  readonly before: number;
  readonly amounts: SwapAmounts;
}

function sell(market: MarketContext, row: number, { wallet, account, before, amounts }: Sale) {
  const { markets } = market;
  const draft = new TransactionDraft(walletAddress(wallet), markets.venueOf(row).programId);
  const text = accountAddress(account);
  const after = before - amounts.baseRaw;
  addTip(market, draft);
  const holdings = holdingsOf(market, row);
  addPaidSwap(market, draft, row, amounts);
  addVaultBalances(market, draft, row, holdings);
  const { mint } = markets.addressesOf(row);
  const owner = draft.payer;
  draft.balance({ account: text, owner, mint, decimals: TOKEN_DECIMALS, before, after });
  if (after === 0) draft.closeAccount(text);
  if (markets.isCurve(row)) addTerminalFee(draft, wallet, amounts.traderQuoteRaw);
  addTransaction(market, draft);
}

/** SOL for dollars or the other way round. The pools' price stays near its beginning. */
function addSolTrade(market: MarketContext, row: number): void {
  const { markets } = market;
  const wallet = chooseBuyer(market, row);
  const draft = new TransactionDraft(walletAddress(wallet), markets.venueOf(row).programId);
  const lamports = drawLamports(market) * SOL_TRADE_FACTOR;
  const holdings = holdingsOf(market, row);
  const amounts = isPurchase(market, row)
    ? quoteBuy(market, row, markets.quoteOf(row, lamports))
    : quoteSale(market, row, lamports);
  if (amounts === null) return;
  addPaidSwap(market, draft, row, amounts);
  addVaultBalances(market, draft, row, holdings);
  addTransaction(market, draft);
}

/** A bot buys and sells back in one transaction. */
function addRoundTrip(market: MarketContext, row: number): void {
  const { markets, state } = market;
  if (state.counters.wallets === 0) return;
  const draft = new TransactionDraft(
    walletAddress(chooseKnownWallet(market)),
    markets.venueOf(row).programId,
  );
  const holdings = holdingsOf(market, row);
  const marks = { router: null, isIntermediateHop: false, isAtomicRoundTrip: true };
  const purchase = quoteBuy(market, row, markets.quoteOf(row, drawLamports(market)));
  if (markets.isCurve(row) && purchase.baseRaw === holdings.base) return;
  addSwap(market, draft, row, purchase, marks);
  const sale = quoteSale(market, row, purchase.baseRaw);
  if (sale === null) throw new Error(`what was bought of mint ${row} cannot be sold`);
  addSwap(market, draft, row, sale, marks);
  addVaultBalances(market, draft, row, holdings);
  addTransaction(market, draft);
}

/** Small purchases are the most frequent: the smaller of two drawn powers of two. */
export function drawLamports({ state: { random } }: MarketContext): number {
  const power = Math.min(random.below(BUY_POWERS), random.below(BUY_POWERS));
  return Math.floor(BUY_LAMPORTS * (1 << power) * (1 + random.share()));
}

/** What attracts many is also bought for more. */
function drawSpending(market: MarketContext, row: number): number {
  const lamports = drawLamports(market);
  if (row < FIRST_LAUNCH_ROW) return lamports;
  return Math.floor(lamports * (1 + ATTRACTED_FACTOR * attractionOf(row)));
}

function addTip({ state: { random } }: MarketContext, draft: TransactionDraft): void {
  if (!random.isWithin(TIPPED_SHARE)) return;
  const account = TIP_ACCOUNTS[random.below(TIP_ACCOUNTS.length)] as Address;
  draft.tip(account, 10_000 + random.below(2_000_000));
}

/** Some wallets trade through a terminal, always the same one. */
function addTerminalFee(draft: TransactionDraft, wallet: number, lamports: number): void {
  if (mixedShare(wallet, 0x7e4) >= TERMINAL_WALLETS_SHARE) return;
  const found = TERMINALS[mixed(wallet, 0x7e5) % TERMINALS.length];
  if (found === undefined) return;
  const [account, terminal] = found;
  draft.pay('transfer', draft.payer, account, Math.ceil((lamports * TERMINAL_FEE_BPS) / 10_000));
  draft.terminal = terminal;
}
