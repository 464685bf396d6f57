/** mintscope.v1: hits of rules of the account of the key and of the operator (decision 0100). */
import type { RuleHitListing } from '../../../model/rule-listing.ts';
import { presentHit } from '../../present/present-rule.ts';
import type { Encoded } from '../stream-client.ts';
import type { LogEntry } from '../topics/stream-log.ts';
import { type GrpcMessage, type GrpcStream, text, timestamp } from './grpc-stream.ts';
import { answerWithTopic } from './topic-answer.ts';

interface Request {
  readonly author: string;
  readonly rule_id: string;
  readonly token_address: string;
}

/** Estimates of the bytes of a message without lists, and of each of their entries. */
const MESSAGE_BYTES = 1_024;
const ENTRY_BYTES = 96;

export const ruleHitsService: GrpcStream<Request, LogEntry> = {
  file: 'mintscope/v1/rule_hits.proto',
  service: 'mintscope.v1.RuleHitService',
  method: 'StreamRuleHits',
  open: (deps, key, { author, rule_id, token_address }) =>
    answerWithTopic(deps, key, {
      topic: 'rule_hits',
      parameters: { author, rule_id, token_address },
      encode: ({ hit }, { isUndo }) => toUpdate(hit, isUndo),
    }),
};

function toUpdate(hit: RuleHitListing, undo: boolean): Encoded<GrpcMessage> {
  const { reasons, evidence, wallets, signatures, links } = hit;
  const entries =
    reasons.length + evidence.length + wallets.length + signatures.length + 2 * links.length;
  return {
    message: { hit: toMessage(hit), undo },
    sizeBytes: MESSAGE_BYTES + entries * ENTRY_BYTES,
  };
}

function toMessage(hit: RuleHitListing): GrpcMessage {
  const {
    label,
    price_usd,
    signal_row_id,
    evidence,
    links,
    outcome: _,
    ...shown
  } = presentHit(hit, undefined);
  return {
    ...shown,
    label: text(label),
    created_at: timestamp(hit.createdAtMs),
    price_usd: text(price_usd),
    ...(signal_row_id === null ? {} : { signal_row_id }),
    evidence: evidence.map(({ name, value }) => ({ name, value_json: JSON.stringify(value) })),
    links: links.map((link) => ({ ...link, via_address: text(link.via_address) })),
  };
}
