import type {
  Answer,
  DataOf,
  ExportPath,
  ItemOf,
  Method,
  Options,
  PagedPath,
  PathsOf,
  RequestOf,
} from './api-types.ts';
import { BadAnswerError } from './errors.ts';
import { Http } from './http.ts';
import { itemsOf, readPages } from './pages.ts';
import { streamEvents } from './stream.ts';
import type { StreamEvent, StreamSettings, Subscription, Topic } from './stream-types.ts';
import { deprecationOf, type Versions } from './versions.ts';

export interface ClientOptions {
  /** Address of the service, such as `http://localhost:8080`. */
  readonly baseUrl: string;
  /** API key. A page of the service itself needs none: its cookie stands for the key. */
  readonly key?: string | undefined;
  /** Time allowed for an attempt, with its body. 30,000 if left out. */
  readonly timeoutMs?: number;
  /** Attempts of a request in all. 4 if left out. */
  readonly attempts?: number;
  /** Longest wait that the service may ask for before it is an error. 60,000 if left out. */
  readonly waitMsMax?: number;
  /** Bytes of a JSON body beyond which it is an error. 64 MiB if left out. */
  readonly bytesMax?: number;
  readonly fetch?: typeof fetch;
  readonly createSocket?: (url: string) => WebSocket;
}

/** Parameters and body of any request. */
interface AnyRequest {
  readonly path?: object;
  readonly query?: object;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/**
 * A client of one service. Paths, parameters and answers have the names and types of its API
 * (`/openapi.json`). Requests that fail for a while are repeated where that cannot do harm.
 *
 *     const client = new MintscopeClient({ baseUrl: 'http://localhost:8080', key });
 *     const { data } = await client.get('/v1/token/{token_address}', { path: { token_address } });
 */
export class MintscopeClient {
  private readonly http: Http;
  private readonly createSocket: (url: string) => WebSocket;

  constructor(options: ClientOptions) {
    this.createSocket = options.createSocket ?? ((url) => new WebSocket(url));
    this.http = new Http({
      baseUrl: options.baseUrl.replace(/\/+$/, ''),
      key: options.key ?? null,
      // A method of a page's window must be called as one.
      fetch: options.fetch ?? ((input, init) => fetch(input, init)),
      timeoutMs: options.timeoutMs ?? 30_000,
      attempts: options.attempts ?? 4,
      waitMsMax: options.waitMsMax ?? 60_000,
      bytesMax: options.bytesMax ?? 64 * 2 ** 20,
    });
  }

  /** The version of the API that this package was made of, and that of the last answer. */
  get versions(): Versions {
    return this.http.versions;
  }

  /** Throws ApiError, ConnectionError, BadAnswerError, VersionError, or the reason of the signal. */
  get<P extends PathsOf<'get'>>(path: P, ...[options]: Options<P, 'get'>) {
    return this.request<P, 'get'>('get', path, options);
  }

  /** Not repeated after a failure of the connection: the service may have carried it out. */
  post<P extends PathsOf<'post'>>(path: P, ...[options]: Options<P, 'post'>) {
    return this.request<P, 'post'>('post', path, options);
  }

  put<P extends PathsOf<'put'>>(path: P, ...[options]: Options<P, 'put'>) {
    return this.request<P, 'put'>('put', path, options);
  }

  delete<P extends PathsOf<'delete'>>(path: P, ...[options]: Options<P, 'delete'>) {
    return this.request<P, 'delete'>('delete', path, options);
  }

  /** The pages of a list, each read when it is asked for. */
  pages<P extends PagedPath>(
    path: P,
    ...[options]: Options<P, 'get'>
  ): AsyncGenerator<DataOf<P, 'get'>, void, undefined> {
    const request: AnyRequest = options ?? {};
    return readPages(async (cursor) => {
      const query = cursor === undefined ? request.query : { ...request.query, cursor };
      const page = { ...request, ...(query === undefined ? {} : { query }) };
      return (await this.request<P, 'get'>('get', path, page as RequestOf<P, 'get'>)).data;
    });
  }

  /** The items of all pages of a list; what is listed beside it on request is in `pages` alone. */
  async *items<P extends PagedPath>(
    path: P,
    ...options: Options<P, 'get'>
  ): AsyncGenerator<ItemOf<P>, void, undefined> {
    for await (const page of this.pages(path, ...options)) {
      yield* itemsOf(page as object) as readonly ItemOf<P>[];
    }
  }

  /** The bytes of a file, as they arrive. A file that is cut off fails at its end. */
  download<P extends ExportPath>(
    path: P,
    ...[options]: Options<P, 'get'>
  ): Promise<ReadableStream<Uint8Array>> {
    const request: AnyRequest = options ?? {};
    const { signal } = request;
    return this.http.body({ method: 'GET', path: addressOf(path, request), signal });
  }

  /**
   * The events of one or several subscriptions over one WebSocket, which is opened again whenever it
   * is lost: each message once, with `undo` for what a fork takes back, and `gap` for what cannot be
   * had any more. Ends by `break` or by the signal.
   *
   *     for await (const event of client.stream({ topic: 'trades', params: { token_address } })) {
   *       if (event.type === 'message') console.log(event.data.value_usd);
   *     }
   */
  stream<T extends Topic>(
    subscriptions: Subscription<T> | readonly Subscription<T>[],
    settings: StreamSettings = {},
  ): AsyncGenerator<StreamEvent<T>, void, undefined> {
    const address = async (signal: AbortSignal | undefined) => {
      const { data } = await this.post('/v1/stream/ticket', signal === undefined ? {} : { signal });
      if (typeof data?.ticket !== 'string') throw new BadAnswerError('The answer has no ticket.');
      const base = this.http.options.baseUrl.replace(/^http/, 'ws');
      return `${base}/v1/stream?ticket=${encodeURIComponent(data.ticket)}`;
    };
    const all = [subscriptions].flat() as readonly Subscription<T>[];
    return streamEvents({ address, createSocket: this.createSocket }, all, settings);
  }

  private async request<P extends PathsOf<M>, M extends Method>(
    method: M,
    path: P,
    options?: RequestOf<P, M>,
  ): Promise<Answer<DataOf<P, M>>> {
    const request: AnyRequest = options ?? {};
    const { json, headers } = await this.http.json({
      method: method.toUpperCase(),
      path: addressOf(path, request),
      body: request.body,
      signal: request.signal,
    });
    const complete = headers.get('x-complete');
    return {
      data: json as DataOf<P, M>,
      slot: numberOf(headers.get('x-slot')),
      dataAgeMs: numberOf(headers.get('x-data-age-ms')),
      isComplete: complete === null ? null : complete === 'true',
      requestId: headers.get('x-request-id'),
      apiVersion: headers.get('x-api-version'),
      deprecation: deprecationOf(headers),
    };
  }
}

function addressOf(template: string, { path = {}, query = {} }: AnyRequest): string {
  const values = path as Readonly<Record<string, unknown>>;
  const filled = template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined || value === '') throw new TypeError(`The path needs ${name}.`);
    return encodeURIComponent(String(value));
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? filled : `${filled}?${text}`;
}

function numberOf(text: string | null): number | null {
  return text !== null && /^[0-9]{1,15}$/.test(text) ? Number(text) : null;
}
