import type { FastifyReply, FastifyRequest } from 'fastify';

/** Time for which a browser may remember the answer to a preflight. */
const MAX_AGE_SECONDS = 7_200;

/** Headers of a response that pages of other origins may read. */
const EXPOSED = [
  'x-slot',
  'x-data-age-ms',
  'x-complete',
  'x-request-id',
  'x-simulated',
  'x-api-version',
  'deprecation',
  'sunset',
  'link',
  'ratelimit-limit',
  'ratelimit-policy',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
].join(', ');

/**
 * Lets pages of the configured origins use the API with a key of their own. Cookies are never
 * accepted from them.
 */
export class CrossOrigins {
  private readonly origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.origins = new Set(origins);
  }

  /** Whether pages of an origin may use the API. */
  isKnown(origin: string): boolean {
    return this.origins.has(origin);
  }

  /** Sets the headers that let the page of a request read its response. */
  allow({ headers }: FastifyRequest, reply: FastifyReply): void {
    if (this.origins.size === 0) return;
    reply.header('vary', 'Origin');
    const { origin } = headers;
    if (origin === undefined || !this.origins.has(origin)) return;
    reply.header('access-control-allow-origin', origin);
    reply.header('access-control-expose-headers', EXPOSED);
  }

  /** Whether a request only asks whether a page may send another one. */
  isPreflight({ method, headers }: FastifyRequest): boolean {
    return (
      method === 'OPTIONS' &&
      headers.origin !== undefined &&
      this.origins.has(headers.origin) &&
      headers['access-control-request-method'] !== undefined
    );
  }

  /** Answers a preflight for a path that answers `methods`. */
  answer(reply: FastifyReply, methods: readonly string[]): void {
    reply.header('access-control-allow-methods', methods.join(', '));
    reply.header(
      'access-control-allow-headers',
      'x-api-key, authorization, content-type, x-request-id, x-client-version, last-event-id, mcp-protocol-version, mcp-method, mcp-name',
    );
    reply.header('access-control-max-age', String(MAX_AGE_SECONDS));
    void reply.code(204).send();
  }
}
