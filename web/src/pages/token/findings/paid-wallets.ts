import { subtractDecimals, sumDecimals } from '../sum-decimals.ts';
import type { FindingGraph } from '../token-types.ts';

export interface PaidWallet {
  readonly address: string;
  readonly role: string;
  readonly labels: readonly string[];
  /** SOL; null if not known. */
  readonly spent: string | null;
  readonly received: string | null;
  /** Received less spent. */
  readonly net: string | null;
  readonly tokens: string | null;
  /** SOL that other addresses of the graph paid to it, and it to them. */
  readonly paidIn: string | null;
  readonly paidOut: string | null;
  /**
   * What stayed with it after the wallets of the finding paid each other: the sum over all wallets
   * is that of their nets. Null without trades and such payments.
   */
  readonly kept: string | null;
}

/** The wallets of a finding with what each took out of it, those with whom most stayed first. */
export function paidWallets({ nodes, edges }: Pick<FindingGraph, 'nodes' | 'edges'>): PaidWallet[] {
  const payments = edges.filter(({ kind }) => kind === 'payment');
  const involved = new Set(nodes.flatMap(({ address, role }) => (role === null ? [] : [address])));
  const among = payments.filter(({ from, to }) => involved.has(from) && involved.has(to));
  return nodes
    .flatMap(({ address, role, labels, sol_spent, sol_received, tokens_acquired }) => {
      if (role === null) return [];
      const net = subtractDecimals(sol_received, sol_spent);
      const paidIn = solOf(payments.filter(({ to }) => to === address));
      const paidOut = solOf(payments.filter(({ from }) => from === address));
      return {
        address,
        role,
        labels,
        spent: sol_spent,
        received: sol_received,
        net,
        tokens: tokens_acquired,
        paidIn,
        paidOut,
        kept: keptOf(address, net, among),
      };
    })
    .sort((one, other) => Number(other.kept ?? 0) - Number(one.kept ?? 0));
}

function keptOf(
  address: string,
  net: string | null,
  payments: FindingGraph['edges'],
): string | null {
  const taken = sumDecimals([net, solOf(payments.filter(({ to }) => to === address))]);
  const paidOut = solOf(payments.filter(({ from }) => from === address));
  return paidOut === null ? taken : subtractDecimals(taken ?? '0', paidOut);
}

function solOf(edges: FindingGraph['edges']): string | null {
  return sumDecimals(edges.map(({ sol_amount }) => sol_amount));
}

/** A wallet of the finding that others of it paid after they had sold. */
export interface Collector {
  readonly address: string;
  readonly sol: string;
}

/** To whom of the finding those that gained paid most after their first sale; null if to nobody. */
export function collectorOf(
  wallets: readonly PaidWallet[],
  edges: FindingGraph['edges'],
): Collector | null {
  const involved = new Set(wallets.map(({ address }) => address));
  const amounts = new Map<string, (string | null)[]>();
  for (const { address } of totalsOf(wallets).gainers) {
    const own = edges.filter(({ from }) => from === address);
    const sales = own.filter(({ kind }) => kind === 'sell').map(({ slot }) => slot ?? Infinity);
    const firstSale = Math.min(...sales);
    for (const { kind, to, slot, sol_amount } of own) {
      if (kind !== 'payment' || !involved.has(to) || (slot ?? -1) < firstSale) continue;
      amounts.set(to, [...(amounts.get(to) ?? []), sol_amount]);
    }
  }
  const sums = [...amounts].map(([address, one]) => ({ address, sol: sumDecimals(one) ?? '0' }));
  return sums.sort((one, other) => Number(other.sol) - Number(one.sol))[0] ?? null;
}

export interface Totals {
  readonly spent: string | null;
  readonly received: string | null;
  /** Those that took more out of trades of the token than they put in, the greatest gain first. */
  readonly gainers: readonly PaidWallet[];
}

export function totalsOf(wallets: readonly PaidWallet[]): Totals {
  return {
    spent: sumDecimals(wallets.map(({ spent }) => spent)),
    received: sumDecimals(wallets.map(({ received }) => received)),
    gainers: wallets
      .filter(({ net }) => net !== null && Number(net) > 0)
      .sort((one, other) => Number(other.net) - Number(one.net)),
  };
}
