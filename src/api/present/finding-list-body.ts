import { type Static, Type } from 'typebox';
import type { FindingPage, FindingPosition } from '../../model/finding-page.ts';
import type { FindingsWithHits } from '../../model/rule-hit-page.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';
import { CLASSIFICATION_EXAMPLE } from './classification-example.ts';
import { ClassificationBody } from './present-classification.ts';
import { presentHits, RuleHits } from './present-rule.ts';
import { list, nullable, text } from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

const FindingList = wireRecord<FindingPage, (next: FindingPosition) => string>()({
  classifications: [list(ClassificationBody), 'findings', 'In the requested order.'],
  next_cursor: [
    nullable(text),
    ({ next }, write) => next && write(next),
    'Cursor of the next page; null on the last page.',
  ],
});

const schema = Type.Object(
  {
    ...FindingList.schema.properties,
    rule_hits: RuleHits('In the requested order; only if author names authors of rules.'),
  },
  {
    description: 'One page of classifications.',
    headers: FRESHNESS_HEADERS,
    examples: [{ classifications: [CLASSIFICATION_EXAMPLE], next_cursor: null }],
  },
);

function present(
  page: FindingPage | FindingsWithHits,
  write: (next: FindingPosition) => string,
): Static<typeof schema> {
  const body = FindingList.present(page, write);
  return 'hits' in page ? { ...body, rule_hits: presentHits(page.hits) } : body;
}

/** A page of findings, with hits if they were asked for. `write` writes the cursor of the next. */
export const FindingListBody = { schema, present };
