import { type TSchema, Type } from 'typebox';
import type { PING_EVENT, WebhookEventType } from '../../model/webhook.ts';
import { ClassificationBody } from './present-classification.ts';
import { HitRecord } from './present-rule.ts';
import { SignalBody } from './present-signal.ts';
import { FiredEventBody, RetractedEventBody } from './present-trigger.ts';
import { VenueChangeBody } from './present-venue-change.ts';

const PingBody = Type.Object({ webhook_id: Type.String({ format: 'uuid' }) });

/** Schemas of `data` of the events that webhooks deliver. */
export const WEBHOOK_DATA: Readonly<Record<WebhookEventType | typeof PING_EVENT, TSchema>> = {
  'trigger.fired': FiredEventBody,
  'trigger.retracted': RetractedEventBody,
  'fraud.found': ClassificationBody.schema,
  'fraud.raised': ClassificationBody.schema,
  'fraud.withdrawn': ClassificationBody.schema,
  'signal.given': SignalBody.schema,
  'rule.hit': HitRecord.schema,
  'venue.changed': VenueChangeBody,
  ping: PingBody,
};
