import type { PaymentLogs } from '../../fraud/cases/payment-logs.ts';
import {
  addPayers,
  CaseWallets,
  paymentsAround,
  type WalkBounds,
} from '../../fraud/cases/payment-walk.ts';
import type { CaseClass, CasePayment, CaseWallet, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import type { CaseSources } from './case-sources.ts';
import { type ClassOf, LazyWallet } from './lazy-wallet.ts';

/** The lists of a case, and the creator of its mint. */
export interface CaseLists extends Pick<MintCase, 'trades' | 'transfers' | 'liquidity' | 'locks'> {
  readonly creator: Address | null;
}

/** Four steps, as for laundering; no detector reads more than some thousands of wallets. */
const WALK: WalkBounds = { stepsMax: 4, paymentsMax: 20_000, walletsMax: 8_000 };
/** Largest holders included in a case even when no list names them (METHODS §7.2). */
const HOLDERS_MAX = 2_000;

/** How wallets and payments are read: fully, or as views. */
export interface WalletReader {
  readonly wallet: (wallet: LazyWallet) => CaseWallet;
  /** Reads the payments of `rows`, which are in block order. */
  readonly payments: (logs: PaymentLogs, rows: readonly number[]) => readonly CasePayment[];
  /** Minimum number of mints that two wallets traded together, to be listed. */
  readonly coTradedMintsMin: number;
}

/**
 * Reads the wallets named in a list, the largest holders and those who paid them, each through
 * `reader`.
 */
export function readWallets(
  sources: CaseSources,
  mint: Address,
  lists: CaseLists,
  reader: WalletReader,
): Pick<MintCase, 'payments' | 'wallets' | 'coTrades'> {
  const { books, cases, timeMs } = sources;
  const { paymentLogs } = cases.lists;
  const classOf = classReader(sources);
  const isService = (address: Address) => classOf(address) !== null;
  const named = namedIn(lists);
  const found = new CaseWallets(paymentLogs);
  for (const address of named) found.add(address);
  const rows = paymentsAround(paymentLogs, found, WALK, isService);
  for (const { owner, balanceRaw } of books.holders.top(mint, HOLDERS_MAX, 0n)) {
    if (balanceRaw > 0n) found.add(owner);
  }
  addPayers(paymentLogs, found, WALK, isService);
  const wallets = new Map<Address, CaseWallet>();
  for (const address of found.addresses.toSorted()) {
    wallets.set(address, reader.wallet(new LazyWallet(sources, mint, address, classOf)));
  }
  return {
    payments: reader.payments(paymentLogs, rows),
    wallets,
    coTrades: cases.trails.coTradesOf(named, mint, timeMs, reader.coTradedMintsMin),
  };
}

function namedIn({ trades, transfers, liquidity, locks, creator }: CaseLists): Set<Address> {
  const named = new Set<Address>();
  if (creator !== null) named.add(creator);
  for (const { wallet, feePayer, cosigners } of trades) {
    named.add(wallet).add(feePayer);
    for (const cosigner of cosigners) named.add(cosigner);
  }
  for (const { from, to } of transfers) named.add(from).add(to);
  for (const { provider } of liquidity) named.add(provider);
  for (const { owner } of locks) named.add(owner);
  return named;
}

/** Caches classes: following payments visits the same addresses many times. */
function classReader({ books, walletBooks }: CaseSources): ClassOf {
  const known = new Map<Address, CaseClass | null>();
  return (address) => {
    const found = known.get(address);
    if (found !== undefined) return found;
    const isPool = books.pools.has(address);
    const read = isPool ? 'pool' : walletBooks.funding.classify(address);
    known.set(address, read);
    return read;
  };
}
