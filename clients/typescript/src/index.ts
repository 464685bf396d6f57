export type { Answer, DataOf, ExportPath, ItemOf, PagedPath } from './api-types.ts';
export { type ClientOptions, MintscopeClient } from './client.ts';
export {
  addDecimals,
  compareDecimals,
  type Decimal,
  fromUnits,
  parseDecimal,
  toUnits,
} from './decimal.ts';
export {
  ApiError,
  BadAnswerError,
  ConnectionError,
  MintscopeError,
  VersionError,
  WebhookError,
  type WebhookFault,
} from './errors.ts';
export type {
  GapEvent,
  ReadyEvent,
  StreamEvent,
  StreamSettings,
  Subscription,
  Topic,
  TopicData,
  TopicEvent,
  TopicParams,
} from './stream-types.ts';
export type { Deprecation, Versions } from './versions.ts';
export {
  type VerifiedWebhook,
  verifyWebhook,
  type WebhookEvent,
  type WebhookRequest,
} from './webhook.ts';
