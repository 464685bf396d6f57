import type { DemoMarket } from './demo-market.ts';
import {
  bodyOf,
  type DocumentedOperation,
  type ExampleDocument,
  type ExampleMedia,
  type ExampleParameter,
  requestUrl,
} from './example-document.ts';
import { listCandidates, type Names } from './list-candidates.ts';

/** Entries of each list of an example. */
const LIST_MAX = 2;
const TEXT_LENGTH_MAX = 200;
/** That of the key of the requests is random. */
const KEY_ID = 'k3v9x2m1';

/**
 * Operations whose answers depend on more than the market, such as random identifiers, secrets, keys
 * and the process, and signals, of which the market has none so early. Their examples stay
 * constructed, with names of the market.
 */
export const CONSTRUCTED: ReadonlySet<string> = new Set([
  'POST /v1/webhooks',
  'GET /v1/webhooks',
  'GET /v1/webhooks/{id}',
  'DELETE /v1/webhooks/{id}',
  'POST /v1/webhooks/{id}/rotate-secret',
  'POST /v1/webhooks/{id}/enable',
  'POST /v1/webhooks/{id}/test',
  'GET /v1/webhooks/{id}/deliveries',
  'POST /v1/webhooks/{id}/deliveries/{delivery_id}/redeliver',
  'POST /v1/backtests',
  'GET /v1/backtests',
  'GET /v1/backtests/{id}',
  'DELETE /v1/backtests/{id}',
  'POST /v1/stream/ticket',
  'GET /v1/signals',
  'GET /v1/signals/statistics',
  'GET /v1/signals/{row_id}',
  'POST /v1/socials/posts/import',
  'GET /v1/key',
  'POST /v1/session',
  // A rule that is published to a market at its end has no hits.
  'GET /v1/rules/{rule_id}/hits',
  'GET /v1/token/{token_address}/rule-hits',
  'GET /v1/rules/{rule_id}/statistics',
  'DELETE /v1/session',
  'POST /v1/session/simulated',
  'GET /readyz',
  'GET /metrics',
]);

/** Fields that depend on the machine and on the layout of the state: their examples stay constructed. */
const MACHINE_FIELDS: ReadonlySet<string> = new Set(['state_memory']);

interface Call {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly operation: DocumentedOperation;
}

/**
 * Replaces the examples of responses in the document by answers of the market, to the documented
 * examples of the parameters. If such an answer has an empty list, other tokens, wallets and findings
 * are tried, and the one with the fewest is named in the parameter. Lists are cut to two entries.
 * Throws an error if the market refuses a request.
 */
export async function fillExamples(document: ExampleDocument, market: DemoMarket): Promise<void> {
  const candidates = await listCandidates(market);
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Call => {
      const verb = method.toUpperCase() as Call['method'];
      return { name: `${verb} ${path}`, method: verb, path, operation };
    }),
  );
  calls.sort((one, other) => turnOf(one) - turnOf(other));
  for (const call of calls) {
    const media = exampleMediaOf(call.operation);
    if (media !== null && !CONSTRUCTED.has(call.name)) await fill(call, media, market, candidates);
  }
}

/** Something is read after it was added, and before it is changed and removed. */
function turnOf({ name, method }: Call): number {
  if (name === 'POST /v1/triggers/add' || name === 'POST /v1/rules') return 0;
  return ['GET', 'POST', 'PUT', 'DELETE'].indexOf(method) + 1;
}

/** The body of the success; null for a route without an example of one. */
function exampleMediaOf({ responses }: DocumentedOperation): ExampleMedia | null {
  const [, success] = Object.entries(responses).find(([status]) => /^2/.test(status)) ?? [];
  const { 'application/json': json, 'text/plain': text } = success?.content ?? {};
  if (json?.example !== undefined) return json;
  return text?.schema.examples === undefined ? null : text;
}

async function fill(
  call: Call,
  media: ExampleMedia,
  market: DemoMarket,
  candidates: Names,
): Promise<void> {
  const { operation } = call;
  const parameter = operation.parameters?.find(({ name }) => candidates[name] !== undefined);
  const others = candidates[parameter?.name ?? ''] ?? [];
  let emptyMin = Number.POSITIVE_INFINITY;
  for (const name of [parameter?.example, ...others]) {
    const url = requestUrl(call.path, named(operation.parameters, parameter?.name, name));
    const { status, text } = await market.ask(call.method, url, bodyOf(operation));
    if (status >= 300) throw new Error(`The demo market answers ${call.name} with ${text}`);
    if (media.schema.examples !== undefined) {
      media.schema.examples = [text.slice(0, TEXT_LENGTH_MAX)];
      return;
    }
    const answer: unknown = JSON.parse(text);
    const empty = emptyLists(answer);
    if (empty >= emptyMin) continue;
    emptyMin = empty;
    media.example = withMachineFieldsOf(cut(answer), media.example);
    if (parameter !== undefined) parameter.example = name;
    if (empty === 0) return;
  }
}

function named(
  parameters: readonly ExampleParameter[] | undefined,
  renamed: string | undefined,
  example: unknown,
): readonly ExampleParameter[] | undefined {
  return parameters?.map((one) => (one.name === renamed ? { ...one, example } : one));
}

/** Number of lists of an answer without entries, those within its entries left out. */
function emptyLists(answer: unknown): number {
  if (typeof answer !== 'object' || answer === null) return 0;
  const lists = Array.isArray(answer) ? [answer] : Object.values(answer).filter(Array.isArray);
  return lists.filter(({ length }) => length === 0).length;
}

/** The answer, with the fields that depend on the machine from the constructed example. */
function withMachineFieldsOf(answer: unknown, constructed: unknown): unknown {
  if (!isRecord(answer) || !isRecord(constructed)) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([name, part]) => [
      name,
      MACHINE_FIELDS.has(name) ? constructed[name] : withMachineFieldsOf(part, constructed[name]),
    ]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function cut(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, LIST_MAX).map(cut);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, name === 'key_id' ? KEY_ID : cut(part)]),
  );
}
