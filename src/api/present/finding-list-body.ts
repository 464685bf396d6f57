import type { FindingPage, FindingPosition } from '../../model/finding-page.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';
import { CLASSIFICATION_EXAMPLE } from './classification-example.ts';
import { ClassificationBody } from './present-classification.ts';
import { list, nullable, text } from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

/** `next`: writes the cursor of the next page. */
export const FindingListBody = wireRecord<FindingPage, (next: FindingPosition) => string>()(
  {
    classifications: [list(ClassificationBody), 'findings', 'In the requested order.'],
    next_cursor: [
      nullable(text),
      ({ next }, write) => next && write(next),
      'Cursor of the next page; null on the last page.',
    ],
  },
  {
    description: 'One page of classifications.',
    headers: FRESHNESS_HEADERS,
    examples: [{ classifications: [CLASSIFICATION_EXAMPLE], next_cursor: null }],
  },
);
