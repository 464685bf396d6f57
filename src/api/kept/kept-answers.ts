import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { RATE_LIMIT_HEADERS } from '../http/allowance-headers.ts';
import { readKeptHead } from './read-kept-head.ts';

/** An answer that is made of current rows, and the same for every key until the next publication. */
export interface KeptAnswer {
  /** Pattern of the route, for metrics. */
  readonly route: string;
  readonly body: string;
  /** Whether all characters of the body are ASCII, which are sent without conversion. */
  readonly isAscii: boolean;
  /**
   * Names and values of its headers, in turn. Those of OWN_HEADERS come first, in their order; their
   * values are set in place for each answer, since Node reads them at once. Without an age, the age
   * is the one that is missing.
   */
  readonly head: string[];
  /** Block time of the slot that it is as of, from which its age follows; null if unknown. */
  readonly timeMs: number | null;
  readonly keptAtMs: number;
}

/** Maximum length of all bodies together; further answers are not kept until the next slot. */
const LENGTH_MAX = 16 * 1_048_576;
/** Figures of posts belong to no slot: they are read anew after this time. */
const KEPT_MS = 1_000;

/** Headers that differ between equal answers. */
const OWN_HEADERS: readonly string[] = [
  'x-request-id',
  RATE_LIMIT_HEADERS.remaining,
  RATE_LIMIT_HEADERS.reset,
  'x-data-age-ms',
];

/** Where the values of OWN_HEADERS are in a head. */
export const OWN_VALUES = { requestId: 1, remaining: 3, reset: 5, age: 7 } as const;

/**
 * Serialised answers by URL, as of the newest publication. A publication with other rows, another
 * branch of the chain or another completeness replaces all of them.
 */
export class KeptAnswers {
  private readonly deps: Pick<ApiDeps, 'publications' | 'steadyNowMs'>;
  private readonly answers = new Map<string, KeptAnswer>();
  private publications = -1;
  private length = 0;
  /** Number of answers that were sent without the framework. */
  sent = 0;

  constructor(deps: Pick<ApiDeps, 'publications' | 'steadyNowMs'>) {
    this.deps = deps;
  }

  /** The answer to a URL as of now; null if it has to be made. */
  find(url: string): KeptAnswer | null {
    const answer = this.answers.get(url);
    if (
      answer === undefined ||
      this.publications !== this.deps.publications() ||
      this.deps.steadyNowMs() - answer.keptAtMs >= KEPT_MS
    ) {
      return null;
    }
    return answer;
  }

  /**
   * Keeps an answer that was made in this turn of the event loop of rows in memory, and is sent
   * with the headers that `reply` has now.
   */
  keep(request: FastifyRequest, reply: FastifyReply, body: string, timeMs: number | null): void {
    const url = request.raw.url ?? '';
    if (request.method !== 'GET' || readKeptHead(request.raw) === null) return;
    if (!this.reserve(url, body.length)) return;
    const lengthBytes = Buffer.byteLength(body);
    const names = timeMs === null ? OWN_HEADERS.slice(0, -1) : OWN_HEADERS;
    const head = names.flatMap((name) => [name, '']);
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (!OWN_HEADERS.includes(name)) head.push(name, String(value));
    }
    head.push('content-length', String(lengthBytes));
    this.answers.set(url, {
      route: request.routeOptions.url ?? '',
      body,
      isAscii: lengthBytes === body.length,
      head,
      timeMs,
      keptAtMs: this.deps.steadyNowMs(),
    });
  }

  /** Makes room for a body, in the place of answers as of earlier publications. */
  private reserve(url: string, length: number): boolean {
    const publications = this.deps.publications();
    if (publications !== this.publications) {
      this.answers.clear();
      this.length = 0;
      this.publications = publications;
    }
    const change = length - (this.answers.get(url)?.body.length ?? 0);
    if (this.length + change > LENGTH_MAX) return false;
    this.length += change;
    return true;
  }
}
