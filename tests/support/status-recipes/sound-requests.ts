import type { Operation } from '../api-fuzz/operations.ts';
import {
  ADMIN_KEY,
  CLASSIFICATION,
  MINT,
  POOL,
  READ_KEY,
  REVIEW_KEY,
  SIGNAL,
  WALLET,
  WRITE_KEY,
} from '../fake-api-deps.ts';
import { type Attempt, withHeaders } from './attempt.ts';
import { DELIVERY_ID, WEBHOOK_ID } from './rich-deps.ts';

/** A key with exactly the scope. */
const KEY_OF_SCOPE: Readonly<Record<string, string>> = {
  read: READ_KEY,
  'triggers:write': WRITE_KEY,
  'review:write': REVIEW_KEY,
  admin: ADMIN_KEY,
};

/** Values of parameters in paths, and of those that a query must have. */
const VALUES: Readonly<Record<string, string>> = {
  token_address: MINT,
  pair_address: POOL,
  address: WALLET,
  row_id: String(SIGNAL),
  delivery_id: DELIVERY_ID,
  from: '2025-01-15T13:00:00Z',
  to: '2025-01-15T14:00:00Z',
  from_date: '2025-01-15T13:00:00Z',
  page_number: '1',
  page_size: '20',
  ordering: 'created_at:asc',
  topic: 'chain',
  symbol: MINT,
  rule_id: 'any-trade',
  resolution: '1',
};

/** Values for one operation. */
const OWN_VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'GET /udf/marks': { to: '1736951528', from: '1736948000' },
  'GET /udf/history': { to: '1736951528', from: '1736948000' },
  // One of these has to be given, so none is required by itself.
  'GET /v1/trades': { token_address: MINT },
};

const CONDITIONS = [{ field: 'sol_amount', operator: 'gt', value: '85.5' }];

const BODIES: Readonly<Record<string, object>> = {
  'POST /v1/triggers/add': { trigger_id: 'deep pool', pair_address: POOL, conditions: CONDITIONS },
  'PUT /v1/triggers/update': { trigger_id: 'deep pool', conditions: CONDITIONS },
  'DELETE /v1/triggers/remove': { trigger_id: 'deep pool' },
  'POST /v1/backtests': { rule: 'name: any-trade', from: '2025-01-15', to: '2025-01-16' },
  'POST /v1/rules': { rule: 'name: any-trade' },
  'POST /v1/webhooks': { url: 'https://example.com/hook', event_types: ['trigger.fired'] },
  'POST /v1/fraud/classifications/{id}/review': { status: 'reviewed' },
  'POST /v1/batch/prices': { addresses: [MINT] },
  'POST /v1/batch/tokens': { addresses: [MINT] },
  'POST /v1/batch/pools': { addresses: [POOL] },
  'POST /v1/batch/indicators': { addresses: [POOL] },
  'POST /v1/batch/wallets': { addresses: [WALLET] },
  'POST /v1/batch/fraud': { addresses: [MINT] },
};

const POSTS = `${JSON.stringify({
  ...{ platform: 'import', postId: '1', text: '$CAT', author: { id: '7' }, createdAtMs: 1 },
})}\n`;

/** A page on the machine of the service, as its browser names it. */
export const LOCAL_PAGE = { host: 'localhost:8080', origin: 'http://localhost:8080' };

/** The request that an operation answers with success, without what its status alone needs. */
export function soundRequest(operation: Operation): Attempt {
  const { name, path, method, parameters, isPublic, scope } = operation;
  const values: Readonly<Record<string, string>> = {
    ...VALUES,
    id: idOf(path),
    ...OWN_VALUES[name],
  };
  const textOf = (parameter: string) => {
    const value = values[parameter];
    if (value === undefined) throw new Error(`${name} needs a value for ${parameter}`);
    return value;
  };
  const query = parameters
    .filter(({ required, ...given }) => given.in === 'query' && required === true)
    .map((given) => given.name);
  const all = [...new Set([...query, ...Object.keys(OWN_VALUES[name] ?? {})])];
  const text = new URLSearchParams(
    all.map((parameter): [string, string] => [parameter, textOf(parameter)]),
  );
  const filled = path.replace(/\{(\w+)\}/g, (_, parameter: string) => textOf(parameter));
  const url = all.length === 0 ? filled : `${filled}?${text}`;
  const key = KEY_OF_SCOPE[scope ?? 'read'] ?? READ_KEY;
  const headers: Attempt['headers'] = isPublic ? {} : { 'x-api-key': key };
  return addBody(name, { method, url, headers, body: null });
}

function addBody(name: string, attempt: Attempt): Attempt {
  if (name === 'POST /v1/socials/posts/import') {
    return { ...withHeaders(attempt, { 'content-type': 'application/x-ndjson' }), body: POSTS };
  }
  if (name === 'POST /v1/session/simulated') return withHeaders(attempt, LOCAL_PAGE);
  const body = BODIES[name];
  if (body === undefined) return attempt;
  const typed = withHeaders(attempt, { 'content-type': 'application/json' });
  return { ...typed, body: JSON.stringify(body) };
}

function idOf(path: string): string {
  return path.includes('/webhooks/') ? WEBHOOK_ID : CLASSIFICATION;
}
