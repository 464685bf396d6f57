import fastify from 'fastify';
import { expect, test } from 'vitest';
import { compileResponse } from './compile-response.ts';

const SCHEMA = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, count: { type: ['integer', 'null'] } },
};

test('a body is written as by Fastify, without fields that the schema does not name', async () => {
  const body = { name: 'a "token"', count: null, other: 1 };
  const app = fastify();
  app.get('/', { schema: { response: { 200: SCHEMA } } }, async () => body);
  const { payload } = await app.inject('/');
  expect(compileResponse(SCHEMA)(body)).toBe(payload);
  expect(payload).toBe('{"name":"a \\"token\\"","count":null}');
});

test('a schema is compiled once', () => {
  expect(compileResponse(SCHEMA)).toBe(compileResponse(SCHEMA));
  expect(compileResponse({ ...SCHEMA })).not.toBe(compileResponse(SCHEMA));
});
