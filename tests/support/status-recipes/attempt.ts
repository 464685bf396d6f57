import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../../../src/api/deps.ts';
import type { StreamLimit } from '../../../src/api/streams/stream-limit.ts';
import type { Operation } from '../api-fuzz/operations.ts';

/** The service that receives a request, as far as recipes prepare it. */
export interface PreparedService {
  readonly app: FastifyInstance;
  readonly streamLimit: StreamLimit;
}

/** One request, and the state in which the service receives it. */
export interface Attempt {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** What the dependencies of the service do; `sound` if omitted. */
  readonly deps?: DepsState;
  /** Other dependencies than usual. */
  readonly given?: Partial<ApiDeps>;
  /** Sent to a service whose keys may send one request: once, or until the limit refuses it. */
  readonly narrow?: 'once' | 'repeatedly';
  /** Whether to follow redirects, as some clients do by themselves. */
  readonly followsRedirects?: boolean;
  /** Prepares the service; returns what undoes that. */
  readonly prepare?: (stage: PreparedService) => () => void;
}

/**
 * `failing`: every read and write ends like one on a full disk. `broken`: like one on a defect.
 * The same with `keys`: only the check of the key does.
 */
export type DepsState = 'sound' | 'failing' | 'broken' | 'failing keys' | 'broken keys';

/** How to get a status from an operation: the changes of the request that succeeds. */
export type Recipe = (
  sound: Attempt,
  operation: Operation,
  stage: PreparedService,
) => Attempt | Promise<Attempt>;

export function withHeaders(attempt: Attempt, headers: Attempt['headers']): Attempt {
  return { ...attempt, headers: { ...attempt.headers, ...headers } };
}

export function withoutHeaders(attempt: Attempt, ...names: readonly string[]): Attempt {
  const kept = Object.entries(attempt.headers).filter(([name]) => !names.includes(name));
  return { ...attempt, headers: Object.fromEntries(kept) };
}

/** With query parameters; null takes one away. */
export function withQuery(attempt: Attempt, query: Readonly<Record<string, string | null>>) {
  const url = new URL(attempt.url, 'http://service');
  for (const [name, value] of Object.entries(query)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return { ...attempt, url: `${url.pathname}${url.search}` };
}

/** With other fields of the JSON body. */
export function withBody(attempt: Attempt, fields: object): Attempt {
  const body = JSON.stringify({ ...JSON.parse(attempt.body ?? '{}'), ...fields });
  return { ...withHeaders(attempt, { 'content-type': 'application/json' }), body };
}
