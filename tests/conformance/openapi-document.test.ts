import { readFileSync } from 'node:fs';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { CONSTRUCTED } from '../../scripts/openapi/fill-examples.ts';
import { EXAMPLE } from '../../src/api/schemas/examples.ts';
import { VERSION } from '../../src/config/version.ts';
import { type OpenApiDocument, operationsOf } from '../support/api-fuzz/operations.ts';
import { fakeApiServer } from '../support/fake-api-server.ts';
import { withoutExamples } from '../support/without-examples.ts';

const TEXT = readFileSync('docs/openapi.json', 'utf8');
const OPERATIONS = operationsOf(JSON.parse(TEXT) as OpenApiDocument);
const LIST_MAX = 2;

/** The JSON examples of the successes, by operation. */
const EXAMPLES = OPERATIONS.flatMap(({ name, answers }) =>
  Object.entries(answers).flatMap(([status, { content }]) => {
    const json = content?.['application/json'];
    return Number(status) < 300 && json?.example !== undefined ? [{ name, ...json }] : [];
  }),
);

function listsIn(value: unknown): readonly unknown[][] {
  if (typeof value !== 'object' || value === null) return [];
  return [...(Array.isArray(value) ? [value] : []), ...Object.values(value).flatMap(listsIn)];
}

test('the committed OpenAPI document is what the service serves but for the examples: "npm run openapi" writes it', async () => {
  const server = fakeApiServer({}, { version: VERSION });
  await server.ready();
  const lines = (document: unknown) =>
    JSON.stringify(withoutExamples(document), null, 2).split('\n');
  const served = lines(server.swagger());
  const committed = lines(JSON.parse(TEXT));
  const index = committed.findIndex((line, place) => line !== served[place]);
  // The first line that differs, since the whole document would be the message otherwise.
  expect(served[index]).toBe(committed[index]);
  expect(served.length).toBe(committed.length);
});

test('its examples satisfy the schemas, as answers of the market do', () => {
  expect(EXAMPLES.length).toBeGreaterThan(60);
  const wrong = EXAMPLES.filter(({ schema, example }) => !Value.Check(schema, example));
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test('its examples name nothing that the market does not have', () => {
  const { mint, pool, creator, wallet, signature } = EXAMPLE;
  const invented = [mint, pool, creator, wallet, signature].filter((name) => TEXT.includes(name));
  expect(invented).toEqual([]);
});

test('what no slot decides says so, and names its own time', () => {
  const { schemas } = (JSON.parse(TEXT) as OpenApiDocument).components as {
    schemas: Record<string, { properties?: Record<string, { description?: string }> }>;
  };
  const said = Object.values(schemas).flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, { description = '' }]) =>
      /(No slot decides it|does not decide it): it is as of \w+/.test(description) ? [name] : [],
    ),
  );
  expect([...new Set(said)].sort()).toEqual([
    ...['commitment', 'social_blast_radius_score', 'social_sentiment_score', 'status'],
  ]);
});

test('the lists of its examples are short, and those that an endpoint is named after are not empty', () => {
  for (const { name, example } of EXAMPLES) {
    const longest = Math.max(0, ...listsIn(example).map(({ length }) => length));
    // The intervals of a chart are a list of the service, as long as it is.
    if (name !== 'GET /udf/config' && !CONSTRUCTED.has(name)) {
      expect([name, longest <= LIST_MAX]).toEqual([name, true]);
    }
  }
  const empty = EXAMPLES.filter(
    ({ name, example }) => name.startsWith('GET ') && isFirstListEmpty(example),
  );
  // A chain without gaps has none, a finding that nobody reviewed has no review, and a graph whose
  // transactions are all recorded leaves none unresolved.
  expect(empty.map(({ name }) => name)).toEqual([
    'GET /v1/fraud/classifications/{id}',
    'GET /v1/fraud/classifications/{id}/graph',
    'GET /v1/coverage',
  ]);
});

function isFirstListEmpty(example: unknown): boolean {
  const lists = Array.isArray(example) ? [example] : Object.values(example as object);
  return lists.some((list) => Array.isArray(list) && list.length === 0);
}
