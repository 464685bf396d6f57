import { parseBigintJson, toBigintJson } from '../../lib/bigint-json.ts';
import type { CaseWallet, MintCase } from '../../model/mint-case.ts';

/** A plain case as the text that modules read it from; the wallets as pairs. */
export function caseText({ paymentsFrom: _, wallets, ...mintCase }: MintCase): string {
  return toBigintJson({ ...mintCase, wallets: [...wallets] });
}

/** The case of a text that caseText made. */
export function readCaseText(text: string): MintCase {
  const { wallets, ...mintCase } = parseBigintJson(text) as Omit<MintCase, 'wallets'> & {
    readonly wallets: readonly (readonly [CaseWallet['address'], CaseWallet])[];
  };
  return { ...mintCase, wallets: new Map(wallets) };
}
