import type { paths } from '../../generated/api.d.ts';
import { delay } from './delay.ts';
import { renewSession } from './session-state.ts';

/** Paths of the API that answer GET with JSON. */
export type GetPath = {
  [Path in keyof paths]: paths[Path] extends { get: { responses: { 200: { content: Json } } } }
    ? Path
    : never;
}[keyof paths];

interface Json {
  'application/json': unknown;
}

type Operation<Path extends GetPath> = paths[Path] extends { get: infer Get } ? Get : never;

type Part<Get, Name extends string> = Get extends { parameters: infer All }
  ? Name extends keyof All
    ? Given<NonNullable<All[Name]>>
    : Nothing
  : Nothing;

/** Parts without parameters have the type `never`. */
type Given<Values> = [Values] extends [never] ? Nothing : Values;

type Nothing = Record<never, never>;

/** Parameters of a path: those in the path and those of the query, in one object. */
export type ParamsOf<Path extends GetPath> = Part<Operation<Path>, 'path'> &
  Part<Operation<Path>, 'query'>;

/** The body of the answer of a path. */
export type BodyOf<Path extends GetPath> =
  Operation<Path> extends { responses: { 200: { content: { 'application/json': infer Body } } } }
    ? Body
    : never;

/** An answer with what it is as of. */
export interface Success<Body> {
  readonly ok: Body;
  /** Slot as of which the answer is accurate; null if the answer does not depend on slots. */
  readonly slot: number | null;
  /** Age of the data when the answer was sent. */
  readonly ageMs: number | null;
  /** Whether nothing is missing that would change the answer. */
  readonly isComplete: boolean;
  readonly isSimulated: boolean;
}

export interface Failure {
  /** HTTP status, or 0 without an answer. */
  readonly error: number;
  /** A sentence for people. */
  readonly message: string;
}

export type Answer<Body> = Success<Body> | Failure;

/** Whether an answer is a failure. */
export function isFailure<Body>(answer: Answer<Body>): answer is Failure {
  return 'error' in answer;
}

export interface GetOptions {
  /** Ends the request and all its repetitions; the answer is then a failure with the error 0. */
  readonly signal?: AbortSignal;
  /** Repetitions included; 1 where a 503 is the answer that is asked for, as of /readyz. */
  readonly attemptsMax?: number;
}

const ATTEMPTS_MAX = 4;
const FIRST_DELAY_MS = 500;
const DELAY_MAX_MS = 15_000;

/**
 * Reads a path of the API, as `get('/v1/token/{token_address}', { token_address: mint })`.
 * Parameters that are undefined or null are left out. Repeats after 429 and 503, as long as the
 * answer's headers say, up to four times. Never throws: failures are values. After a 401 the session
 * is renewed, or the form for the key is shown.
 */
export async function get<Path extends GetPath>(
  path: Path,
  params: ParamsOf<Path>,
  { signal, attemptsMax = ATTEMPTS_MAX }: GetOptions = {},
): Promise<Answer<BodyOf<Path>>> {
  const url = urlOf(path, params as Params);
  for (let attempt = 1; ; attempt++) {
    const answer = await requestWithSession<BodyOf<Path>>('GET', url, undefined, signal);
    if (!('retryAfterMs' in answer)) return answer;
    if (attempt >= attemptsMax || signal?.aborted === true) return withoutRetry(answer);
    const grownMs = FIRST_DELAY_MS * 2 ** (attempt - 1);
    await delay(Math.min(DELAY_MAX_MS, answer.retryAfterMs ?? grownMs), signal);
  }
}

export type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Sends a change to the API, once: `send('POST', '/v1/webhooks', { url })`. The caller names the
 * type of the answer; null is the answer to a 204.
 */
export async function send<Body>(
  method: Method,
  url: string,
  body?: unknown,
  { signal }: GetOptions = {},
): Promise<Answer<Body>> {
  return withoutRetry(await requestWithSession<Body>(method, url, body, signal));
}

/** Asks whether the session is valid still. Returns true if it was refused and is renewed. */
export async function checkSession(): Promise<boolean> {
  const answer = await request('GET', '/v1/key', undefined, undefined);
  return isFailure(answer) && answer.error === 401 && (await renewSession());
}

type Params = Readonly<Record<string, unknown>>;

/** The URL of a path with its parameters. */
export function urlOf(path: string, params: Params): string {
  const query = new URLSearchParams();
  let url = path;
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === null) continue;
    const place = `{${name}}`;
    if (url.includes(place)) url = url.replace(place, encodeURIComponent(String(value)));
    else query.set(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  return query.size === 0 ? url : `${url}?${query}`;
}

type Retryable = Failure & { readonly retryAfterMs: number | null };

function withoutRetry<Body>(answer: Answer<Body> | Retryable): Answer<Body> {
  return 'retryAfterMs' in answer ? { error: answer.error, message: answer.message } : answer;
}

/** A request that is refused for its session was not carried out, and is sent again with another. */
async function requestWithSession<Body>(
  ...parts: Parameters<typeof request>
): Promise<Answer<Body> | Retryable> {
  const answer = await request<Body>(...parts);
  const isRefused = isFailure(answer) && answer.error === 401;
  return isRefused && (await renewSession()) ? await request<Body>(...parts) : answer;
}

async function request<Body>(
  method: string,
  url: string,
  body: unknown,
  signal: AbortSignal | undefined,
): Promise<Answer<Body> | Retryable> {
  try {
    const response = await fetch(url, {
      method,
      credentials: 'same-origin',
      ...(signal === undefined ? {} : { signal }),
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    return await read<Body>(response);
  } catch {
    if (signal?.aborted === true) return { error: 0, message: 'The request was cancelled.' };
    return { error: 0, message: 'The service does not answer.', retryAfterMs: null };
  }
}

async function read<Body>(response: Response): Promise<Answer<Body> | Retryable> {
  const { headers, status } = response;
  if (response.ok) {
    const age = headers.get('x-data-age-ms');
    const slot = headers.get('x-slot');
    return {
      ok: (status === 204 ? null : await response.json()) as Body,
      slot: slot === null ? null : Number(slot),
      ageMs: age === null ? null : Number(age),
      isComplete: headers.get('x-complete') !== 'false',
      isSimulated: headers.get('x-simulated') === 'true',
    };
  }
  const failure = { error: status, message: await messageOf(response) };
  if (status !== 429 && status !== 503) return failure;
  return { ...failure, retryAfterMs: waitOf(headers) };
}

/** The wait that an answer asks for; null if it does not say. */
function waitOf(headers: Headers): number | null {
  const seconds = Number(
    headers.get('retry-after') ?? headers.get('ratelimit-reset') ?? Number.NaN,
  );
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
}

async function messageOf(response: Response): Promise<string> {
  try {
    const { message } = (await response.json()) as { message?: unknown };
    if (typeof message === 'string') return message;
  } catch {
    // Not an answer of the API, as from a proxy: the status says what is known.
  }
  return `The service answered with status ${response.status}.`;
}
