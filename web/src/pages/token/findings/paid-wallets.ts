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
}

/** The wallets of a finding with what each took out of it, the greatest gain first. */
export function paidWallets({ nodes, edges }: Pick<FindingGraph, 'nodes' | 'edges'>): PaidWallet[] {
  const payments = edges.filter(({ kind }) => kind === 'payment');
  return nodes
    .flatMap(({ address, role, labels, sol_spent, sol_received, tokens_acquired }) => {
      if (role === null) return [];
      return {
        address,
        role,
        labels,
        spent: sol_spent,
        received: sol_received,
        net: subtractDecimals(sol_received, sol_spent),
        tokens: tokens_acquired,
        paidIn: solOf(payments.filter(({ to }) => to === address)),
        paidOut: solOf(payments.filter(({ from }) => from === address)),
      };
    })
    .sort((one, other) => Number(other.net ?? 0) - Number(one.net ?? 0));
}

function solOf(edges: FindingGraph['edges']): string | null {
  return sumDecimals(edges.map(({ sol_amount }) => sol_amount));
}

export interface Totals {
  readonly spent: string | null;
  readonly received: string | null;
  readonly gainers: readonly PaidWallet[];
}

export function totalsOf(wallets: readonly PaidWallet[]): Totals {
  return {
    spent: sumDecimals(wallets.map(({ spent }) => spent)),
    received: sumDecimals(wallets.map(({ received }) => received)),
    gainers: wallets.filter(({ net }) => net !== null && Number(net) > 0),
  };
}
