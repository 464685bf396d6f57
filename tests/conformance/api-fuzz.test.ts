import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FuzzRequest, requestTo } from '../support/api-fuzz/arbitrary-request.ts';
import type { KnownValues } from '../support/api-fuzz/arbitrary-value.ts';
import { answerFault } from '../support/api-fuzz/check-answer.ts';
import { type FuzzedApi, openFuzzedApi } from '../support/api-fuzz/open-fuzzed-api.ts';
import { type Operation, operationsOf } from '../support/api-fuzz/operations.ts';

/** Requests per operation; `MINTSCOPE_TEST_FUZZ_RUNS` sets the number. */
const RUNS = Number(process.env.MINTSCOPE_TEST_FUZZ_RUNS ?? 16);
/** Fewer runs suffice here: a refused caller is refused whatever else the request contains. */
const REFUSED_RUNS = Math.ceil(RUNS / 3);
const TIMEOUT_MS = 120_000 + RUNS * 2_000;
const ACCOUNT = 'fuzzed account';
/**
 * They require one of two fields or accept a body that is not JSON, which a schema cannot express.
 */
const NEEDS_MORE = new Set([
  'DELETE /v1/triggers/remove',
  'POST /v1/socials/posts/import',
  'GET /v1/trades',
]);
/** On this machine they are answered without a key too. */
const OPERATIONS = new Set(['/readyz', '/metrics']);

/** Its answer does not end. */
const EVENTS = '/v1/stream/sse';
/** Answers 400 to any request but an upgrade. */
const isWebSocket = ({ path }: Operation) => path.endsWith('/ws') || path === '/v1/stream';

let api: FuzzedApi;
let operations: readonly Operation[] = [];
let key = '';
let weakKey = '';
/** Ids of existing webhooks; deliveries use the same parameter. */
const webhookIds: string[] = [];

beforeAll(async () => {
  api = await openFuzzedApi();
  operations = operationsOf((await api.app.inject('/openapi.json')).json());
  const { keys } = api.service.store;
  const make = (scopes: Parameters<typeof keys.create>[0]['scopes']) =>
    keys.create({ accountId: ACCOUNT, scopes, label: '', expiresAtMs: null }).text;
  key = make(['read', 'triggers:write', 'review:write', 'admin']);
  // A key without any scope of the document.
  weakKey = make([]);
  for (const url of ['https://example.com/a', 'https://example.com/b']) {
    const answer = await api.app.inject({
      method: 'POST',
      url: '/v1/webhooks',
      headers: { 'x-api-key': key },
      payload: { url, event_types: ['signal.given'] },
    });
    webhookIds.push(answer.json().id);
  }
});

afterAll(async () => await api.close());

/** Values that exist, by parameter name. */
const known: KnownValues = (name, { format }) => {
  if (name === 'token_address') return api.mints;
  if (name === 'pair_address') return api.pools;
  if (format === 'solana-address') return [...api.mints, ...api.pools, ...api.wallets];
  if (name === 'id' || name === 'delivery_id') return [...api.findings.slice(0, 3), ...webhookIds];
  if (name === 'as_of_slot') return [-1, 0, 1, 500].map((ago) => String(api.lastSlot - ago));
  if (name === 'row_id' || name === 'before_row_id') return ['1', '2', '3'];
  if (name === 'url') return ['https://example.com/hook', 'https://127.0.0.1/', 'http://a.b/'];
  if (name === 'trigger_id') return ['one', 'two', 'three'];
  return [];
};

async function send(
  { method, path }: Operation,
  { url, contentType, body }: FuzzRequest,
  presented: string | null,
): Promise<LightMyRequestResponse> {
  const isEndless = path === EVENTS;
  const answer = await api.app.inject({
    method,
    url,
    payloadAsStream: isEndless,
    headers: {
      ...(presented === null ? {} : { 'x-api-key': presented }),
      ...(contentType === null ? {} : { 'content-type': contentType }),
    },
    ...(body === null ? {} : { payload: body }),
  });
  return isEndless ? await withBody(answer) : answer;
}

/** The answer with the whole body of a refusal; an endless body is not read. */
async function withBody(answer: LightMyRequestResponse): Promise<LightMyRequestResponse> {
  const stream = answer.stream();
  if (answer.statusCode === 200) {
    stream.destroy();
    return answer;
  }
  let body = '';
  for await (const chunk of stream) body += chunk;
  return {
    ...answer,
    headers: answer.headers,
    statusCode: answer.statusCode,
    body,
    json: () => JSON.parse(body),
  };
}

function textOf({ method }: Operation, { url, contentType, body }: FuzzRequest): string {
  return `${method} ${url.slice(0, 300)} ${contentType} ${body?.slice(0, 300)}`;
}

/** A request whose path parameter is empty or contains a slash reaches another route. */
function staysOnPath({ path }: Operation, { url }: FuzzRequest): boolean {
  const pattern = path.replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${pattern.replaceAll('.', '\\.')}$`).test(url.split('?')[0] ?? '');
}

/**
 * Calls `check` with requests to every operation of the document. Returns how many were sent, and
 * for each failed operation the error of the smallest failing request.
 */
async function forRequests(
  check: (operation: Operation, request: FuzzRequest) => Promise<void>,
  isMeant: (operation: Operation) => boolean = () => true,
  numRuns = RUNS,
): Promise<{ readonly sent: number; readonly faults: readonly string[] }> {
  let sent = 0;
  const faults: string[] = [];
  for (const operation of operations.filter(isMeant)) {
    const property = fc.asyncProperty(requestTo(operation, known), async (request) => {
      if (!staysOnPath(operation, request)) return;
      sent++;
      await check(operation, request);
    });
    const { failed, errorInstance, seed } = await fc.check(property, { numRuns });
    if (failed) faults.push(`seed ${seed}: ${errorInstance}`);
  }
  return { sent, faults };
}

describe('A-10 requests generated from the OpenAPI document', () => {
  test(
    'A-05 A-06 A-07 A-09 are answered as documented: no internal error, no other status or body',
    async () => {
      const statuses = new Map<number, number>();
      const { sent, faults } = await forRequests(async (operation, request) => {
        const answer = await send(operation, request, key);
        const { statusCode: status } = answer;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        const fault = answerFault(operation, answer);
        if (fault !== null) throw new Error(`${textOf(operation, request)}: ${fault}`);
        if (request.isValid === false && status < 400) {
          throw new Error(
            `${textOf(operation, request)}: ${status}, though the document does not allow it`,
          );
        }
        const isAllowed = request.isValid === true && !NEEDS_MORE.has(operation.name);
        if (isAllowed && status === 400 && !isWebSocket(operation)) {
          throw new Error(
            `${textOf(operation, request)}: ${answer.body}, though the document allows it`,
          );
        }
      });
      expect(faults).toEqual([]);
      expect(sent).toBeGreaterThan(operations.length * RUNS * 0.6);
      // Otherwise only refusals were checked.
      for (const status of [200, 201, 400, 404, 422])
        expect([...statuses.keys()]).toContain(status);
    },
    TIMEOUT_MS,
  );

  test(
    'A-01 are refused without a key before they are parsed',
    async () => {
      const { faults } = await forRequests(
        async (operation, request) => {
          const answer = await send(operation, request, null);
          if (answer.statusCode === 401) return;
          throw new Error(`${textOf(operation, request)}: ${answer.statusCode} without a key`);
        },
        ({ isPublic, path }) => !isPublic && !OPERATIONS.has(path),
        REFUSED_RUNS,
      );
      expect(faults).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    'A-01 A-04 are refused without the scope before they are parsed',
    async () => {
      const { faults } = await forRequests(
        async (operation, request) => {
          const answer = await send(operation, request, weakKey);
          if (answer.statusCode === 403) return;
          throw new Error(`${textOf(operation, request)}: ${answer.statusCode} without the scope`);
        },
        ({ isPublic, path, scope }) => !isPublic && !OPERATIONS.has(path) && scope !== null,
        REFUSED_RUNS,
      );
      expect(faults).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
