import type { Address } from '../../model/units.ts';
import type { LinkKind, LinkTransaction, WalletLink } from '../../model/wallet-lists.ts';
import type { CaseSources } from '../cases/case-sources.ts';
import { followLinksOf } from './follow-links.ts';

/** The newest mints of a wallet whose transfers and purchases are read. */
const MINTS_MAX = 16;

type Sources = Pick<CaseSources, 'books' | 'walletBooks' | 'cases'>;

/**
 * The wallets that recorded payments, recorded transfers of its newest mints, and its purchases link
 * to a wallet, in any order. The records are bounded: the first 4 and newest 12 payments in each
 * direction, and transfers and purchases until a week after the last trade of the mint.
 */
export function recordedLinksOf(sources: Sources, wallet: Address): WalletLink[] {
  const mints = newestMintsOf(sources, wallet);
  const followed = followLinksOf(sources, wallet, mints);
  return [
    ...paymentLinks(sources, wallet),
    ...transferLinks(sources, wallet, mints),
    ...followed.map((link) => ({ ...link, class: classOf(sources, link.wallet) })),
  ];
}

interface Linked {
  readonly wallet: Address;
  readonly transaction: LinkTransaction;
}

function paymentLinks(sources: Sources, wallet: Address): WalletLink[] {
  const { paymentLogs } = sources.cases.lists;
  const linksOf = (kind: LinkKind, rows: readonly number[], isPaid: boolean) =>
    toLinks(
      sources,
      kind,
      paymentLogs.readAll(rows).map(({ from, to, slot, signature, lamports }) => ({
        wallet: isPaid ? to : from,
        transaction: { slot, signature, lamports, mint: null, amountRaw: null, decimals: null },
      })),
    );
  return [
    ...linksOf('funded_by', paymentLogs.receivedBy(wallet), false),
    ...linksOf('funded', paymentLogs.paidBy(wallet), true),
  ];
}

function newestMintsOf({ walletBooks }: Sources, wallet: Address): Address[] {
  const mints: Address[] = [];
  for (const number of walletBooks.positions.numbersOf(wallet)) {
    if (mints.length === MINTS_MAX) break;
    mints.push(walletBooks.positions.at(number).mint);
  }
  return mints;
}

function transferLinks(sources: Sources, wallet: Address, mints: readonly Address[]): WalletLink[] {
  const { cases, books } = sources;
  const sent: Linked[] = [];
  const received: Linked[] = [];
  for (const mint of mints) {
    const decimals = books.tokens.get(mint)?.decimals ?? null;
    for (const { from, to, slot, signature, amountRaw } of cases.lists.transfers(mint)) {
      const transaction = { slot, signature, lamports: null, mint, amountRaw, decimals };
      if (from === wallet) sent.push({ wallet: to, transaction });
      if (to === wallet) received.push({ wallet: from, transaction });
    }
  }
  return [
    ...toLinks(sources, 'sent_tokens', sent),
    ...toLinks(sources, 'received_tokens', received),
  ];
}

/** One link for each wallet; its strength is its share of all transactions of the kind. */
function toLinks(sources: Sources, kind: LinkKind, all: readonly Linked[]): WalletLink[] {
  return [...Map.groupBy(all, ({ wallet }) => wallet)].map(([wallet, linked]) => ({
    wallet,
    kind,
    class: classOf(sources, wallet),
    strength: linked.length / all.length,
    transactions: linked
      .map(({ transaction }) => transaction)
      .sort((one, other) => (one.slot ?? 0) - (other.slot ?? 0)),
    findings: [],
  }));
}

function classOf({ books, walletBooks }: Sources, address: Address): WalletLink['class'] {
  return books.pools.has(address) ? 'pool' : walletBooks.funding.classify(address);
}
