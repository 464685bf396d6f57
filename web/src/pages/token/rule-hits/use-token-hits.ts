import { get } from '../../../api/client.ts';
import type { Hit } from '../../../api/rule-hit.ts';
import { type LiveRows, pageOf, useLiveRows } from '../../../state/use-live-rows.ts';

const PAGE = 100;
const READ_EVERY_MS = 30_000;

/** Where rules of the account and of the operator passed for a token. */
export function useTokenHits(mint: string): LiveRows<Hit> {
  return useLiveRows<Hit, string>({
    subject: mint,
    topic: 'rule_hits',
    params: { token_address: mint },
    readPage: async (cursor, signal) => {
      const answer = await get(
        '/v1/token/{token_address}/rule-hits',
        { token_address: mint, limit: PAGE, ...(cursor === null ? {} : { cursor }) },
        signal === undefined ? {} : { signal },
      );
      return pageOf(answer, ({ hits, next_cursor }) => ({ items: hits, next: next_cursor }));
    },
    everyMs: READ_EVERY_MS,
  });
}
