/** POST /v1/batch/fraud: reported fraud findings of several tokens (CONTRACT §4). */
import type { JudgedClassification } from '../../../model/fraud-review.ts';
import { earliestSlot, setFreshness } from '../../present/freshness.ts';
import { FraudCheckBody, presentCheck } from '../../present/present-classification.ts';
import { batchRoute } from '../../requests/batch-route.ts';

export const batchFraudRoute = batchRoute<readonly JudgedClassification[]>({
  name: 'fraud',
  operationId: 'batchFraud',
  summary: 'Check several tokens for fraud',
  description: 'Returns for each token what /v1/fraud/check does.',
  tag: 'fraud',
  addresses: 'mint',
  item: FraudCheckBody,
  read: async (deps, mints, reply) => {
    const tokens = await deps.batches.tokenRecords(mints);
    const known = mints.filter((_, index) => tokens[index] !== null);
    const read = known.length === 0 ? null : await deps.batches.fraudChecks(known);
    const fromSlot = earliestSlot(tokens.map((token) => token?.creationSlot ?? null));
    setFreshness(reply, deps, { fromSlot, isStored: true }, read);
    const checks = new Map(known.map((mint, index) => [mint, read?.data[index] ?? []]));
    const found = mints.map((mint) => checks.get(mint) ?? null);
    return { found, present: (judged, mint) => presentCheck(mint, judged) };
  },
});
