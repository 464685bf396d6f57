import type { FastifyInstance } from 'fastify';
import { type TSchema, Type } from 'typebox';
import {
  EVENT_MESSAGES,
  INDICATOR_MESSAGES,
  MARKET_DATA_MESSAGES,
  type MessageSchemas,
  SHARED_DATA,
  SIGNAL_MESSAGES,
  SOCKET_MESSAGES,
  SOCKET_OPERATIONS,
  TRIGGER_MESSAGES,
  WEBHOOK_MESSAGES,
} from '../streams/stream-messages.ts';
import { type Schema, SchemaNames } from './name-schemas.ts';

interface Channel {
  readonly address: string | null;
  readonly title: string;
  readonly description: string;
  readonly server: 'webSocket' | 'http' | 'receiver';
  readonly sent: MessageSchemas;
  readonly received?: MessageSchemas;
  /** Headers of its messages. */
  readonly headers?: TSchema;
}

const WebhookHeaders = Type.Object({
  'webhook-id': Type.String({ description: 'The same for every attempt of a delivery.' }),
  'webhook-timestamp': Type.String({
    description: 'Time of the attempt in seconds since 1970.',
    pattern: '^[0-9]+$',
  }),
  'webhook-signature': Type.String({
    description:
      'v1, and the base64 of the HMAC-SHA256 of id.timestamp.body; two, separated by a space, ' +
      'while the secret is being rotated.',
  }),
});

/** The channels, by the names that the operations refer to. */
const CHANNELS: Readonly<Record<string, Channel>> = {
  stream: {
    address: '/v1/stream',
    title: 'Filtered stream',
    description: 'One WebSocket with up to 500 subscriptions. since of a subscription resumes it.',
    server: 'webSocket',
    sent: SOCKET_MESSAGES,
    received: SOCKET_OPERATIONS,
  },
  streamEvents: {
    address: '/v1/stream/sse',
    title: 'Filtered stream as events',
    description: 'One topic as server-sent events. The id of an event is its seq.',
    server: 'http',
    sent: EVENT_MESSAGES,
  },
  triggers: {
    address: '/v1/triggers/ws',
    title: 'Firings',
    description: 'Trigger events of the account. The parameter since resumes.',
    server: 'webSocket',
    sent: TRIGGER_MESSAGES,
  },
  marketData: {
    address: '/v1/market-data/ws',
    title: 'Changed pools',
    description: 'A message for each slot that changed pools. The parameter since resumes.',
    server: 'webSocket',
    sent: MARKET_DATA_MESSAGES,
  },
  indicators: {
    address: '/v1/indicators/ws',
    title: 'Indicators',
    description: 'Indicators of each minute. The parameter since resumes.',
    server: 'webSocket',
    sent: INDICATOR_MESSAGES,
  },
  signals: {
    address: '/v1/signals/ws',
    title: 'Signals',
    description: 'Signals as they are issued. The parameter since resumes.',
    server: 'webSocket',
    sent: SIGNAL_MESSAGES,
  },
  webhooks: {
    address: null,
    title: 'Webhooks',
    description: 'Deliveries to the URL of a webhook. Every attempt sends the same body.',
    server: 'receiver',
    sent: WEBHOOK_MESSAGES,
    headers: WebhookHeaders,
  },
};

/** Either of them. */
const KEY = [
  { $ref: '#/components/securitySchemes/apiKey' },
  { $ref: '#/components/securitySchemes/bearer' },
];

declare module 'fastify' {
  interface FastifyInstance {
    /** The JSON text of the AsyncAPI document. */
    asyncApi: () => string;
  }
}

export function addAsyncApi(app: FastifyInstance, version: string): void {
  let text: string | null = null;
  app.decorate('asyncApi', () => {
    text ??= JSON.stringify(asyncApiDocument(version));
    return text;
  });
}

/** The AsyncAPI 3 document, built from the schemas of what streams and webhooks send. */
export function asyncApiDocument(version: string) {
  const names = new SchemaNames();
  for (const [name, schema] of SHARED_DATA) names.refer(schema as Schema, [name]);
  const channels = mapEntries(CHANNELS, (_, channel) => toChannel(channel, names));
  const operations = Object.fromEntries(
    Object.entries(CHANNELS).flatMap(([name, { sent, received, title }]) => [
      [`send${capital(name)}`, toOperation('send', name, sent, `Sends: ${title}`)],
      ...(received === undefined
        ? []
        : [[`receive${capital(name)}`, toOperation('receive', name, received, 'Subscriptions')]]),
    ]),
  );
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Mintscope',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      webSocket: { ...OWN_SERVER, protocol: 'ws', security: KEY },
      http: { ...OWN_SERVER, protocol: 'http', security: KEY },
      receiver: {
        host: '{receiver}',
        protocol: 'https',
        description: 'The URL that a webhook was registered with.',
        variables: { receiver: { default: 'example.com' } },
      },
    },
    channels,
    operations,
    components: {
      schemas: Object.fromEntries(names.schemas),
      securitySchemes: {
        apiKey: { type: 'httpApiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

const OWN_SERVER = {
  host: '{host}',
  description: 'This server.',
  variables: { host: { default: 'localhost:8080' } },
};

const DESCRIPTION = `Streams and webhooks of Mintscope.

Decimal numbers are JSON strings in plain notation. Unknown values are null. Times are UTC with
milliseconds. Browsers, which cannot set the header of a WebSocket, open it with the parameter ticket
(POST /v1/stream/ticket).`;

function toChannel(channel: Channel, names: SchemaNames) {
  const { address, title, description, server, sent, received = {}, headers } = channel;
  const messages = mapEntries({ ...sent, ...received }, (name, { summary, payload }) => ({
    name,
    summary,
    payload: names.refer(payload as Schema, [`${capital(name)}Message`]),
    ...(headers === undefined ? {} : { headers: names.refer(headers as Schema, ['Headers']) }),
  }));
  const bindings = server === 'webSocket' ? { bindings: { ws: { method: 'GET' } } } : {};
  return {
    address,
    title,
    description,
    servers: [{ $ref: `#/servers/${server}` }],
    messages,
    ...bindings,
  };
}

function toOperation(
  action: 'send' | 'receive',
  channel: string,
  messages: MessageSchemas,
  summary: string,
) {
  return {
    action,
    channel: { $ref: `#/channels/${channel}` },
    summary,
    messages: Object.keys(messages).map((name) => ({
      $ref: `#/channels/${channel}/messages/${name}`,
    })),
  };
}

function capital(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function mapEntries<Value, Result>(
  values: Readonly<Record<string, Value>>,
  map: (name: string, value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, map(name, value)]),
  );
}
