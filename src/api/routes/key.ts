/** GET /v1/key: the key of the request, its limits and what is left of them (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ApiKey, Scope } from '../api-keys.ts';
import { keyOf } from '../http/admission.ts';
import type { Allowance, RateLimit } from '../http/rate-limit.ts';
import { instant, integer, list, nullable, text, word } from '../present/wire-kinds.ts';
import { wireRecord } from '../present/wire-record.ts';
import { errors } from '../schemas/error-responses.ts';

const SCOPES = ['read', 'triggers:write', 'review:write', 'admin'] as const satisfies Scope[];

interface KeyState {
  readonly key: ApiKey;
  readonly requests: RateLimit;
  readonly pictures: RateLimit;
  readonly allowance: Allowance | null;
  readonly streamsMax: number;
  readonly streamsOpen: number;
}

const Limits = wireRecord<KeyState>()({
  requests_per_minute: [integer, ({ requests }) => requests.perMinute, 'Of the key.'],
  burst: [
    integer,
    ({ requests }) => requests.burst,
    'Requests that the key may send at once after a pause.',
  ],
  pictures_per_minute: [
    integer,
    ({ pictures }) => pictures.perMinute,
    'Requests for pictures of tokens, which do not count as other requests.',
  ],
  picture_burst: [
    integer,
    ({ pictures }) => pictures.burst,
    'Requests for pictures that the key may send at once after a pause.',
  ],
  open_streams: [
    integer,
    'streamsMax',
    'Streams that the account may have open, over all keys and protocols.',
  ],
});

const Remaining = wireRecord<KeyState>()({
  requests: [
    integer,
    ({ allowance, requests }) => allowance?.remaining ?? requests.burst,
    'Requests that the key may send at once now. This request is counted.',
  ],
  reset_seconds: [
    integer,
    ({ allowance }) => allowance?.resetSeconds ?? 0,
    'Seconds until the whole burst is available again.',
  ],
  open_streams: [
    integer,
    ({ streamsMax, streamsOpen }) => Math.max(0, streamsMax - streamsOpen),
    'Streams that the account may still open.',
  ],
});

const Body = wireRecord<KeyState>()(
  {
    key_id: [text, ({ key }) => key.keyId, 'Public identifier of the key.'],
    account: [text, ({ key }) => key.accountId],
    name: [text, ({ key }) => key.label, 'Name given to the key; may be empty.'],
    scopes: [list(word(SCOPES)), ({ key }) => key.scopes],
    expires_at: [
      nullable(instant),
      ({ key }) => key.expiresAtMs,
      'Null for a key that does not expire.',
    ],
    limits: [Limits, (state) => state],
    remaining: [Remaining, (state) => state, 'What is left of the limits.'],
  },
  {
    description: 'The key of the request.',
    examples: [
      {
        key_id: 'k3v9x2m1',
        account: 'default',
        name: 'dashboard',
        scopes: ['read', 'triggers:write'],
        expires_at: null,
        limits: {
          requests_per_minute: 600,
          burst: 100,
          pictures_per_minute: 6_000,
          picture_burst: 1_000,
          open_streams: 100,
        },
        remaining: { requests: 99, reset_seconds: 1, open_streams: 100 },
      },
    ],
  },
);

/** Without 403: no scope is required. The table of keys is read, which may fail. */
const { 403: _, ...ERRORS } = errors({});

const schema = {
  operationId: 'getKey',
  summary: 'Retrieve the key of the request',
  description:
    'Returns the account, name and scopes of the API key, its limits and what is left of them. ' +
    'Any valid key may ask, whatever its scopes.',
  tags: ['operations'],
  response: { 200: Body.schema, ...ERRORS },
};

const OPTIONS = { schema, config: { access: 'key' } } as const;

export const keyRoute = (): FastifyPluginAsyncTypebox => async (app) => {
  app.get('/v1/key', OPTIONS, async (request) => {
    const { requests, pictures, streams } = app.limits;
    const key = keyOf(request);
    return Body.present({
      key,
      requests,
      pictures,
      allowance: request.allowance,
      streamsMax: streams.perAccountMax,
      streamsOpen: streams.openOf(key.accountId),
    });
  });
};
