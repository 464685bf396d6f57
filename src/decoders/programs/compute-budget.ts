/**
 * The compute budget program. Its limit and price are facts of the transaction, not events; they
 * are read in `../transaction/compute-budget.ts`.
 */
import { COMPUTE_BUDGET_PROGRAM } from '../../model/program.ts';
import { type Decoder, IGNORED, malformed, unknown } from '../legs/decoder.ts';

/**
 * RequestUnits (retired), RequestHeapFrame, SetComputeUnitLimit, SetComputeUnitPrice,
 * SetLoadedAccountsDataSizeLimit.
 */
const TAG_MAX = 4;

export const computeBudget: Decoder = {
  name: 'compute_budget',
  programId: COMPUTE_BUDGET_PROGRAM,
  isVenue: false,
  decode({ data }) {
    const [tag] = data;
    if (tag === undefined) return malformed('no data');
    return tag <= TAG_MAX ? IGNORED : unknown(data, 1);
  },
};
