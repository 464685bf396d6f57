import type { CasePayment, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';

/** Shared: most wallets of a case paid nobody. */
const NOTHING: readonly CasePayment[] = [];

/** Cache: several readings of one case read the payments of its wallets. */
const readerOf = new WeakMap<MintCase, (payer: Address) => readonly CasePayment[]>();

/** Returns the payments of a case from one wallet, in the order of the case. */
export function paymentsFrom(mintCase: MintCase): (payer: Address) => readonly CasePayment[] {
  const known = readerOf.get(mintCase) ?? mintCase.paymentsFrom ?? groupPayments(mintCase);
  readerOf.set(mintCase, known);
  return known;
}

function groupPayments({ payments }: MintCase): (payer: Address) => readonly CasePayment[] {
  const byPayer = Map.groupBy(payments, ({ from }) => from);
  return (payer) => byPayer.get(payer) ?? NOTHING;
}
