import { get } from '../../api/client.ts';
import { type LiveRows, numberedPage, pageOf, useLiveRows } from '../../state/use-live-rows.ts';
import type { Author, Hit } from './rule-types.ts';

const PAGE = 100;
const READ_EVERY_MS = 30_000;

/** A rule whose hits are shown. */
export interface ChosenRule {
  readonly author: Author;
  readonly name: string;
}

/** The hits of a rule; those of all rules only as they come, for null. */
export function useHits(rule: ChosenRule | null): LiveRows<Hit> {
  return useLiveRows<Hit, number>({
    subject: JSON.stringify(rule),
    topic: 'rule_hits',
    params: rule === null ? {} : { rule_id: rule.name, author: rule.author },
    readPage: rule === null ? null : (before, signal) => readPage(rule, before, signal),
    everyMs: READ_EVERY_MS,
  });
}

async function readPage(
  { name, author }: ChosenRule,
  before: number | null,
  signal: AbortSignal | undefined,
) {
  const answer = await get(
    '/v1/rules/{rule_id}/hits',
    { rule_id: name, author, limit: PAGE, ...(before === null ? {} : { before_row_id: before }) },
    signal === undefined ? {} : { signal },
  );
  return pageOf(answer, ({ hits }) => numberedPage(hits, PAGE));
}
