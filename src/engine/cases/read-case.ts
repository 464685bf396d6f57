import { CO_TRADED_MINTS_MIN } from '../../fraud/links/co-trades.ts';
import type { CaseLock, CaseTrade, MintCase } from '../../model/mint-case.ts';
import { type Address, asRawAmount } from '../../model/units.ts';
import type { CaseSources } from './case-sources.ts';
import { plainWallet } from './lazy-wallet.ts';
import { readMarket } from './read-market.ts';
import { readWallets, type WalletReader } from './read-wallets.ts';

const WHOLE: WalletReader = {
  wallet: plainWallet,
  payments: (logs, rows) => logs.readAll(rows),
  coTradedMintsMin: 1,
};

/** Skips pairs of wallets that traded fewer mints together: they are not linked by it. */
const VIEW: WalletReader = {
  wallet: (wallet) => wallet,
  payments: (logs, rows) => logs.viewAll(rows),
  coTradedMintsMin: CO_TRADED_MINTS_MIN,
};

/** The case of a mint at the end of the last slot; null for a mint without stored trades. */
export function readCase(sources: CaseSources, mint: Address): MintCase | null {
  const readTrades = () =>
    sources.cases.lists.trades(mint).map((trade) => withPrivateProgram(sources, trade));
  return caseOf(sources, mint, readTrades, WHOLE);
}

/**
 * A view of the same case, valid until the next slot is applied. Its trades, payments and wallets
 * compute rarely used properties on access: they are not plain objects and must not be copied,
 * compared or kept. It lists only those pairs of wallets that often trade together.
 */
export function viewCase(sources: CaseSources, mint: Address): MintCase | null {
  const { cases, walletBooks } = sources;
  const isPrivate = (program: Address) => walletBooks.wallets.isPrivateProgram(program);
  const readTrades = () => cases.lists.viewTrades(mint, isPrivate);
  return caseOf(sources, mint, readTrades, VIEW);
}

function caseOf(
  sources: CaseSources,
  mint: Address,
  readTrades: () => CaseTrade[],
  reader: WalletReader,
): MintCase | null {
  const { books, cases, slot, timeMs } = sources;
  const token = books.tokens.get(mint);
  if (token === undefined || token.decimals === null || !cases.lists.hasTrades(mint)) return null;
  const launch = cases.launches.launchOf(mint);
  const lists = {
    trades: readTrades(),
    transfers: cases.lists.transfers(mint),
    liquidity: cases.lists.liquidity(mint),
    locks: readLocks(sources, mint),
  };
  const named = { ...lists, creator: launch?.creator ?? null };
  const found = readWallets(sources, mint, named, reader);
  return {
    mint,
    decimals: token.decimals,
    supplyRaw: asRawAmount(token.supplyRaw ?? 0n),
    slot,
    timeMs,
    launch,
    market: readMarket(sources, mint),
    ...lists,
    ...found,
    isFundingKnown: hasAnyPayment(found),
  };
}

/** False for records that contain only trades, or begin too late to show any payment. */
function hasAnyPayment({ payments, wallets }: Pick<MintCase, 'payments' | 'wallets'>): boolean {
  if (payments.length > 0) return true;
  for (const { firstFunding } of wallets.values()) if (firstFunding !== null) return true;
  return false;
}

/** Clears the private program of a trade when many wallets have used that program since. */
function withPrivateProgram({ walletBooks }: CaseSources, trade: CaseTrade): CaseTrade {
  const { privateProgram } = trade;
  if (privateProgram === null || walletBooks.wallets.isPrivateProgram(privateProgram)) return trade;
  return { ...trade, privateProgram: null };
}

/** Leaves out locks that are revocable or have no known unlock time. */
function readLocks({ books, cases }: CaseSources, mint: Address): CaseLock[] {
  return cases.lists.locks(mint).flatMap(({ escrow, ...lock }) => {
    const { amountRaw = 0n, terms = null } = books.locks.lockOf(escrow) ?? {};
    if (terms === null || terms.isRevocable) return [];
    const { isPermanent, firstUnlockTimeMs: firstUnlockMs } = terms;
    if (!isPermanent && firstUnlockMs === null) return [];
    return [{ ...lock, amountRaw: asRawAmount(amountRaw), firstUnlockMs }];
  });
}
