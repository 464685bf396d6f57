import fastify from 'fastify';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { compileResponse, unescaped } from './compile-response.ts';
import { Nullable } from './wire.ts';

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

describe('texts that need no escapes', () => {
  const plain = Type.String({ pattern: '^[a-z]+$' });
  const schema = (text: typeof plain) =>
    Type.Object({ one: text, maybe: Nullable(text), list: Type.Array(text), other: Type.String() });

  test('are written as others are, and their mark is not in the document', () => {
    const [marked, usual] = [schema(unescaped(plain)), schema(plain)];
    expect(JSON.stringify(marked)).toBe(JSON.stringify(usual));
    const word = 'a'.repeat(60);
    for (const maybe of [null, word]) {
      const body = { one: word, maybe, list: ['b', word], other: 'a "quoted"\n\u0001 text' };
      expect(compileResponse(marked)(body)).toBe(JSON.stringify(body));
      expect(compileResponse(usual)(body)).toBe(JSON.stringify(body));
    }
  });
});
