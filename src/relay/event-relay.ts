import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { ApiError } from '../model/errors.ts';
import { collectBody } from './collect-body.ts';
import { drained } from './drained.ts';
import { EventParser, opensStream, type RelayedEvent } from './event-parser.ts';
import { passedAnswerHeaders, passedRequestHeaders } from './passed-headers.ts';
import { PREPARED_MS, prepareEvents } from './prepare-standby.ts';
import type { RelayCounts } from './relay-counts.ts';
import { reopen } from './reopen.ts';
import type { Replica } from './replica.ts';
import type { Replicas } from './replicas.ts';
import { pathOf } from './request-kind.ts';

export interface EventRelayOptions {
  readonly replicas: Replicas;
  readonly counts: RelayCounts;
  readonly onAdmitted: (request: IncomingMessage) => void;
  /** Time in which a stream must go on at another replica. */
  readonly reopenMs?: number | undefined;
}

const EVENTS_PATH = '/v1/stream/sse';
const REFUSAL_BYTES_MAX = 65_536;
const NO_REPLICA = 'No replica answers: try again later.';

export function isEventStream({ method, url = '' }: IncomingMessage): boolean {
  return method === 'GET' && pathOf(url) === EVENTS_PATH;
}

type Upstream = Dispatcher.ResponseData;

/** One client of an event stream. */
interface Client {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly signal: AbortSignal;
  /** The position after the last event that it was sent; null before the first. */
  position: string | null;
}

/**
 * Streams of events from replicas. When the replica of a stream is lost, the stream goes on at another
 * one after the last event that the client was sent, which the client does not notice.
 */
export class EventRelay {
  private readonly options: EventRelayOptions;

  constructor(options: EventRelayOptions) {
    this.options = options;
  }

  /** Resolves once the stream has ended. Throws ApiError before anything was sent. */
  async open(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { counts } = this.options;
    const leaving = new AbortController();
    response.once('close', () => leaving.abort());
    const client: Client = { request, response, signal: leaving.signal, position: null };
    counts.streams++;
    try {
      const first = await this.connect(client, new Set());
      if (first === null) {
        if (leaving.signal.aborted) return;
        throw new ApiError(503, NO_REPLICA);
      }
      response.sendDate = false;
      response.writeHead(first.upstream.statusCode, passedAnswerHeaders(first.upstream.headers));
      if (first.upstream.statusCode !== 200) {
        const { chunks } = await collectBody(first.upstream.body, REFUSAL_BYTES_MAX);
        response.end(Buffer.concat(chunks));
        return;
      }
      this.options.onAdmitted(request);
      await this.follow(client, first);
    } finally {
      counts.streams--;
    }
  }

  private async follow(client: Client, first: Connected): Promise<void> {
    const { counts } = this.options;
    let current: Connected | null = first;
    for (let isFirst = true; current !== null; isFirst = false) {
      const prepared = this.prepare(client, current.replica);
      await this.pass(client, current.upstream, isFirst);
      clearInterval(prepared);
      if (client.signal.aborted) return;
      // A client that reads too slowly is cut off, as a replica does.
      if (client.response.writableNeedDrain) break;
      const lost: Replica = current.replica;
      current = await reopen(
        (tried) => this.connect(client, tried),
        ({ upstream }) => upstream.statusCode === 200,
        { lost, signal: client.signal, withinMs: this.options.reopenMs },
      );
      if (current !== null) counts.moves.moved++;
    }
    counts.moves.ended++;
    client.response.destroy();
  }

  /**
   * Opens the stream where the client is, at the next replica that answers. Null without one; the
   * last refusal if all refuse for now.
   */
  private async connect(client: Client, tried: Set<Replica>): Promise<Connected | null> {
    const { replicas } = this.options;
    let refused: Connected | null = null;
    for (let replica = replicas.choose(tried); replica !== null; replica = replicas.choose(tried)) {
      tried.add(replica);
      try {
        const upstream = await this.ask(client, replica);
        if (upstream.statusCode !== 503) return { replica, upstream };
        refused?.upstream.body.destroy();
        refused = { replica, upstream };
      } catch {
        if (client.signal.aborted) return null;
        replica.failed('a stream could not be opened');
      }
    }
    return refused;
  }

  /** The answer ends when the client leaves, or the replica turns silent. */
  private async ask({ request, position, signal }: Client, replica: Replica): Promise<Upstream> {
    replica.sent++;
    const silence = new AbortController();
    const forget = replica.endWhenSilent(() => silence.abort());
    const replaced = position === null ? {} : { replaced: { 'last-event-id': position } };
    const minSlot = this.options.replicas.seenSlot;
    const options = {
      origin: replica.origin,
      path: request.url ?? EVENTS_PATH,
      method: 'GET' as const,
      headers: passedRequestHeaders(request, { minSlot, ...replaced }),
      signal: AbortSignal.any([signal, silence.signal]),
    };
    try {
      const upstream = await replica.streams.request(options);
      upstream.body.once('close', forget);
      return upstream;
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** Prepares the other replicas, now and again, until the timer is cleared. */
  private prepare({ request }: Client, replica: Replica): NodeJS.Timeout {
    const { replicas } = this.options;
    const path = request.url ?? EVENTS_PATH;
    const prepare = () => {
      const replaced = { 'last-event-id': null };
      const headers = passedRequestHeaders(request, { minSlot: null, replaced });
      for (const other of replicas.others(replica)) void prepareEvents(other, path, headers);
    };
    prepare();
    return setInterval(prepare, PREPARED_MS).unref();
  }

  /** Sends on what comes until it ends or the client is gone. Never rejects. */
  private async pass(client: Client, { body }: Upstream, isFirst: boolean): Promise<void> {
    const { response } = client;
    const parser = new EventParser();
    try {
      for await (const bytes of body) {
        const events = parser.take(bytes as Buffer);
        // A client whose stream goes on elsewhere has had its opening.
        const sent = isFirst ? events : events.filter((event) => !opensStream(event));
        const text = sent.map((event) => event.text);
        for (const event of events) this.note(client, event);
        if (text.length > 0 && !response.write(text.join(''))) await drained(response, body);
      }
    } catch {
      // The replica is gone, or the client.
    }
  }

  private note(client: Client, { id, slot }: RelayedEvent): void {
    if (id !== null) client.position = id;
    if (slot !== null) this.options.replicas.show(slot);
  }
}

interface Connected {
  readonly replica: Replica;
  readonly upstream: Upstream;
}
