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
  /** What stayed with it: its net and what was paid to it, less what it paid on; null without any. */
  readonly kept: string | null;
}

/** The wallets of a finding with what each took out of it, those with whom most stayed first. */
export function paidWallets({ nodes, edges }: Pick<FindingGraph, 'nodes' | 'edges'>): PaidWallet[] {
  const payments = edges.filter(({ kind }) => kind === 'payment');
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
        kept: keptOf(net, paidIn, paidOut),
      };
    })
    .sort((one, other) => Number(other.kept ?? 0) - Number(one.kept ?? 0));
}

function keptOf(net: string | null, paidIn: string | null, paidOut: string | null): string | null {
  const taken = sumDecimals([net, paidIn]);
  return paidOut === null ? taken : subtractDecimals(taken ?? '0', paidOut);
}

function solOf(edges: FindingGraph['edges']): string | null {
  return sumDecimals(edges.map(({ sol_amount }) => sol_amount));
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
