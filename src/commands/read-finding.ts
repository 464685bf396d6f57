import type { Static } from 'typebox';
import { ClassificationDetailBody } from '../api/present/present-classification.ts';
import { readAnswerFile } from './read-answer-file.ts';

/** A finding as returned by the service. */
export type PublishedFinding = Static<typeof ClassificationDetailBody>;

/** Reads a response of GET /v1/fraud/classifications/{id}. Throws UsageError for anything else. */
export function readFinding(path: string): PublishedFinding {
  return readAnswerFile(path, ClassificationDetailBody, {
    answer: 'a response of GET /v1/fraud/classifications/{id}',
    kind: 'finding',
  });
}
