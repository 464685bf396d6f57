import { describe, expect, test } from 'vitest';
import {
  CLASSIFICATION,
  fakeApiDeps,
  fakeDetail,
  READ_KEY,
  REVIEW_KEY,
} from '../../../../tests/support/fake-api-deps.ts';
import { fakeApiServer } from '../../../../tests/support/fake-api-server.ts';
import type { ReviewOutcome, ReviewRequest } from '../../../model/fraud-review.ts';
import { presentDetail } from '../../present/present-classification.ts';

const url = `/v1/fraud/classifications/${CLASSIFICATION}/review`;

function serverWith(outcome: ReviewOutcome = { kind: 'taken', detail: fakeDetail() }) {
  const asked: ReviewRequest[] = [];
  const server = fakeApiServer({
    fraud: {
      ...fakeApiDeps().fraud,
      review: async (request) => {
        asked.push(request);
        return outcome;
      },
    },
  });
  const post = (
    payload: unknown,
    { key = REVIEW_KEY, type = 'application/json', path = url }: Record<string, string> = {},
  ) =>
    server.inject({
      method: 'POST',
      url: path,
      headers: { ...(key === '' ? {} : { 'x-api-key': key }), 'content-type': type },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });
  return { post, asked };
}

describe('POST /v1/fraud/classifications/{id}/review', () => {
  test('passes on the reviewer and the review, and returns the classification', async () => {
    const detail = fakeDetail({ status: 'reviewed' });
    const { post, asked } = serverWith({ kind: 'taken', detail });
    const response = await post({ status: 'reviewed', note: 'Seen “it” – 😀' });
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe(JSON.stringify(presentDetail(detail)));
    expect(response.headers['x-slot']).toBe('300000000');
    expect(asked).toEqual([
      {
        classificationId: CLASSIFICATION,
        to: 'reviewed',
        note: 'Seen “it” – 😀',
        keyId: 'reviewer',
        accountId: 'account of reviewer',
      },
    ]);
  });

  test('does not require a note, and accepts one of a thousand characters in any escape', async () => {
    const { post, asked } = serverWith();
    await post({ status: 'archived' });
    const spelled = '\\ud83d\\ude00'.repeat(1_000);
    expect((await post(`{"status":"archived","note":"${spelled}"}`)).statusCode).toBe(200);
    expect(asked.map(({ note }) => note)).toEqual([null, '😀'.repeat(1_000)]);
  });

  const longNote = 'note must be a text of 1 to 1000 characters.';
  const words = 'status must be one of reviewed, confirmed, false_positive, archived.';
  test.each([
    ['{', 400, 'The request is malformed.'],
    ['', 400, 'The request is malformed.'],
    ['[]', 400, 'The request body must be a JSON object.'],
    ['null', 400, 'The request body must be a JSON object.'],
    ['{}', 400, 'status is required.'],
    ['{"status":1}', 400, 'status must be a string.'],
    ['{"status":"confirmed","note":{}}', 400, 'note must be a string.'],
    ['{"status":"active"}', 422, words],
    ['{"status":"Confirmed"}', 422, words],
    ['{"status":"reviewed","note":""}', 422, longNote],
    [`{"status":"reviewed","note":"${'x'.repeat(1_001)}"}`, 422, longNote],
    ['{"status":"reviewed","note":"a\\u001b[31mb"}', 422, longNote],
    [`{"status":"reviewed","note":"${'x'.repeat(16_384)}"}`, 413, 'The request body is too large.'],
  ])('refuses the body %.60s', async (body, code, message) => {
    const { post, asked } = serverWith();
    const response = await post(body);
    expect(response.statusCode).toBe(code);
    expect(response.body).toBe(JSON.stringify({ code, message }));
    expect(asked).toEqual([]);
  });

  test('refuses an invalid JSON body and an invalid ID', async () => {
    const { post } = serverWith();
    expect((await post('status=reviewed', { type: 'text/plain' })).statusCode).toBe(415);
    const path = '/v1/fraud/classifications/none/review';
    const response = await post({ status: 'reviewed' }, { path });
    expect(response.json()).toEqual({ code: 400, message: 'id must be a UUID.' });
  });

  test('refuses a request without any body', async () => {
    const { post } = serverWith();
    expect((await post('')).statusCode).toBe(400);
    const bare = await fakeApiServer().inject({
      method: 'POST',
      url,
      headers: { 'x-api-key': REVIEW_KEY },
    });
    expect(bare.statusCode).toBe(400);
    expect(bare.json().message).toBe('The request body must be a JSON object.');
  });

  test('requires the review scope before anything else', async () => {
    const { post, asked } = serverWith();
    expect((await post('{', { key: '' })).statusCode).toBe(401);
    const response = await post('{', { key: READ_KEY });
    expect(response.statusCode).toBe(403);
    expect(response.json().message).toBe('This API key does not have the scope review:write.');
    expect(asked).toEqual([]);
  });

  test('answers 404 for an unknown classification', async () => {
    const response = await serverWith({ kind: 'unknown' }).post({ status: 'reviewed' });
    expect(response.statusCode).toBe(404);
    expect(response.json()).toEqual({ code: 404, message: 'This classification is not known.' });
  });

  test('answers 409 for an invalid transition', async () => {
    const { post } = serverWith({ kind: 'refused', from: 'active' });
    const response = await post({ status: 'confirmed' });
    expect(response.statusCode).toBe(409);
    expect(response.json()).toEqual({
      code: 409,
      message: 'A classification that is active cannot become confirmed.',
    });
  });

  test('is the only method of its path', async () => {
    const response = await fakeApiServer().inject({
      method: 'GET',
      url,
      headers: { 'x-api-key': REVIEW_KEY },
    });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe('POST');
  });
});
