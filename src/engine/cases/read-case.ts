import type { CaseLock, CaseTrade, MintCase } from '../../model/mint-case.ts';
import { type Address, asRawAmount } from '../../model/units.ts';
import type { CaseSources } from './case-sources.ts';
import { readMarket } from './read-market.ts';
import { type CaseLists, type CasePeople, readPeople, viewPeople } from './read-wallets.ts';

/** The case of a mint at the end of the last slot; null for a mint without stored trades. */
export function readCase(sources: CaseSources, mint: Address): MintCase | null {
  const readTrades = () =>
    sources.cases.lists.trades(mint).map((trade) => withPrivateProgram(sources, trade));
  return caseOf(sources, mint, readTrades, readPeople);
}

/**
 * A view of the same case, valid until the next slot is applied: what detectors rarely use is read
 * on access. It and its trades, payments and wallets are not plain objects and must not be copied,
 * compared or kept. Its wallets answer for every address (viewed-wallets.ts), and it lists only
 * those pairs of wallets that often trade together.
 */
export function viewCase(sources: CaseSources, mint: Address): MintCase | null {
  const { cases, walletBooks } = sources;
  const isPrivate = (program: Address) => walletBooks.wallets.isPrivateProgram(program);
  const readTrades = () => cases.lists.viewTrades(mint, isPrivate);
  return caseOf(sources, mint, readTrades, viewPeople);
}

function caseOf(
  sources: CaseSources,
  mint: Address,
  readTrades: () => CaseTrade[],
  peopleOf: (sources: CaseSources, mint: Address, lists: CaseLists) => CasePeople,
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
  const people = peopleOf(sources, mint, { ...lists, creator: launch?.creator ?? null });
  // Assigned to, not copied: the payments of a view are read on access.
  return Object.assign(people, {
    mint,
    decimals: token.decimals,
    supplyRaw: asRawAmount(token.supplyRaw ?? 0n),
    slot,
    timeMs,
    launch,
    market: readMarket(sources, mint),
    ...lists,
  });
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
