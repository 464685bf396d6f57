import type { Static } from 'typebox';
import { HitBody } from '../../api/present/present-rule.ts';
import { readAnswerFile } from '../read-answer-file.ts';

/** A hit as returned by the service. */
export type PublishedHit = Static<typeof HitBody>;

/** Reads one hit of a response of GET /v1/rules/{rule_id}/hits. Throws UsageError for anything else. */
export function readHit(path: string): PublishedHit {
  return readAnswerFile(path, HitBody, {
    answer: 'a hit, one item of hits in a response of GET /v1/rules/{rule_id}/hits',
    kind: 'hit',
  });
}
