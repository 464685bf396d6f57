import type { WalletLinks } from '../../model/finding-graph.ts';
import type { CaseClass, CaseTransfer } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import type { CaseSources } from '../cases/case-sources.ts';

/**
 * The recorded transactions that link some wallets in a mint. The lists of cases are bounded and
 * those of a mint are dropped a week after its last trade.
 */
export function walletLinksOf(
  { books, walletBooks, cases }: Pick<CaseSources, 'books' | 'walletBooks' | 'cases'>,
  mint: Address,
  wallets: ReadonlySet<Address>,
): WalletLinks {
  const { lists } = cases;
  const { paymentLogs } = lists;
  const rows = new Set<number>();
  for (const wallet of wallets) {
    const received = paymentLogs.receivedBy(wallet);
    for (const [at, entry] of received.entries()) {
      if (at === 0 || wallets.has(paymentLogs.payerOf(entry))) rows.add(entry);
    }
  }
  const trades = lists.trades(mint).filter(({ wallet }) => wallets.has(wallet));
  const liquidity = lists.liquidity(mint).filter(({ provider }) => wallets.has(provider));
  const payments = paymentLogs.readAll(paymentLogs.inOrder(rows));
  const isBetween = ({ from, to }: CaseTransfer) => wallets.has(from) && wallets.has(to);
  const classes = new Map<Address, CaseClass>();
  const pools = [...trades, ...liquidity].map(({ pool }) => pool);
  const named = [...pools, ...payments.map(({ from }) => from)];
  for (const address of new Set([...wallets, ...named])) {
    const known = books.pools.has(address) ? 'pool' : walletBooks.funding.classify(address);
    if (known !== null) classes.set(address, known);
  }
  const transfers = lists.transfers(mint).filter(isBetween);
  return { trades, transfers, liquidity, payments, classes };
}
