import type { RouteOptions } from 'fastify';
import { Value } from 'typebox/value';
import { beforeAll, describe, expect, test } from 'vitest';
import { sendAs, sharedApiServer } from '../../../tests/support/fake-api-server.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description: string;
    readonly schema: { readonly type: string };
  }[];
  readonly requestBody?: { readonly required?: boolean };
  readonly responses: Readonly<Record<string, OperationResponse>>;
}

interface OperationResponse {
  readonly description: string;
  readonly headers?: object;
  readonly content?: Readonly<
    Record<string, { readonly schema: object; readonly example?: unknown }>
  >;
}

interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string }[];
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly unknown[];
  readonly components: {
    readonly securitySchemes: unknown;
    readonly schemas: Readonly<Record<string, object>>;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const routes: string[] = [];
let document: OpenApi;
let operations: (readonly [name: string, operation: Operation])[];

beforeAll(async () => {
  const server = sharedApiServer();
  server.addHook('onRoute', ({ method, url }: RouteOptions) => {
    for (const name of [method].flat()) if (name !== 'HEAD') routes.push(`${name} ${url}`);
  });
  document = (await server.inject('/openapi.json')).json();
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );
});

/** A schema with the named schemas in place of references to them. */
function resolved(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(resolved);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, ...rest } = schema as { readonly $ref?: string };
  const own = Object.fromEntries(
    Object.entries(rest).map(([keyword, value]) => [keyword, resolved(value)]),
  );
  if ($ref === undefined) return own;
  const named = document.components.schemas[$ref.replace('#/components/schemas/', '')];
  if (named === undefined) throw new Error(`no schema ${$ref}`);
  return { ...(resolved(named) as object), ...own };
}

describe('GET /openapi.json', () => {
  test('is an OpenAPI 3.1 document of this service, with three ways to authenticate', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Mintscope', version: '1.2.3' },
      servers: [{ url: '/' }],
      security: [{ apiKey: [] }, { bearer: [] }, { session: [] }],
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          bearer: { type: 'http', scheme: 'bearer' },
          session: { type: 'apiKey', in: 'cookie', name: 'mintscope_session' },
        },
      },
    });
  });

  test('has exactly the routes of the server', () => {
    const described = operations.map(([name]) => name.replace(/\{(\w+)\}/g, ':$1'));
    expect(routes.length).toBeGreaterThan(0);
    // Pages are described by the path that leads to the first one, /mcp by its protocol.
    const shown = routes.filter((route) => !/^(GET \/docs\/(api\/|\*)?|POST \/mcp)$/.test(route));
    expect(described.sort()).toEqual(shown.sort());
  });

  test('names, tags and explains every operation', () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(operations.length);
    for (const [name, { operationId, summary, tags, responses }] of operations) {
      expect([name, typeof operationId, typeof summary, tags.length]).toEqual([
        name,
        'string',
        'string',
        1,
      ]);
      for (const { description } of Object.values(responses)) {
        expect(description).not.toMatch(/^(Default Response)?$/);
      }
    }
  });

  test('declares every tag, describes every operation and names every object of a body', () => {
    const declared = new Set(document.tags.map(({ name }) => name));
    for (const [name, { tags, description, responses }] of operations) {
      expect([name, tags.filter((tag) => !declared.has(tag))]).toEqual([name, []]);
      expect([name, description]).toEqual([name, expect.stringMatching(/\.$/)]);
      for (const { content = {} } of Object.values(responses)) {
        for (const { schema } of Object.values(content)) {
          expect([name, 'properties' in schema]).toEqual([name, false]);
        }
      }
    }
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['Candle', 'Token', 'Wallet', 'ErrorBody']));
  });

  test('declares and describes every parameter of a path', () => {
    for (const [name, { parameters = [] }] of operations) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      const named = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      expect(inPath.map((parameter) => parameter.name)).toEqual(named);
      for (const { description, schema } of parameters) {
        expect(description).toMatch(/\.$/);
        expect(schema.type).toMatch(/^(string|integer)$/);
      }
    }
  });

  test('requires every body, except that of the trigger to remove, which the query may name', () => {
    const bodies = operations.filter(([, { requestBody }]) => requestBody !== undefined);
    const optional = bodies.filter(([, { requestBody }]) => requestBody?.required !== true);
    expect(bodies.length).toBeGreaterThan(optional.length);
    expect(optional.map(([name]) => name)).toEqual(['DELETE /v1/triggers/remove']);
  });

  test('has an example for every JSON response that satisfies its schema', () => {
    for (const [name, { responses }] of operations) {
      for (const [status, { content = {} }] of Object.entries(responses)) {
        const json = content['application/json'];
        if (json === undefined || /^GET \/(openapi|asyncapi)\.json$/.test(name)) continue;
        const { schema, example } = json;
        const whole = resolved(schema) as object;
        expect([name, status, Value.Check(whole, example)]).toEqual([name, status, true]);
        if (Number(status) >= 400) expect(example).toMatchObject({ code: Number(status) });
      }
    }
  });

  test('lists the errors of the contract for each endpoint', () => {
    const errors = (path: string) =>
      Object.keys(document.paths[path]?.get?.responses ?? {}).filter((status) => status !== '200');
    const common = ['401', '403', '429', '500', '503'];
    expect(errors('/v1/token/{token_address}')).toEqual(['400', '404', '422', ...common].sort());
    expect(errors('/v1/indicators/current')).toEqual(['400', '404', '422', ...common].sort());
    expect(errors('/v1/market/ohlc')).toEqual(['400', '404', '422', ...common].sort());
    expect(errors('/v1/market/bundled-transactions')).toEqual(
      ['400', '404', '422', ...common].sort(),
    );
    expect(errors('/v1/indicators/historic')).toEqual(['400', '404', '422', ...common].sort());
    expect(errors('/v1/token/{token_address}/holders')).toEqual(
      ['400', '404', '422', ...common].sort(),
    );
    expect(errors('/v1/tokens')).toEqual(['400', '422', ...common].sort());
    expect(errors('/v1/pools')).toEqual(['400', '422', ...common].sort());
    expect(errors('/v1/pools/{pair_address}')).toEqual(['400', '404', ...common].sort());
    expect(errors('/v1/fraud/check')).toEqual(['400', '404', '422', ...common].sort());
    expect(errors('/v1/fraud/classifications/{id}')).toEqual(['400', '404', ...common].sort());
    for (const path of ['/v1/signals', '/v1/signals/statistics']) {
      expect(errors(path)).toEqual(['400', '422', ...common].sort());
    }
    expect(errors('/v1/signals/{row_id}')).toEqual(['400', '404', ...common].sort());
    expect(errors('/v1/wallets/{address}')).toEqual(['400', '404', ...common].sort());
  });

  test('says that every operation refuses unknown parameters', () => {
    expect(document.info.description).toMatch(
      /Unknown and repeated query\s+parameters are refused/,
    );
    const pages = ['GET /', 'GET /docs', 'GET /docs/api', 'GET /docs/api/js/scalar.js'];
    const silent = operations.filter(([, { responses }]) => responses['400'] === undefined);
    expect(silent.map(([name]) => name).sort()).toEqual([...pages, 'GET /llms.txt']);
  });

  test('requires a key except on the public paths', () => {
    const open = operations.filter(([, { security }]) => security?.length === 0);
    expect(open.map(([name]) => name).sort()).toEqual([
      'GET /',
      'GET /asyncapi.json',
      'GET /docs',
      'GET /docs/api',
      'GET /docs/api/js/scalar.js',
      'GET /livez',
      'GET /llms.txt',
      'GET /openapi.json',
      'POST /v1/session/simulated',
    ]);
  });
});

describe('GET /docs/api', () => {
  test.each(['GET', 'HEAD'] as const)('leads %s to the page without a key', async (method) => {
    const server = sharedApiServer();
    const { headers, statusCode } = await sendAs(server, method, '/docs/api');
    expect([statusCode, headers.location]).toEqual([301, '/docs/api/']);
    const page = await sendAs(server, method, String(headers.location));
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  test('drops the query, which may contain a key', async () => {
    const { headers } = await sharedApiServer().inject('/docs/api?api_key=secret');
    expect(headers.location).toBe('/docs/api/');
  });

  test('redirects to the page', async () => {
    const response = await sharedApiServer().inject('/docs/api');
    expect(response.statusCode).toBe(301);
    expect(response.headers.location).toBe('/docs/api/');
  });

  test('is a page that refers to nothing but this server', async () => {
    const server = sharedApiServer();
    const { body, headers } = await server.inject('/docs/api/');
    const references = [...body.matchAll(/(?:src|href|url)"?\s*[=:]\s*"([^"]*)"/g)];
    expect(references.map(([, url]) => url)).toEqual(['js/scalar.js', '/openapi.json']);
    expect(body).not.toMatch(/https?:|\/\/[a-z]/);
    const policy = String(headers['content-security-policy']);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(policy).toMatch(/script-src 'self' 'sha256-[A-Za-z0-9+/]{43}='(;|$)/);
  });

  test('serves its script', async () => {
    const { body, headers, statusCode } = await sharedApiServer().inject('/docs/api/js/scalar.js');
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('application/javascript; charset=utf-8');
    expect(headers['cache-control']).toBe('public, max-age=3600');
    expect(body).toContain('createApiReference');
  });
});
