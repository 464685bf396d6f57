import { ApiError, BadAnswerError, ConnectionError, VersionError } from './errors.ts';
import { CLIENT_NAME, compareVersions, type Versions } from './versions.ts';
import { backoffMs, wait } from './wait.ts';

export interface HttpOptions {
  readonly baseUrl: string;
  readonly key: string | null;
  readonly fetch: typeof fetch;
  /** Time allowed for an attempt, with its body. */
  readonly timeoutMs: number;
  /** Attempts of a request in all. */
  readonly attempts: number;
  /** A service that asks for a longer wait than this is not waited for. */
  readonly waitMsMax: number;
  /** Bytes of a JSON body. */
  readonly bytesMax: number;
}

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export interface JsonAnswer {
  readonly json: unknown;
  readonly headers: Headers;
}

const FIRST_BACKOFF_MS = 250;
const MOST_BACKOFF_MS = 10_000;
const BUSY = new Set([502, 503, 504]);

/** Sends requests with the key, within the limits that the service names. */
export class Http {
  readonly options: HttpOptions;
  /** The key was refused for its rate: no request is sent before this time. */
  private pausedUntilMs = 0;
  /** As of the last answer. */
  versions: Versions = compareVersions(null);

  constructor(options: HttpOptions) {
    this.options = options;
  }

  /** The JSON of an answer; undefined for one without a body. */
  json(request: HttpRequest): Promise<JsonAnswer> {
    return this.retried(request, async (response) => {
      const text = await readText(response, this.options.bytesMax);
      return { json: text === '' ? undefined : parse(text, response), headers: response.headers };
    });
  }

  /** A body that is read by the caller. Only the time until its head is bounded. */
  body(request: HttpRequest): Promise<ReadableStream<Uint8Array>> {
    return this.retried(request, async ({ body }) => {
      if (body === null) throw new BadAnswerError('The answer has no body.');
      return body;
    });
  }

  private async retried<T>(
    request: HttpRequest,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    for (let failures = 0; ; failures++) {
      await wait(Math.max(0, this.pausedUntilMs - Date.now()), request.signal);
      try {
        return await this.attempt(request, read);
      } catch (error) {
        request.signal?.throwIfAborted();
        const waitMs = this.waitAfter(error, request.method, failures);
        if (waitMs === null) throw error;
        await wait(waitMs, request.signal);
      }
    }
  }

  /** The wait before a request is repeated; null if it is not. */
  private waitAfter(error: unknown, method: string, failures: number): number | null {
    const { attempts, waitMsMax } = this.options;
    // What is refused for its rate has not been carried out.
    const isRefused = error instanceof ApiError && error.status === 429;
    if (failures + 1 >= attempts || !(isRefused || mayRepeat(method, error))) return null;
    const asked = error instanceof ApiError ? error.retryAfterMs : null;
    const waitMs = asked ?? backoffMs(failures, FIRST_BACKOFF_MS, MOST_BACKOFF_MS);
    if (waitMs > waitMsMax) return null;
    if (isRefused) this.pausedUntilMs = Math.max(this.pausedUntilMs, Date.now() + waitMs);
    return waitMs;
  }

  private async attempt<T>(
    { method, path, body, signal }: HttpRequest,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { baseUrl, key, fetch: send, timeoutMs } = this.options;
    const deadline = new AbortController();
    const tooLong = `No complete answer within ${timeoutMs} ms.`;
    const timer = setTimeout(() => deadline.abort(new ConnectionError(tooLong)), timeoutMs);
    try {
      const response = await send(`${baseUrl}${path}`, {
        method,
        headers: {
          accept: 'application/json, */*;q=0.5',
          'x-client-version': CLIENT_NAME,
          ...(key === null ? {} : { 'x-api-key': key }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]),
        // The key would be sent to wherever the redirect leads.
        redirect: 'error',
      });
      this.versions = compareVersions(response.headers.get('x-api-version'));
      if (!response.ok) throw await toApiError(response);
      return await read(response);
    } catch (error) {
      throw toFailure(error, deadline.signal, signal);
    } finally {
      clearTimeout(timer);
    }
  }
}

function toFailure(error: unknown, deadline: AbortSignal, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  if (deadline.aborted) return deadline.reason;
  if ([ApiError, BadAnswerError, VersionError].some((kind) => error instanceof kind)) return error;
  const cause = error instanceof Error ? error : undefined;
  const why = cause?.cause instanceof Error ? cause.cause.message : cause?.message;
  return new ConnectionError(`The service cannot be reached: ${why ?? 'unknown'}.`, { cause });
}

/** A request that changes something is repeated only if it cannot have been carried out. */
function mayRepeat(method: string, error: unknown): boolean {
  if (method !== 'GET') return false;
  if (error instanceof ConnectionError) return true;
  return error instanceof ApiError && BUSY.has(error.status);
}

const FAILURE_BYTES_MAX = 65_536;

async function toApiError(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const rest = {
    retryAfterMs: retryAfterMs(headers.get('retry-after')),
    requestId: headers.get('x-request-id'),
  };
  const unknown = `The service answered ${status} without a reason.`;
  if (!isJson(headers)) {
    await response.body?.cancel();
    return new ApiError(status, unknown, rest);
  }
  const text = await readText(response, FAILURE_BYTES_MAX);
  const { message } = (tryParse(text) ?? {}) as { readonly message?: unknown };
  return new ApiError(status, typeof message === 'string' ? message : unknown, rest);
}

/** Seconds or a date; null without a valid one. */
function retryAfterMs(text: string | null): number | null {
  if (text === null) return null;
  if (/^[0-9]{1,9}$/.test(text)) return Number(text) * 1_000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - Date.now());
}

function isJson(headers: Headers): boolean {
  return /^application\/json\b/i.test(headers.get('content-type') ?? '');
}

function parse(text: string, { headers, status }: Response): unknown {
  if (!isJson(headers)) {
    const type = headers.get('content-type') ?? 'no type';
    throw new BadAnswerError(`The service answered ${status} with ${type} in place of JSON.`);
  }
  const value = tryParse(text);
  if (value === undefined) throw new BadAnswerError('The answer is not valid JSON.');
  return value;
}

/** Undefined for what is not JSON. */
export function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Throws BadAnswerError for a body of more bytes. */
async function readText({ body }: Response, bytesMax: number): Promise<string> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return parts.join('') + decoder.decode();
    bytes += value.byteLength;
    if (bytes > bytesMax) {
      await reader.cancel();
      throw new BadAnswerError(`The answer is larger than ${bytesMax} bytes.`);
    }
    parts.push(decoder.decode(value, { stream: true }));
  }
}
