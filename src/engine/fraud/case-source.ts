import type { MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import type { PriceOf } from '../rules/case-rules.ts';
import type { CaseSizes } from './evaluation-schedule.ts';

/** Source of cases. */
export interface CaseSource extends CaseSizes {
  /** The current case of a mint; null for a mint without stored data. */
  readonly read: (mint: Address) => MintCase | null;
  /** The same as plain objects. */
  readonly readPlain: (mint: Address) => MintCase | null;
  readonly priceOf: PriceOf;
}
