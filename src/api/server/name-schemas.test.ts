import { describe, expect, test } from 'vitest';
import { type NameableDocument, nameSchemas } from './name-schemas.ts';

const text = { type: 'string' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

/** The document of operations that answer with these schemas. */
function documentOf(answers: Readonly<Record<string, object>>, status = '200'): NameableDocument {
  const operations = Object.entries(answers).map(([operationId, schema]) => [
    `/${operationId}`,
    { get: { operationId, responses: { [status]: { content: { json: { schema } } } } } },
  ]);
  return { paths: Object.fromEntries(operations), components: { securitySchemes: {} } };
}

const named = (answers: Readonly<Record<string, object>>, status?: string) =>
  nameSchemas(documentOf(answers, status));
const answerOf = (document: ReturnType<typeof named>, name: string, status = '200') =>
  document.paths[`/${name}`]?.get?.responses[status]?.content?.json?.schema;
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('the named schemas of a document', () => {
  test('have the name of the operation without its verb, and parts that of their property', () => {
    const holder = object({ address: text });
    const document = named({
      getTokenHolders: object({ holders: { type: 'array', items: holder }, first_owner: holder }),
    });
    expect(answerOf(document, 'getTokenHolders')).toEqual(reference('TokenHolders'));
    expect(document.components).toEqual({
      securitySchemes: {},
      schemas: {
        TokenHoldersHolder: holder,
        TokenHolders: object({
          holders: { type: 'array', items: reference('TokenHoldersHolder') },
          first_owner: reference('TokenHoldersHolder'),
        }),
      },
    });
  });

  test('are shared by equal schemas, whose descriptions and examples stay where they were', () => {
    const document = named({
      getTrigger: object({ id: text }, { description: 'The trigger.' }),
      addTrigger: object({ id: text }, { description: 'The new one.', examples: [{ id: 'a' }] }),
    });
    expect(answerOf(document, 'getTrigger')).toEqual({
      ...reference('Trigger'),
      description: 'The trigger.',
    });
    expect(answerOf(document, 'addTrigger')).toEqual({
      ...reference('Trigger'),
      description: 'The new one.',
      examples: [{ id: 'a' }],
    });
    expect(Object.keys(document.components.schemas)).toEqual(['Trigger']);
  });

  test('never take the name of another schema', () => {
    const document = named({
      getTrigger: object({ id: text }),
      addTrigger: object({ id: text, status: text }),
      removeTrigger: object({ status: text }, { title: 'Trigger' }),
    });
    expect(Object.keys(document.components.schemas)).toEqual([
      'Trigger',
      'AddTriggerResponse',
      'RemoveTriggerResponse',
    ]);
  });

  test('take their title', () => {
    const candle = object({ open: text }, { title: 'Candle' });
    const document = named({ getOhlc: object({ '1s': { type: 'array', items: candle } }) });
    expect(Object.keys(document.components.schemas)).toEqual(['Candle', 'Ohlc']);
  });

  test('of a nullable object are a union with null', () => {
    const document = named({
      getKey: object({ limits: object({ a: text }, { type: ['object', 'null'] }) }),
    });
    expect(document.components.schemas.Key?.properties).toEqual({
      limits: { anyOf: [reference('KeyLimits'), { type: 'null' }] },
    });
    expect(document.components.schemas.KeyLimits).toEqual(object({ a: text }));
  });

  test('of a union are named by the constant that tells its parts apart', () => {
    const part = (kind: string) => object({ type: { const: kind } });
    const document = named({ getEvent: { anyOf: [part('fired'), part('wallet_moved')] } });
    expect(Object.keys(document.components.schemas)).toEqual(['EventFired', 'EventWalletMoved']);
  });

  test('of errors are one', () => {
    const body = object({ code: { type: 'integer' }, message: text });
    const document = named({ getToken: body, getPool: body }, '404');
    expect(answerOf(document, 'getPool', '404')).toEqual(reference('ErrorBody'));
    expect(Object.keys(document.components.schemas)).toEqual(['ErrorBody']);
  });
});
