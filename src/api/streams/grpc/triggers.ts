/** guardis.triggers.v1: trigger events of the account of the key (CONTRACT §3). */
import type { Comparison, HitComparison, TriggerEvent } from '../../../model/trigger.ts';
import { FiredPool } from '../../present/present-trigger.ts';
import { type GrpcMessage, type GrpcStream, texts, timestamp } from './grpc-stream.ts';

/** Estimates of the bytes of a message without conditions, and of each condition. */
const MESSAGE_BYTES = 512;
const CONDITION_BYTES = 128;

export const triggersService: GrpcStream<unknown, TriggerEvent> = {
  file: 'guardis/triggers/v1/triggers.proto',
  service: 'guardis.triggers.v1.TriggersService',
  method: 'StreamTriggers',
  permission: 'own alerts',
  open: ({ streams }, { accountId }) => ({
    source: streams.triggers(accountId),
    encode: ({ item }) => [{ message: toNotification(item), sizeBytes: sizeOf(item) }],
  }),
};

function sizeOf(event: TriggerEvent): number {
  const count = event.kind === 'fired' ? (event.firing.comparisons?.length ?? 0) : 0;
  return MESSAGE_BYTES + count * CONDITION_BYTES;
}

function toNotification(event: TriggerEvent): GrpcMessage {
  if (event.kind === 'retracted') {
    const { triggerId, retractedAtMs } = event.retraction;
    return {
      type: 'trigger_retracted',
      trigger_id: triggerId,
      fired_at: timestamp(retractedAtMs),
    };
  }
  const { triggerId, firedAtMs, figures, comparisons } = event.firing;
  return {
    type: 'trigger_fired',
    trigger_id: triggerId,
    fired_at: timestamp(firedAtMs),
    pool: texts(FiredPool.present(figures)),
    conditions: (comparisons ?? []).map(toCondition),
  };
}

function toCondition(one: Comparison | HitComparison): GrpcMessage {
  const { field, operator, value, compared } = one;
  const rule = 'ruleId' in one ? { rule_id: one.ruleId, author: one.author } : {};
  return { ...texts({ field, operator, value, compared }), ...rule };
}
