import type { PaymentLogs } from '../../fraud/cases/payment-logs.ts';
import {
  addPayers,
  CasePeople,
  paymentsAround,
  type WalkBounds,
} from '../../fraud/cases/payment-walk.ts';
import type { CaseClass, CasePayment, CaseWallet, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import type { CaseSources } from './case-sources.ts';
import { type ClassOf, LazyWallet } from './lazy-wallet.ts';

/** The lists of a case, and who made its mint. */
export interface NamedPeople
  extends Pick<MintCase, 'trades' | 'transfers' | 'liquidity' | 'locks'> {
  readonly creator: Address | null;
}

/** Four steps as laundering goes; wallets beyond some thousands no detector looks at. */
const WALK: WalkBounds = { stepsMax: 4, paymentsMax: 20_000, walletsMax: 8_000 };
/** Largest holders that are in a case without standing in one of its lists (METHODS §7.2). */
const HOLDERS_MAX = 2_000;

/** How much of what can be read of people is read. */
export interface PeopleReader {
  readonly wallet: (wallet: LazyWallet) => CaseWallet;
  /** Of rows in block order. */
  readonly payments: (logs: PaymentLogs, rows: readonly number[]) => readonly CasePayment[];
  /** Mints that two wallets have traded together at least, to be told of. */
  readonly coTradedMintsMin: number;
}

/**
 * Everybody who stands in a list, holds much of the mint or paid somebody who does, each as `reader`
 * makes it of what can be read of it.
 */
export function readPeople(
  sources: CaseSources,
  mint: Address,
  lists: NamedPeople,
  reader: PeopleReader,
): Pick<MintCase, 'payments' | 'wallets' | 'coTrades'> {
  const { books, cases, timeMs } = sources;
  const { paymentLogs } = cases.lists;
  const classOf = classReader(sources);
  const isService = (address: Address) => classOf(address) !== null;
  const named = namedIn(lists);
  const people = new CasePeople(paymentLogs);
  for (const address of named) people.add(address);
  const rows = paymentsAround(paymentLogs, people, WALK, isService);
  for (const { owner, balanceRaw } of books.holders.top(mint, HOLDERS_MAX, 0n)) {
    if (balanceRaw > 0n) people.add(owner);
  }
  addPayers(paymentLogs, people, WALK, isService);
  const wallets = new Map<Address, CaseWallet>();
  for (const address of people.addresses.toSorted()) {
    wallets.set(address, reader.wallet(new LazyWallet(sources, mint, address, classOf)));
  }
  return {
    payments: reader.payments(paymentLogs, rows),
    wallets,
    coTrades: cases.trails.coTradesOf(named, mint, timeMs, reader.coTradedMintsMin),
  };
}

function namedIn({ trades, transfers, liquidity, locks, creator }: NamedPeople): Set<Address> {
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

/** Remembers: payments are followed over the same addresses again and again. */
function classReader({ books, walletBooks }: CaseSources): ClassOf {
  const known = new Map<Address, CaseClass | null>();
  return (address) => {
    const found = known.get(address);
    if (found !== undefined) return found;
    const isPool = books.pools.get(address) !== undefined;
    const read = isPool ? 'pool' : walletBooks.funding.classify(address);
    known.set(address, read);
    return read;
  };
}
