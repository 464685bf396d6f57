import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { assertHost, type ResponseIdentity } from '../api/http/client-error.ts';
import { MIN_SLOT_HEADER, parseMinSlot } from '../api/http/min-slot.ts';
import { ApiError } from '../model/errors.ts';
import { type Answered, type AskedRequest, askReplica, type Failed } from './ask-replica.ts';
import { type EventRelay, isEventStream } from './event-relay.ts';
import { passedAnswerHeaders, passedRequestHeaders } from './passed-headers.ts';
import { readBody } from './read-body.ts';
import type { RelayCounts, RepeatReason } from './relay-counts.ts';
import { sendRelayError } from './relay-error.ts';
import type { Replica } from './replica.ts';
import type { Replicas } from './replicas.ts';
import { type RequestKind, requestKindOf } from './request-kind.ts';
import { localSecretOf, SessionHomes } from './session-homes.ts';

export interface RelayOptions {
  readonly replicas: Replicas;
  readonly counts: RelayCounts;
  readonly identity: ResponseIdentity;
  /** Requests that are open at a time. */
  readonly requestsMax?: number;
  readonly events: EventRelay;
  /** Called with requests that a replica has admitted with a key. */
  readonly onAdmitted?: (request: IncomingMessage) => void;
}

const REQUESTS_MAX = 2_000;
/** More than any route takes: replicas have the limits of each. */
const BODY_BYTES_MAX = 2 * 1_048_576;
/** Longer answers are sent on while they arrive. */
const COLLECTED_BYTES_MAX = 1_048_576;
/** Replicas that may fail to complete an answer before the request is given up. */
const FAILURES_MAX = 2;

const NO_REPLICA = 'No replica answers: try again later.';
const TOO_MANY = 'Too many requests are open: try again later.';
const TOO_LARGE = 'The request body is too large.';
const MALFORMED = 'The request is malformed.';
const UNKNOWN_OUTCOME =
  'The replica did not answer, so that it is unknown whether the change was made.';

/** A request on its way through the replicas. */
interface Journey {
  readonly request: IncomingMessage;
  readonly kind: RequestKind;
  readonly asked: AskedRequest;
  /** The slot that clients had seen when it came. */
  readonly minSlot: number | null;
  /** The secret of a session or ticket; null if it has a key. */
  readonly secret: string | null;
  readonly tried: Set<Replica>;
  failures: number;
  /** The last answer that another replica may better. */
  answer: { readonly replica: Replica; readonly answered: Answered } | null;
  lastFailure: Failed | null;
}

/**
 * Answers requests from replicas. A read whose replica dies or takes too long is sent to another one,
 * once; a change only if it cannot have been made. No answer is older than what a client of this node
 * has seen before the request came.
 */
export class Relay {
  private readonly options: RelayOptions;
  private readonly homes: SessionHomes;

  constructor(options: RelayOptions, homes: SessionHomes = new SessionHomes()) {
    this.options = options;
    this.homes = homes;
  }

  /** Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { counts, identity, requestsMax = REQUESTS_MAX } = this.options;
    const isStream = isEventStream(request);
    if (!isStream) counts.requests++;
    try {
      assertHost(request);
      if (counts.requests > requestsMax) {
        counts.results['too-many']++;
        throw new ApiError(503, TOO_MANY);
      }
      if (isStream) await this.options.events.open(request, response);
      else await this.relay(request, response);
    } catch (error) {
      if (!(error instanceof ApiError)) {
        counts.results.abandoned++;
        response.destroy();
        return;
      }
      if (error.status < 500) counts.results.refused++;
      sendRelayError(identity, request, response, error);
    } finally {
      if (!isStream) counts.requests--;
    }
  }

  private async relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { counts } = this.options;
    const leaving = new AbortController();
    response.once('close', () => leaving.abort());
    const body = await readBody(request, BODY_BYTES_MAX);
    if (body === 'too-large') throw new ApiError(413, TOO_LARGE);
    const journey = this.begin(request, body, leaving.signal);
    const found = await this.travel(journey);
    if (leaving.signal.aborted) {
      counts.results.abandoned++;
      return;
    }
    if (found === null) {
      counts.results['no-replica']++;
      throw refusalOf(journey);
    }
    await this.send(request, response, found.answered, found.replica);
  }

  private begin(request: IncomingMessage, body: Buffer | null, signal: AbortSignal): Journey {
    const { method = 'GET', url = '/' } = request;
    const kind = requestKindOf(request);
    const minSlot = minSlotOf(request, this.options.replicas.seenSlot);
    const headers = passedRequestHeaders(request, { minSlot });
    const collectedBytesMax = kind.isLong ? 0 : COLLECTED_BYTES_MAX;
    return {
      ...{ request, kind, minSlot, failures: 0, answer: null, lastFailure: null },
      asked: { method, path: url, headers, body, signal, collectedBytesMax },
      secret: localSecretOf(request),
      tried: new Set(),
    };
  }

  /** Asks replicas until one has an answer that no other can better. */
  private async travel(journey: Journey): Promise<Journey['answer']> {
    for (;;) {
      const replica = this.next(journey);
      if (replica === null) return journey.answer;
      journey.tried.add(replica);
      const result = await askReplica(replica, journey.asked);
      const reason = this.judge(journey, replica, result);
      if (reason === null) return journey.answer;
      this.options.counts.repeats[reason]++;
    }
  }

  private next({ kind, secret, tried, request }: Journey): Replica | null {
    const { replicas } = this.options;
    const home = secret === null ? null : this.homes.find(secret);
    if (home !== null && !tried.has(home) && home.report.state !== 'silent') return home;
    if (kind.isOfOneReplica) {
      const { 'x-api-key': key = '', authorization = '' } = request.headers;
      return replicas.chooseFor(`${key} ${authorization}`, tried);
    }
    return replicas.choose(tried);
  }

  /** Why another replica is asked; null if none is. */
  private judge(
    journey: Journey,
    replica: Replica,
    result: Answered | Failed,
  ): RepeatReason | null {
    if (result.kind === 'answered') return this.judgeAnswer(journey, replica, result);
    journey.lastFailure = result;
    if (result.kind === 'aborted') return null;
    if (result.kind === 'unusable') throw new ApiError(400, MALFORMED);
    // One that is late may be busy with this request only: the next probe says how it is.
    if (result.kind !== 'late') replica.failed(result.detail);
    if (result.kind === 'unsent') return 'unsent';
    journey.failures++;
    return journey.kind.isRead && journey.failures < FAILURES_MAX ? result.kind : null;
  }

  private judgeAnswer(journey: Journey, replica: Replica, answered: Answered): RepeatReason | null {
    journey.answer = { replica, answered };
    const { secret, minSlot } = journey;
    if (isBehind(answered, minSlot)) return 'behind';
    if (secret === null) return null;
    if (answered.status === 401) return 'other-session';
    this.homes.note(secret, replica);
    return null;
  }

  private async send(
    request: IncomingMessage,
    response: ServerResponse,
    { status, headers, body }: Answered,
    replica: Replica,
  ): Promise<void> {
    const { counts, replicas, onAdmitted } = this.options;
    const slot = slotOf(headers);
    if (slot !== null) replicas.show(slot);
    this.homes.noteAnswer(headers, replica);
    if (headers['ratelimit-limit'] !== undefined && status !== 429) onAdmitted?.(request);
    response.sendDate = false;
    response.writeHead(status, passedAnswerHeaders(headers));
    if (body.rest === null) {
      response.end(Buffer.concat(body.chunks));
      counts.results.answered++;
      return;
    }
    const parts = Readable.from(followed(body.chunks, body.rest));
    try {
      await pipeline(parts, response);
      counts.results.answered++;
    } catch {
      // The client sees an incomplete answer, as it would if it had asked the replica.
      counts.results['cut-off']++;
      response.destroy();
    }
  }
}

async function* followed(
  chunks: readonly Buffer[],
  rest: AsyncIterator<Buffer>,
): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      yield next.value;
    }
  } finally {
    await rest.return?.();
  }
}

/** The later of what the client wants and what clients have seen; null for what is no slot. */
function minSlotOf({ headers }: IncomingMessage, seen: number | null): number | null {
  const text = headers[MIN_SLOT_HEADER];
  if (text === undefined) return seen;
  const own = parseMinSlot(String(text));
  return own === null ? null : Math.max(own, seen ?? 0);
}

/** Whether a replica has refused a request because it has not reached the slot. */
function isBehind({ status, headers }: Answered, minSlot: number | null): boolean {
  const slot = slotOf(headers);
  return status === 503 && minSlot !== null && slot !== null && slot < minSlot;
}

function slotOf(headers: Answered['headers']): number | null {
  const text = headers['x-slot'];
  return typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : null;
}

function refusalOf({ kind, lastFailure }: Journey): ApiError {
  const isUnknown = !kind.isRead && (lastFailure?.kind === 'lost' || lastFailure?.kind === 'late');
  return new ApiError(503, isUnknown ? UNKNOWN_OUTCOME : NO_REPLICA);
}
