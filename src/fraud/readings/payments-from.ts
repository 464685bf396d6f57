import type { CasePayment, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { byChainOrder } from './block-order.ts';

/** Returns the payments of a case from one wallet at a time or later, in the order of the case. */
export type PaymentsFrom = (payer: Address, sinceMs: number) => readonly CasePayment[];

/** Shared: most wallets of a case paid nobody. */
const NOTHING: readonly CasePayment[] = [];

/** Cache: several sets of links are read from one case. */
const readerOf = new WeakMap<MintCase, PaymentsFrom>();

export function paymentsFrom(mintCase: MintCase): PaymentsFrom {
  const known = readerOf.get(mintCase) ?? mintCase.paymentsFrom ?? groupPayments(mintCase);
  readerOf.set(mintCase, known);
  return known;
}

/** The payments from any of these wallets in a span of time, ends included, in block order. */
export function paymentsBetween(
  mintCase: MintCase,
  payers: Iterable<Address>,
  fromMs: number,
  toMs: number,
): readonly CasePayment[] {
  const sentBy = paymentsFrom(mintCase);
  return Array.from(new Set(payers), (payer) => sentBy(payer, fromMs))
    .flat()
    .filter(({ timeMs }) => timeMs <= toMs)
    .sort(byChainOrder);
}

function groupPayments({ payments }: MintCase): PaymentsFrom {
  const byPayer = Map.groupBy(payments, ({ from }) => from);
  return (payer, sinceMs) =>
    byPayer.get(payer)?.filter(({ timeMs }) => timeMs >= sinceMs) ?? NOTHING;
}
