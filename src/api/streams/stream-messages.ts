import { type TSchema, Type } from 'typebox';
import { STREAM_TOPICS, type StreamTopic } from '../../model/slot-frame.ts';
import { IndicatorMinute } from '../present/indicator-minute-body.ts';
import { StreamedPool } from '../present/present-pool-block.ts';
import { SignalBody } from '../present/present-signal.ts';
import { SLOT_ITEM_DATA } from '../present/present-slot-item.ts';
import { FiredEventBody, RetractedEventBody } from '../present/present-trigger.ts';
import { RuleSignal } from '../present/signals-body.ts';
import { WEBHOOK_DATA } from '../present/webhook-event-bodies.ts';
import { maybeInstant } from '../present/wire-kinds.ts';
import { parametersOf, TOPIC_PARAMETERS } from './topics/topic-parameters.ts';

/** A message and its payload. */
export interface MessageSchema {
  readonly summary: string;
  readonly payload: TSchema;
}

/** Messages by name, those that a server sends or those that a client sends. */
export type MessageSchemas = Readonly<Record<string, MessageSchema>>;

const Seq = Type.Integer({
  minimum: 0,
  description: 'Number of the message, by which a stream is resumed.',
});
const Id = Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Integer()], {
  title: 'SubscriptionId',
  description: 'The name that the client gave the subscription.',
});
const MaybeId = Type.Union([Id, Type.Null()]);
const MaybeSlot = Type.Union([Type.Integer(), Type.Null()]);

const GAP = { from_seq: Seq, to_seq: Seq, seq: Seq };
const FAILURE = {
  code: Type.Integer({ description: 'The HTTP status that describes it.' }),
  message: Type.String({ description: 'One sentence.' }),
};

/** Names for schemas that several messages have in common. */
export const SHARED_DATA: readonly (readonly [name: string, schema: TSchema])[] = [
  ['StreamedPool', SLOT_ITEM_DATA.pool],
  ['StreamedToken', SLOT_ITEM_DATA.token],
  ['Wallet', SLOT_ITEM_DATA.wallet],
  ['Trade', SLOT_ITEM_DATA.trades],
  ['Candle', SLOT_ITEM_DATA.candles],
  ['PoolIndicators', SLOT_ITEM_DATA.indicators],
  ['Finding', SLOT_ITEM_DATA.findings],
  ['Signal', SignalBody.schema],
  ['RuleSignal', RuleSignal.schema],
  ['TriggerFired', FiredEventBody],
  ['TriggerRetracted', RetractedEventBody],
  ['RuleHit', SLOT_ITEM_DATA.rule_hits],
  ['AppliedSlot', SLOT_ITEM_DATA.chain],
  ['VenueChange', WEBHOOK_DATA['venue.changed']],
];

/** The messages of a topic, with the fields in front of them that only one kind of client has. */
function topicMessages(fields: Readonly<Record<string, TSchema>>, suffix: string): MessageSchemas {
  return Object.fromEntries(
    STREAM_TOPICS.map((topic): [string, MessageSchema] => [
      topic,
      {
        summary: `A change in the topic ${topic}, or one that a fork has taken back.`,
        payload: Type.Object(
          {
            ...fields,
            topic: Type.Literal(topic),
            seq: Seq,
            slot: Type.Integer({ description: 'The slot that changed it.' }),
            data: SLOT_ITEM_DATA[topic],
            undo: Type.Optional(
              Type.Literal(true, { description: 'A fork has taken the slot back.' }),
            ),
          },
          { title: `${pascalCase(topic)}${suffix}` },
        ),
      },
    ]),
  );
}

const Limits = Type.Object(
  {
    subscriptions: Type.Integer(),
    operation_bytes: Type.Integer(),
    operations_burst: Type.Integer(),
    operations_per_second: Type.Integer(),
    buffered_bytes: Type.Integer(),
    retained_seconds: Type.Integer(),
  },
  { title: 'StreamLimits' },
);

function socketMessage(op: string, fields: Readonly<Record<string, TSchema>>, title: string) {
  return Type.Object({ op: Type.Literal(op), ...fields }, { title });
}

/** What the WebSocket of the filtered stream sends. */
export const SOCKET_MESSAGES: MessageSchemas = {
  hello: {
    summary: 'The first message: the newest seq, and what a connection may do.',
    payload: socketMessage('hello', { seq: Seq, limits: Limits }, 'Hello'),
  },
  ack: {
    summary: 'A subscription began after seq, or ended (then without a slot).',
    payload: socketMessage('ack', { id: Id, seq: Seq, slot: Type.Optional(MaybeSlot) }, 'Ack'),
  },
  gap: {
    summary: 'Messages are no longer available; of all subscriptions if id is null.',
    payload: socketMessage('gap', { id: MaybeId, ...GAP }, 'Gap'),
  },
  error: {
    summary: 'An operation was refused. The connection stays.',
    payload: socketMessage('error', { id: MaybeId, ...FAILURE }, 'StreamError'),
  },
  pong: {
    summary: 'The answer to a ping.',
    payload: socketMessage('pong', { id: MaybeId, seq: Seq }, 'Pong'),
  },
  ...topicMessages({ id: Id }, 'Message'),
};

/** What a client of the filtered stream sends. */
export const SOCKET_OPERATIONS: MessageSchemas = {
  ...Object.fromEntries(
    STREAM_TOPICS.map((topic): [string, MessageSchema] => [
      `subscribe_${topic}`,
      {
        summary: `Subscribe to ${topic}; answered by ack or error.`,
        payload: socketMessage(
          'subscribe',
          {
            id: Id,
            topic: Type.Literal(topic),
            params: Type.Optional(paramsOf(topic)),
            since: Type.Optional(
              Type.Union([Seq, Type.Null()], {
                description: 'Position to resume from; null or absent for new messages only.',
              }),
            ),
          },
          `Subscribe${pascalCase(topic)}`,
        ),
      },
    ]),
  ),
  unsubscribe: {
    summary: 'End a subscription; answered by ack or error.',
    payload: socketMessage('unsubscribe', { id: Id }, 'Unsubscribe'),
  },
  ping: {
    summary: 'Answered by pong.',
    payload: socketMessage('ping', { id: Type.Optional(MaybeId) }, 'Ping'),
  },
};

function paramsOf(topic: StreamTopic): TSchema {
  const fields = parametersOf(topic).map((name) => [name, documented(TOPIC_PARAMETERS[name])]);
  return Type.Object(Object.fromEntries(fields), { title: `${pascalCase(topic)}Params` });
}

/** The parameter without what only the validation of requests needs. */
function documented(schema: TSchema): TSchema {
  const { 'x-invalid-status': _, ...rest } = schema as TSchema & Record<string, unknown>;
  return Type.Optional(rest as unknown as TSchema);
}

/** What server-sent events carry; the event of a topic has no name, the others are named so. */
export const EVENT_MESSAGES: MessageSchemas = {
  ack: {
    summary: 'The event ack: all messages after seq follow.',
    payload: Type.Object({ seq: Seq, slot: MaybeSlot }, { title: 'AckEvent' }),
  },
  gap: {
    summary: 'The event gap: messages are no longer available.',
    payload: Type.Object(GAP, { title: 'GapEvent' }),
  },
  error: {
    summary: 'The event error: the subscription was refused.',
    payload: Type.Object(FAILURE, { title: 'ErrorEvent' }),
  },
  ...topicMessages({}, 'Event'),
};

const seriesGap: MessageSchema = {
  summary: 'Requested messages are no longer retained.',
  payload: Type.Object({ type: Type.Literal('gap'), ...GAP }, { title: 'SeriesGap' }),
};

export const TRIGGER_MESSAGES: MessageSchemas = {
  connected: {
    summary: 'The first message.',
    payload: Type.Object(
      { type: Type.Literal('connected'), message: Type.String() },
      { title: 'Connected' },
    ),
  },
  trigger_fired: { summary: 'All conditions became true.', payload: FiredEventBody },
  trigger_retracted: { summary: 'A fork made a firing void.', payload: RetractedEventBody },
  gap: seriesGap,
};

export const MARKET_DATA_MESSAGES: MessageSchemas = {
  pools: {
    summary: 'The pools that a slot changed.',
    payload: Type.Object(
      {
        block_number: Type.Integer({ description: 'The slot.' }),
        timestamp: maybeInstant.schema,
        pools: Type.Array(StreamedPool.schema),
        seq: Seq,
      },
      { title: 'PoolBlock' },
    ),
  },
  gap: seriesGap,
};

export const INDICATOR_MESSAGES: MessageSchemas = {
  indicators: {
    summary: 'Pools traded in a minute.',
    payload: Type.Object(
      {
        timestamp: Type.String({ format: 'date-time' }),
        indicators: Type.Array(IndicatorMinute.schema),
        seq: Seq,
      },
      { title: 'IndicatorBatch' },
    ),
  },
  gap: seriesGap,
};

export const SIGNAL_MESSAGES: MessageSchemas = {
  signal: {
    summary: 'A signal as of the time it was issued.',
    payload: Type.Object({ ...SignalBody.schema.properties, seq: Seq }, { title: 'IssuedSignal' }),
  },
  gap: seriesGap,
};

/** What webhooks deliver, by type. */
export const WEBHOOK_MESSAGES: MessageSchemas = Object.fromEntries(
  Object.entries(WEBHOOK_DATA).map(([type, data]): [string, MessageSchema] => [
    type,
    {
      summary: `The event ${type}.`,
      payload: Type.Object(
        {
          type: Type.Literal(type),
          timestamp: Type.String({ format: 'date-time', description: 'When it happened.' }),
          data,
        },
        { title: `${type.split('.').map(pascalCase).join('')}Webhook` },
      ),
    },
  ]),
);

function pascalCase(name: string): string {
  return name.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}
