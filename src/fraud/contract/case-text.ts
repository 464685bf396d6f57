import { toBigintJson } from '../../lib/bigint-json.ts';
import type { MintCase } from '../../model/mint-case.ts';

/** A plain case as the text that modules read it from; the wallets as pairs. */
export function caseText({ paymentsFrom: _, wallets, ...mintCase }: MintCase): string {
  return toBigintJson({ ...mintCase, wallets: [...wallets] });
}
