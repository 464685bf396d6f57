import {
  addParties,
  addPayers,
  CaseWallets,
  paymentsAround,
  type WalkBounds,
} from '../../fraud/cases/payment-walk.ts';
import { CO_TRADED_MINTS_MIN } from '../../fraud/links/co-trades.ts';
import type { CaseWallet, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { CaseClasses } from './case-classes.ts';
import type { CaseSources } from './case-sources.ts';
import { LazyWallet, plainWallet, type SharedByWallets } from './lazy-wallet.ts';
import { ViewedPayments } from './viewed-payments.ts';
import { ViewedWallets } from './viewed-wallets.ts';

/** The lists of a case, and the creator of its mint. */
export interface CaseLists extends Pick<MintCase, 'trades' | 'transfers' | 'liquidity' | 'locks'> {
  readonly creator: Address | null;
}

/** The part of a case that is about its wallets. */
export type CasePeople = Pick<
  MintCase,
  'payments' | 'paymentsFrom' | 'wallets' | 'coTrades' | 'isFundingKnown'
>;

/**
 * Four steps, as for laundering; no detector reads more than some thousands of wallets. Money that was
 * laundered takes a few hundred payments, but wallets that trade for long pay each other, so that
 * behind them nearly the whole market would be found.
 */
const WALK: WalkBounds = { stepsMax: 4, paymentsMax: 4_000, walletsMax: 8_000 };
/** Largest holders included in a case even when no list names them (METHODS §7.2). */
const HOLDERS_MAX = 2_000;

/** Reads the wallets named in a list, the largest holders, and those who paid them. */
export function readPeople(sources: CaseSources, mint: Address, lists: CaseLists): CasePeople {
  const { cases, timeMs } = sources;
  const { paymentLogs } = cases.lists;
  const shared = sharedByWallets(sources, mint);
  const isService = (id: number) => shared.classes.ofId(id) !== null;
  const named = namedIn(lists);
  const found = new CaseWallets(paymentLogs);
  for (const address of named) found.add(address);
  const rows = paymentsAround(paymentLogs, found.ids.slice(), WALK, isService);
  addParties(paymentLogs, found, rows);
  for (const owner of holdersOf(sources, mint)) found.add(owner);
  addPayers(paymentLogs, found, WALK, isService);
  const wallets = new Map<Address, CaseWallet>();
  for (const address of found.addresses.toSorted()) {
    wallets.set(address, plainWallet(new LazyWallet(sources, mint, address, shared)));
  }
  return {
    payments: paymentLogs.readAll(rows),
    wallets,
    coTrades: cases.trails.coTradesOf(named, mint, timeMs),
    isFundingKnown: rows.length > 0 || isAnyFunded(wallets.values()),
  };
}

/**
 * Views the same: payments are followed when they are read, wallets are created when they are
 * read, and pairs of wallets that traded fewer mints together than links need are left out.
 */
export function viewPeople(sources: CaseSources, mint: Address, lists: CaseLists): CasePeople {
  const { cases, timeMs } = sources;
  const { paymentLogs } = cases.lists;
  const shared = sharedByWallets(sources, mint);
  const isService = (id: number) => shared.classes.ofId(id) !== null;
  const named = namedIn(lists);
  const wallets = new ViewedWallets(
    (address) => new LazyWallet(sources, mint, address, shared),
    () => new Set([...named, ...holdersOf(sources, mint)]),
  );
  const viewed = new ViewedPayments(paymentLogs, named, { ...WALK, isService });
  return {
    get payments() {
      return viewed.all;
    },
    paymentsFrom: (payer, sinceMs) => viewed.from(payer, sinceMs),
    wallets,
    coTrades: cases.trails.coTradesOf(named, mint, timeMs, CO_TRADED_MINTS_MIN),
    get isFundingKnown() {
      // A wallet has stored payments if it paid or was paid.
      for (const address of named) if (paymentLogs.has(address)) return true;
      return isAnyFunded(wallets.values());
    },
  };
}

function sharedByWallets(sources: CaseSources, mint: Address): SharedByWallets {
  const pools = sources.books.pools.ofMint(mint).map(({ pool }) => pool);
  return { classes: new CaseClasses(sources), pools };
}

/** False for records that contain only trades, or begin too late to show any payment. */
function isAnyFunded(wallets: Iterable<CaseWallet>): boolean {
  for (const { firstFunding } of wallets) if (firstFunding !== null) return true;
  return false;
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

function* holdersOf({ books }: CaseSources, mint: Address): Iterable<Address> {
  for (const { owner, balanceRaw } of books.holders.top(mint, HOLDERS_MAX, 0n)) {
    if (balanceRaw > 0n) yield owner;
  }
}
