import specs from '@asyncapi/specs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { fakeApiServer } from '../../../tests/support/fake-api-server.ts';
import { STREAM_TOPICS } from '../../model/slot-frame.ts';
import { WEBHOOK_EVENT_TYPES } from '../../model/webhook.ts';
import { asyncApiDocument } from './asyncapi.ts';

describe('GET /asyncapi.json', () => {
  test('is served without a key, with the version of the service', async () => {
    const { statusCode, headers, body } = await fakeApiServer().inject('/asyncapi.json');
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(body)).toMatchObject({ asyncapi: '3.0.0', info: { version: '1.2.3' } });
  });

  test('is valid by the published schema of AsyncAPI 3', () => {
    // The published schema contains the meta schema that Ajv would add.
    const own = { meta: false, validateSchema: false } as const;
    const ajv = new Ajv({ ...own, strict: false, validateFormats: false, allErrors: true });
    const isValid = ajv.compile(specs.schemas['3.0.0'] as object);
    const document = asyncApiDocument('1.2.3');
    expect([isValid(document), isValid.errors]).toEqual([true, null]);
    expect(isValid({ ...document, channels: { stream: { address: 7 } } })).toBe(false);
  });

  test('refers to nothing that it does not have', () => {
    const document = asyncApiDocument('1.2.3');
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g);
    const lost = [...references].filter(([, path = '']) => !has(document, path.split('/')));
    expect(lost).toEqual([]);
  });

  test('has a message for each topic and each type of webhook event', () => {
    const { channels } = asyncApiDocument('1.2.3');
    const sockets = Object.keys(channels.stream?.messages ?? {});
    expect(sockets).toEqual(expect.arrayContaining([...STREAM_TOPICS]));
    expect(Object.keys(channels.webhooks?.messages ?? {})).toEqual([
      ...WEBHOOK_EVENT_TYPES,
      'ping',
    ]);
  });
});

function has(value: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return value !== undefined;
  if (typeof value !== 'object' || value === null) return false;
  return has((value as Readonly<Record<string, unknown>>)[key], rest);
}
