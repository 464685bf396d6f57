import fc from 'fast-check';
import type { LightMyRequestResponse, RouteOptions } from 'fastify';
import { afterAll, describe, expect, test } from 'vitest';
import { compileRequestPart } from '../../src/api/requests/compile-request-part.ts';
import { ApiError } from '../../src/model/errors.ts';
import {
  type RequestSchemas,
  type RequestValues,
  requestFaults,
  validValues,
} from '../support/api-fuzz/constraint-faults.ts';
import { fakeKey } from '../support/fake-api-deps.ts';
import { fakeApiServer } from '../support/fake-api-server.ts';

/** A route as its requests are described. */
interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly schema: RequestSchemas;
}

const key = fakeKey('client', ['read', 'triggers:write', 'review:write', 'admin']);
const server = fakeApiServer({ keys: { authenticate: () => key } });
const routes: Route[] = [];
server.addHook('onRoute', ({ method, url, schema = {} }: RouteOptions) => {
  const { params, querystring, body } = schema as RequestSchemas;
  const isChecked = params !== undefined || querystring !== undefined || body !== undefined;
  // Pages replace their schema after this hook.
  const isPage = url === '/' || url.startsWith('/docs');
  if (method !== 'HEAD' && isChecked && !isPage)
    routes.push({ method, url, schema } as unknown as Route);
});
await server.ready();
afterAll(async () => await server.close());

function send({ method, url }: Route, values: RequestValues): Promise<LightMyRequestResponse> {
  const path = url.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(`${values.params[name]}`),
  );
  const query = new URLSearchParams();
  for (const [name, given] of Object.entries(values.querystring)) {
    for (const text of given === undefined ? [] : [given].flat()) query.append(name, `${text}`);
  }
  return server.inject({
    ...{ method, url: `${path}?${query}`, headers: { 'x-api-key': 'any' } },
    ...(values.body === undefined ? {} : { payload: values.body as object }),
  });
}

/** The parts of a request by their names in the schema of a route. */
const PARTS = [
  ['params', 'path'],
  ['querystring', 'query'],
  ['body', 'body'],
] as const;

/** Messages about constraints of schemas; what the schema allows may be refused for other reasons. */
const DECLARED =
  /is required|is empty|more than once|whole number|one of|not a parameter|base58|a UUID|ISO|list of|a text|objects|a string/;

describe('A-10 every constraint that a route declares for its requests', () => {
  test('belongs to a route', () => {
    expect(routes.length).toBeGreaterThan(30);
  });

  test.each(routes)('is enforced with its status: $method $url', async (route) => {
    const valid = await send(route, validValues(route.schema));
    const isJson = String(valid.headers['content-type']).startsWith('application/json');
    const { message: otherFault = '' } = isJson ? valid.json<{ message?: string }>() : {};
    expect(otherFault).not.toMatch(DECLARED);
    const faults = requestFaults(route.schema);
    expect(faults.length).toBeGreaterThan(0);
    for (const { violated, name, status, values } of faults) {
      const answer = await send(route, values);
      const { code, message } = answer.json<{ code: number; message: string }>();
      expect([violated, name, answer.statusCode, code]).toEqual([violated, name, status, status]);
      expect(message.startsWith(name) && message !== otherFault, `${violated}: ${message}`).toBe(
        true,
      );
      // The protocol of /mcp describes it, and no document of ours.
      if (route.schema.hide === true) continue;
      expect(route.schema.response, name).toHaveProperty(String(status));
    }
  });

  test.each(routes)('is explained, whatever the values: $method $url', ({ schema }) => {
    for (const [name, part] of PARTS) {
      const { [name]: described } = schema;
      if (described === undefined) continue;
      const check = compileRequestPart(described, part);
      const fields = Object.keys(described.properties ?? {});
      const text = fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('1', '0x1', '2025-01-15'),
      );
      const value = part === 'body' ? fc.jsonValue() : fc.oneof(text, fc.array(text));
      const values = fc.dictionary(fc.constantFrom(...fields, 'unknown'), value);
      const raw = part === 'body' ? fc.oneof(values, fc.jsonValue()) : values;
      fc.assert(
        fc.property(raw, (given) => {
          const outcome = check(given);
          if ('error' in outcome) expect(outcome.error).toBeInstanceOf(ApiError);
        }),
      );
    }
  });
});
