/** POST /v1/batch/tokens: all data of several tokens (CONTRACT §4). */
import { whenKnown } from '../../../lib/awaitable.ts';
import { earliestSlot, setFreshness } from '../../present/freshness.ts';
import { TokenBody } from '../../present/token-body.ts';
import { batchRoute } from '../../requests/batch-route.ts';
import type { TokenHolders } from '../../token-reads.ts';

export const batchTokensRoute = batchRoute<TokenHolders>({
  name: 'tokens',
  operationId: 'batchTokens',
  summary: 'Retrieve several tokens',
  description: 'Returns for each token what /v1/token/{token_address} does.',
  tag: 'tokens',
  addresses: 'mint',
  item: TokenBody.schema,
  read: (deps, mints, reply) =>
    whenKnown(deps.batches.tokens(mints), (found) => {
      const slots = found.map((one) => one?.token.creationSlot ?? null);
      setFreshness(reply, deps, { fromSlot: earliestSlot(slots) });
      const present = (one: TokenHolders) => {
        const facts = deps.offchain.factsOf(one.token.mint);
        return TokenBody.present({ ...one, facts }, one.token.decimals);
      };
      return { found, present };
    }),
});
