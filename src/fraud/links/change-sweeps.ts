import type { MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { paymentsFrom } from '../readings/payments-from.ts';
import { isPersonalWallet } from './funding-paths.ts';
import type { LinkInput } from './link-family.ts';
import {
  endsOfPayments,
  type Inflow,
  type Outflow,
  type Sweep,
  senderOf,
  sweepsOf,
  toOutflow,
} from './sweep-flows.ts';

/** Amounts that people enter are multiples of 0.01 SOL. */
const ROUND_LAMPORTS = 10_000_000n;

/**
 * Sweeps of change: what wallets were paid and did not spend on the mint, sent away after their first
 * purchase. Only of wallets whose payments are all known, and only where two or more send to the
 * same one. Round amounts are prices and fees: what is left in a wallet is no round sum.
 */
export function changeSweeps({ mintCase, firstBuys }: LinkInput): readonly Sweep[] {
  const sentBy = paymentsFrom(mintCase);
  const sent: Outflow[] = [];
  for (const [wallet, { timeMs }] of firstBuys) {
    for (const payment of sentBy(wallet, timeMs)) {
      if (payment.lamports % ROUND_LAMPORTS !== 0n) sent.push(toOutflow(payment));
    }
  }
  if (sent.length === 0) return [];
  const endOf = endsOfPayments(mintCase);
  const outflows = [...Map.groupBy(sent, ({ to }) => endOf(to))].flatMap(([sink, toSink]) => {
    if (!isOfSeveral(toSink) || !isPersonalWallet(mintCase, sink)) return [];
    const known = toSink.filter(({ from }) => isOfKnownAge(mintCase, from));
    return isOfSeveral(known) ? known : [];
  });
  if (outflows.length === 0) return [];
  const senders = new Set(outflows.map(senderOf));
  return sweepsOf({ inflows: [...incomeOf(mintCase, senders)], outflows }, endOf);
}

/** What these wallets were paid and what they sold for, less what they bought for. */
function* incomeOf(
  { payments, trades }: MintCase,
  wallets: ReadonlySet<Address>,
): Iterable<Inflow> {
  for (const payment of payments) {
    const { to, lamports } = payment;
    if (wallets.has(to)) yield { ref: payment, to, amount: lamports };
  }
  for (const trade of trades) {
    const { wallet, side, lamports } = trade;
    if (!wallets.has(wallet)) continue;
    yield { ref: trade, to: wallet, amount: side === 'sell' ? lamports : 0n - lamports };
  }
}

function isOfKnownAge(mintCase: MintCase, wallet: Address): boolean {
  return (mintCase.wallets.get(wallet)?.firstSeenMs ?? null) !== null;
}

function isOfSeveral(outflows: readonly Outflow[]): boolean {
  return outflows.some(({ from }) => from !== outflows[0]?.from);
}
