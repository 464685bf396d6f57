import type { Readable } from 'node:stream';
import { Agent, type Dispatcher, errors } from 'undici';
import { readBody } from '../safe-fetch/read-body.ts';

export interface HttpClientOptions {
  /** The configured base URL of the server; its path, if any, precedes every request path. */
  readonly baseUrl: string;
  /** Sent with every request; may hold secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly deadlineMs?: number;
  readonly answerBytesMax?: number;
}

export interface HttpRequest {
  readonly method?: 'GET' | 'POST';
  /** May hold secrets. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | readonly string[] | null>>;
  readonly body?: { readonly contentType: string; readonly text: string };
  readonly headers?: Readonly<Record<string, string>>;
  readonly deadlineMs?: number;
}

export interface HttpFailure {
  readonly kind: 'failed';
  /** Contains the host and the fault, but no other part of the URL. */
  readonly message: string;
}

export interface HttpAnswer {
  readonly kind: 'answer';
  readonly status: number;
  header(name: string): string | null;
  /** Undefined for a body that is not JSON. */
  readonly json: unknown;
}

export interface HttpStream {
  readonly kind: 'stream';
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection. */
  end(): void;
}

const DEADLINE_MS = 20_000;
const ANSWER_BYTES_MAX = 4 * 1_024 * 1_024;
const HEADER_BYTES_MAX = 32 * 1_024;
const CONNECTIONS_MAX = 4;

/**
 * Sends requests to one server, whose URL is configured and trusted. Time and size of an answer
 * are bounded. Redirects are not followed, because they could send secrets to another host. Network
 * failures are returned as values.
 */
export class HttpClient {
  /** Host and port. */
  readonly label: string;
  private readonly options: HttpClientOptions;
  private readonly origin: string;
  private readonly pathStart: string;
  private readonly agent: Agent;

  /** Throws TypeError for an invalid base URL. */
  constructor(options: HttpClientOptions) {
    const url = new URL(options.baseUrl);
    this.label = url.host;
    this.options = options;
    this.origin = url.origin;
    this.pathStart = url.pathname.replace(/\/$/, '');
    this.agent = new Agent({
      connections: CONNECTIONS_MAX,
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: HEADER_BYTES_MAX,
      bodyTimeout: 0,
      headersTimeout: 0,
    });
  }

  /** Reads a whole answer of any status. */
  async request(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer | HttpFailure> {
    const deadlineMs = request.deadlineMs ?? this.options.deadlineMs ?? DEADLINE_MS;
    return await this.within(deadlineMs, signal, async (ending) =>
      this.whole(await this.send(request, ending)),
    );
  }

  /** Opens an endless body for status 200; every other answer is read completely. */
  async open(
    request: HttpRequest,
    signal: AbortSignal,
  ): Promise<HttpStream | HttpAnswer | HttpFailure> {
    const deadlineMs = this.options.deadlineMs ?? DEADLINE_MS;
    return await this.within(deadlineMs, signal, async (ending) => {
      const response = await this.send(request, ending, 'identity');
      const { statusCode, body } = response;
      if (statusCode !== 200) return await this.whole(response);
      return { kind: 'stream', body, end: () => discard(body) };
    });
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async send(
    request: HttpRequest,
    signal: AbortSignal,
    coding = 'gzip',
  ): Promise<Dispatcher.ResponseData> {
    const { method = 'GET', path, query = {}, body } = request;
    return await this.agent.request({
      origin: this.origin,
      path: `${this.pathStart}${path}${queryText(query)}`,
      method,
      headers: {
        ...this.options.headers,
        ...request.headers,
        accept: 'application/json',
        'accept-encoding': coding,
        ...(body === undefined ? {} : { 'content-type': body.contentType }),
      },
      body: body?.text ?? null,
      signal,
    });
  }

  private async whole(response: Dispatcher.ResponseData): Promise<HttpAnswer | HttpFailure> {
    const { statusCode: status, headers, body } = response;
    const header = (name: string) => headerOf(headers, name);
    const sizeMax = this.options.answerBytesMax ?? ANSWER_BYTES_MAX;
    const read = await readBody(body, header('content-encoding') ?? '', sizeMax);
    discard(body);
    if (read.kind === 'refused') return this.failure(`its answer is refused (${read.reason})`);
    return { kind: 'answer', status, header, json: parsed(read.bytes) };
  }

  private async within<T>(
    deadlineMs: number,
    signal: AbortSignal,
    work: (ending: AbortSignal) => Promise<T | HttpFailure>,
  ): Promise<T | HttpFailure> {
    const ending = new AbortController();
    const end = () => ending.abort();
    const timer = setTimeout(end, deadlineMs);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    try {
      return await work(ending.signal);
    } catch (error) {
      if (signal.aborted) return this.failure('the request was stopped');
      if (ending.signal.aborted) return this.failure(`no answer within ${deadlineMs} ms`);
      return this.failure(connectionFault(error));
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    }
  }

  private failure(message: string): HttpFailure {
    return { kind: 'failed', message: `${this.label}: ${message}` };
  }
}

/** A fixed text, because messages of network errors may contain the URL. Throws other errors. */
export function connectionFault(error: unknown): string {
  if (!(error instanceof Error)) throw error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (/^[A-Z][A-Z_]{2,40}$/.test(code)) return `the connection failed (${code})`;
  const isNetwork = [errors.UndiciError, errors.HTTPParserError, AggregateError].some(
    (kind) => error instanceof kind,
  );
  if (!isNetwork && error.name !== 'EndlessCoding') throw error;
  return 'the connection failed';
}

/** Destroys a body. Its error is ignored, because the reader has already seen it. */
function discard(body: Readable): void {
  body.on('error', () => undefined).destroy();
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function headerOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  name: string,
): string | null {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}

function queryText(query: NonNullable<HttpRequest['query']>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null) continue;
    for (const each of Array.isArray(value) ? value : [value])
      parameters.append(name, String(each));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}
