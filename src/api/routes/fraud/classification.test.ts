import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import {
  buildClassification,
  classificationId,
} from '../../../../tests/support/build-classification.ts';
import {
  asOfFakeSlot,
  CLASSIFICATION,
  fakeApiDeps,
  fakeDetail,
  REVIEW_KEY,
} from '../../../../tests/support/fake-api-deps.ts';
import {
  fakeApiServer,
  getAsReader,
  sendAs,
  sharedApiServer,
} from '../../../../tests/support/fake-api-server.ts';
import { ClassificationDetailBody, presentDetail } from '../../present/present-classification.ts';

const url = `/v1/fraud/classifications/${CLASSIFICATION}`;

describe('GET /v1/fraud/classifications/{id}', () => {
  test('returns the detail, with no field dropped by the schema', async () => {
    const response = await getAsReader(sharedApiServer(), url);
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe(JSON.stringify(presentDetail(fakeDetail())));
    expect(Value.Check(ClassificationDetailBody, response.json())).toBe(true);
  });

  test('returns a candidate without pool and detection slot', async () => {
    const classification = buildClassification({
      state: 'candidate',
      detectionSlot: null,
      finding: { pool: null, confidence: 0.2 },
    });
    const detail = fakeDetail({ classification });
    const server = fakeApiServer({
      fraud: { ...fakeApiDeps().fraud, find: async () => asOfFakeSlot(detail) },
    });
    expect((await getAsReader(server, url)).json()).toMatchObject({
      pair_address: null,
      detection_slot: null,
      confidence_level: 'low',
      status: 'active',
    });
  });

  test('accepts an ID in upper case', async () => {
    const asked: string[] = [];
    const find = async (id: string) => {
      asked.push(id);
      return asOfFakeSlot(null);
    };
    const server = fakeApiServer({ fraud: { ...fakeApiDeps().fraud, find } });
    await getAsReader(server, '/v1/fraud/classifications/ABCDEF00-0000-5000-8000-00000000000A');
    expect(asked).toEqual(['abcdef00-0000-5000-8000-00000000000a']);
  });

  test.each(['1', 'x'.repeat(36), `${CLASSIFICATION}0`, "'%20OR%201=1", '%00'])(
    'refuses the id %s',
    async (id) => {
      const response = await getAsReader(sharedApiServer(), `/v1/fraud/classifications/${id}`);
      expect(response.statusCode).toBe(400);
      expect(response.json()).toEqual({ code: 400, message: 'id must be a UUID.' });
    },
  );

  test('answers 404 for an unknown or removed classification', async () => {
    const response = await getAsReader(
      sharedApiServer(),
      `/v1/fraud/classifications/${classificationId(2)}`,
    );
    expect(response.statusCode).toBe(404);
    expect(response.json()).toEqual({ code: 404, message: 'This classification is not known.' });
  });

  test('requires the scope read', async () => {
    expect((await sendAs(sharedApiServer(), 'GET', url)).statusCode).toBe(401);
    expect((await sendAs(sharedApiServer(), 'GET', url, REVIEW_KEY)).statusCode).toBe(403);
  });
});
