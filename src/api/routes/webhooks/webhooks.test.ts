import { describe, expect, test } from 'vitest';
import {
  fakeApiDeps,
  fakeKey,
  READ_KEY,
  REVIEW_KEY,
  WRITE_KEY,
} from '../../../../tests/support/fake-api-deps.ts';
import { fakeApiServer } from '../../../../tests/support/fake-api-server.ts';
import type { Webhook, WebhookDelivery } from '../../../model/webhook.ts';
import type { WebhookRepository } from '../../webhook-repository.ts';

const ID = '2ed6657d-e927-468b-95e1-2665a8aea6a2';
const EVENT_ID = '9a3f0f5e-0000-5000-8000-00000000000b';
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const WEBHOOK: Webhook = {
  id: ID,
  accountId: 'account of writer',
  url: 'https://example.com/hook',
  label: 'alerts',
  eventTypes: ['trigger.fired'],
  createdAtMs: 1_000,
  disabledAtMs: null,
  disabledReason: null,
  failingSinceMs: 2_000,
  failuresInRow: 3,
  pending: 4,
  dropped: 5,
  previousSecretUntilMs: null,
};
const RECORD = {
  id: ID,
  url: 'https://example.com/hook',
  label: 'alerts',
  event_types: ['trigger.fired'],
  status: 'active',
  disabled_at: null,
  disabled_reason: null,
  failing_since: '1970-01-01T00:00:02.000Z',
  failures_in_row: 3,
  pending_deliveries: 4,
  dropped_deliveries: 5,
  previous_secret_until: null,
  created_at: '1970-01-01T00:00:01.000Z',
};
const DELIVERY: WebhookDelivery = {
  id: EVENT_ID,
  webhookId: ID,
  eventType: 'trigger.fired',
  createdAtMs: 1_000,
  state: 'pending',
  nextAttemptMs: 7_000,
  attempts: [
    { atMs: 2_000, status: 500, error: null, durationMs: 12 },
    { atMs: 1_000, status: null, error: 'timed-out', durationMs: 5_000 },
  ],
  attemptCount: 2,
};
const DELIVERY_RECORD = {
  id: EVENT_ID,
  type: 'trigger.fired',
  state: 'pending',
  created_at: '1970-01-01T00:00:01.000Z',
  next_attempt_at: '1970-01-01T00:00:07.000Z',
  attempt_count: 2,
  attempts: [
    { at: '1970-01-01T00:00:02.000Z', status: 500, error: null, duration_ms: 12 },
    { at: '1970-01-01T00:00:01.000Z', status: null, error: 'timed-out', duration_ms: 5_000 },
  ],
};
const NAME = { accountId: 'account of writer', webhookId: ID };
const ADDED = { url: WEBHOOK.url, event_types: ['trigger.fired'], label: 'alerts' };

/** A server with the given answers, and the last call it received. */
function server(answers: Partial<WebhookRepository> = {}) {
  const asked: unknown[] = [];
  const noted = Object.entries(answers).map(([name, answer]) => {
    const note = (question: unknown) => {
      asked.push(question);
      return (answer as (question: unknown) => unknown)(question);
    };
    return [name, note];
  });
  const { webhooks } = fakeApiDeps();
  const app = fakeApiServer({ webhooks: { ...webhooks, ...Object.fromEntries(noted) } });
  const ask = async (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    payload?: unknown,
    key = method === 'GET' ? READ_KEY : WRITE_KEY,
  ) => {
    const answer = await app.inject({
      ...{ method, url: `/v1/webhooks${path}` },
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
    });
    return { status: answer.statusCode, body: answer.json() };
  };
  return { app, ask, asked };
}

describe('POST /v1/webhooks', () => {
  const done = async () => ({ kind: 'done', webhook: WEBHOOK, secret: SECRET }) as const;

  test('answers 201 with the webhook and, this once only, its secret', async () => {
    const { ask, asked } = server({ add: done });
    const answer = await ask('POST', '', { ...ADDED, other: 1 });
    expect(answer).toEqual({ status: 201, body: { ...RECORD, secret: SECRET } });
    expect(Object.keys(answer.body)).toEqual([...Object.keys(RECORD), 'secret']);
    const { url, eventTypes, label } = WEBHOOK;
    expect(asked).toEqual([{ accountId: 'account of writer', url, eventTypes, label }]);
  });

  test('removes duplicate types, and stores no label if there is none', async () => {
    const { ask, asked } = server({ add: done });
    const types = ['signal.given', 'fraud.found', 'signal.given'];
    await ask('POST', '', { url: 'https://a.example/', event_types: types });
    expect(asked).toMatchObject([{ eventTypes: ['fraud.found', 'signal.given'], label: null }]);
  });

  test.each([
    ['no object', [ADDED], 400, 'The request body must be a JSON object.'],
    ['no url', { ...ADDED, url: undefined }, 400, 'url is required.'],
    ['a url that is a number', { ...ADDED, url: 7 }, 400, 'url must be a string.'],
    ['no types', { ...ADDED, event_types: undefined }, 400, 'event_types is required.'],
    ['a type alone', { ...ADDED, event_types: 'x' }, 400, 'event_types must be an array.'],
    ['a number', { ...ADDED, event_types: [1] }, 400, 'event_types[0] must be a string.'],
    ['a label of a number', { ...ADDED, label: 1 }, 400, 'label must be a string.'],
    ['an empty list', { ...ADDED, event_types: [] }, 422, /^event_types must be a list of trigger/],
    [
      'more types than there are',
      { ...ADDED, event_types: Array.from({ length: 9 }, () => 'signal.given') },
      422,
      /^event_types must be a list/,
    ],
    ['an unknown type', { ...ADDED, event_types: ['ping'] }, 422, /^event_types must be a list/],
    [
      'a long url',
      { ...ADDED, url: `https://a.b/${'x'.repeat(2_000)}` },
      422,
      /^url must be a text/,
    ],
    [
      'a long label',
      { ...ADDED, label: 'x'.repeat(101) },
      422,
      /^label must be a text of 1 to 100/,
    ],
  ])('refuses %s', async (_, payload, status, message) => {
    const { ask, asked } = server({ add: done });
    const answer = await ask('POST', '', payload);
    expect([answer.status, answer.body.code, asked]).toEqual([status, status, []]);
    expect(answer.body.message).toMatch(message);
  });

  test('answers 422 for a disallowed URL without repeating it, 409 for one webhook too many', async () => {
    const refused = server({ add: async () => ({ kind: 'refused', reason: 'must be a URL' }) });
    expect(await refused.ask('POST', '', ADDED)).toEqual({
      status: 422,
      body: { code: 422, message: 'url must be a URL.' },
    });
    const full = server({ add: async () => ({ kind: 'full', webhooksMax: 20 }) });
    expect((await full.ask('POST', '', ADDED)).status).toBe(409);
  });
});

describe('webhooks', () => {
  test('are listed, found and removed without their secrets', async () => {
    const { ask, asked } = server({
      list: async () => [WEBHOOK],
      find: async () => ({ ...WEBHOOK, disabledAtMs: 3_000, disabledReason: 'gone' }),
      remove: async () => WEBHOOK,
      enable: async () => WEBHOOK,
    });
    expect(await ask('GET', '')).toEqual({ status: 200, body: { webhooks: [RECORD] } });
    expect(await ask('GET', `/${ID.toUpperCase()}`)).toEqual({
      status: 200,
      body: {
        ...RECORD,
        status: 'disabled',
        disabled_at: '1970-01-01T00:00:03.000Z',
        disabled_reason: 'gone',
      },
    });
    expect(await ask('DELETE', `/${ID}`)).toEqual({
      status: 200,
      body: { ...RECORD, status: 'removed' },
    });
    expect(await ask('POST', `/${ID}/enable`)).toEqual({ status: 200, body: RECORD });
    const { accountId } = fakeKey('reader', []);
    expect(asked).toEqual([accountId, { accountId, webhookId: ID }, NAME, NAME]);
  });

  test('get a new secret, which is returned only once', async () => {
    const webhook = { ...WEBHOOK, previousSecretUntilMs: 5_000 };
    const { ask, asked } = server({ rotate: async () => ({ webhook, secret: SECRET }) });
    const previous = { previous_secret_until: '1970-01-01T00:00:05.000Z' };
    expect(await ask('POST', `/${ID}/rotate-secret`)).toEqual({
      status: 200,
      body: { ...RECORD, ...previous, secret: SECRET },
    });
    expect(asked).toEqual([NAME]);
  });

  test('can be tested, and events of their log redelivered', async () => {
    const { ask, asked } = server({
      test: async () => ({ kind: 'done', delivery: DELIVERY }),
      redeliver: async () => ({ kind: 'done', delivery: DELIVERY }),
    });
    const taken = { status: 202, body: DELIVERY_RECORD };
    expect(await ask('POST', `/${ID}/test`)).toEqual(taken);
    expect(await ask('POST', `/${ID}/deliveries/${EVENT_ID}/redeliver`)).toEqual(taken);
    expect(asked).toEqual([NAME, { ...NAME, deliveryId: EVENT_ID }]);
  });

  test('show their log page by page', async () => {
    const { ask, asked } = server({
      deliveries: async () => ({ deliveries: [DELIVERY], total: 41 }),
    });
    expect(await ask('GET', `/${ID}/deliveries?page=3&per_page=20`)).toEqual({
      status: 200,
      body: { deliveries: [DELIVERY_RECORD], total: 41, page: 3, per_page: 20, pages: 3 },
    });
    const { accountId } = fakeKey('reader', []);
    expect(asked).toEqual([{ accountId, webhookId: ID, limit: 20, offset: 40 }]);
    expect((await ask('GET', `/${ID}/deliveries?per_page=101`)).status).toBe(400);
  });

  const paths = [
    ['GET', `/${ID}`],
    ['DELETE', `/${ID}`],
    ['POST', `/${ID}/rotate-secret`],
    ['POST', `/${ID}/enable`],
    ['POST', `/${ID}/test`],
    ['GET', `/${ID}/deliveries`],
    ['POST', `/${ID}/deliveries/${EVENT_ID}/redeliver`],
  ] as const;

  test.each(paths)(
    'that are unknown or of another account answer 404: %s %s',
    async (method, path) => {
      const answer = await server().ask(method, path);
      expect([answer.status, answer.body.code]).toEqual([404, 404]);
      expect(answer.body.message).toMatch(/^This account has no such webhook/);
    },
  );

  test.each(paths)('have UUIDs, and other IDs answer 400: %s %s', async (method, path) => {
    const answer = await server().ask(method, path.replace(ID, 'nonsense'));
    expect(answer).toEqual({ status: 400, body: { code: 400, message: 'id must be a UUID.' } });
  });

  test.each(paths)('require a key with the scope: %s %s', async (method, path) => {
    const { ask, app } = server();
    const other = method === 'GET' ? REVIEW_KEY : READ_KEY;
    expect((await ask(method, path, undefined, other)).status).toBe(403);
    expect((await app.inject({ method, url: `/v1/webhooks${path}` })).statusCode).toBe(401);
  });

  test('that are disabled answer 409 to requests that would send', async () => {
    const { ask } = server({
      test: async () => ({ kind: 'disabled' }),
      redeliver: async () => ({ kind: 'disabled' }),
    });
    const message = 'This webhook is disabled: enable it first.';
    const refused = { status: 409, body: { code: 409, message } };
    expect(await ask('POST', `/${ID}/test`)).toEqual(refused);
    expect(await ask('POST', `/${ID}/deliveries/${EVENT_ID}/redeliver`)).toEqual(refused);
  });
});
