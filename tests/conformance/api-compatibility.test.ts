import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { incompatibilities } from '../../scripts/release/api-compatibility.ts';
import type { OpenApi, Operation, Schema } from '../../site/cards/open-api.ts';

const ITEM: Schema = {
  type: 'object',
  properties: { price: { type: ['string', 'null'] }, next: { $ref: '#/components/schemas/Item' } },
};

/** A document of one operation with a parameter, a body and a list in its answer. */
function documentOf(
  changes: Partial<Operation> = {},
  item: Schema = ITEM,
  path = '/v1/items',
): OpenApi {
  const json = (schema: Schema) => ({ content: { 'application/json': { schema } } });
  const operation: Operation = {
    operationId: 'find',
    summary: 'Find',
    tags: [],
    parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
    requestBody: json({
      type: 'object',
      properties: { a: { type: 'string' }, b: {} },
      required: ['a'],
    }),
    responses: {
      200: {
        description: 'Items.',
        ...json({
          type: 'object',
          properties: { items: { type: 'array', items: { $ref: '#/components/schemas/Item' } } },
        }),
      },
      404: { description: 'None.' },
    },
    ...changes,
  };
  return {
    info: { version: '1.0.0', description: '' },
    tags: [],
    paths: { [path]: { post: operation } },
    components: { schemas: { Item: item } },
  };
}

describe('incompatibilities', () => {
  test('are none between equal documents', () => {
    expect(incompatibilities(documentOf(), documentOf())).toEqual([]);
    const served = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as OpenApi;
    expect(incompatibilities(served, served)).toEqual([]);
  });

  test('are none when something optional or a field is added', () => {
    const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } };
    const added = { name: 'cursor', in: 'query', schema: { type: 'string' } };
    const item = { ...ITEM, properties: { ...ITEM.properties, volume: { type: 'string' } } };
    const after = documentOf({ parameters: [limit, added] }, item);
    expect(incompatibilities(documentOf(), after)).toEqual([]);
  });

  test.each<readonly [string, OpenApi, string]>([
    ['a path', documentOf({}, ITEM, '/v2/items'), 'POST /v1/items is gone'],
    ['a parameter', documentOf({ parameters: [] }), 'POST /v1/items: the parameter limit is gone'],
    [
      'the type of a parameter',
      documentOf({ parameters: [{ name: 'limit', in: 'query', schema: { type: 'string' } }] }),
      'POST /v1/items: the parameter limit has another type',
    ],
    [
      'a parameter that is required now',
      documentOf({
        parameters: [{ name: 'limit', in: 'query', required: true, schema: { type: 'integer' } }],
      }),
      'POST /v1/items: the parameter limit is required',
    ],
    [
      'a field of the body that is required now',
      documentOf({
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { a: { type: 'string' }, b: {} },
                required: ['a', 'b'],
              },
            },
          },
        },
      }),
      'POST /v1/items: the field b of the body is required',
    ],
    [
      'a field of an answer',
      documentOf(
        {},
        { type: 'object', properties: { next: { $ref: '#/components/schemas/Item' } } },
      ),
      'POST /v1/items: the field items[].price is gone',
    ],
    [
      'whether a field may be null',
      documentOf({}, { ...ITEM, properties: { ...ITEM.properties, price: { type: 'string' } } }),
      'POST /v1/items: the field items[].price has another type',
    ],
    [
      'an answer',
      documentOf({ responses: { 404: { description: 'None.' } } }),
      'POST /v1/items: the answer 200 is gone',
    ],
  ])('name %s', (_, after, fault) => {
    expect(incompatibilities(documentOf(), after)).toEqual([fault]);
  });
});
