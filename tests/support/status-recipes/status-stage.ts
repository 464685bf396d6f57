import { Agent, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../../../src/api/deps.ts';
import { createRateLimiter } from '../../../src/api/http/rate-limit.ts';
import { StreamLimit } from '../../../src/api/streams/stream-limit.ts';
import { StoreError } from '../../../src/model/errors.ts';
import { NOW_MS, READ_KEY } from '../fake-api-deps.ts';
import { fakeApiServer } from '../fake-api-server.ts';
import type { Attempt, DepsState } from './attempt.ts';
import { richDeps } from './rich-deps.ts';

/** An answer, complete except for streams of events. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Requests that a key may send at once to the service that refuses them soon. */
const NARROW = { perMinute: 1, burst: 1 };
/** The budget of pictures is ten times that of requests. */
const NARROW_ATTEMPTS_MAX = 12;

/** Two listening services over the same dependencies, whose state is set for each request. */
export class StatusStage {
  readonly app: FastifyInstance;
  readonly streamLimit = new StreamLimit();
  private readonly narrow: FastifyInstance;
  private narrowLimiter = createRateLimiter(NARROW);
  private readonly agent = new Agent({ keepAlive: true });
  private readonly sound = richDeps();
  private state: DepsState = 'sound';
  private given: Partial<ApiDeps> = {};
  private reads = 0;
  private nowMs = NOW_MS;

  constructor() {
    const deps = this.switchedDeps();
    const options = { isSimulated: true, openKey: READ_KEY };
    this.app = fakeApiServer(deps, { ...options, streamLimit: this.streamLimit });
    this.narrow = fakeApiServer(deps, {
      ...options,
      rateLimitPerMinute: NARROW.perMinute,
      rateLimitBurst: NARROW.burst,
      rateLimiter: {
        take: (...given) => this.narrowLimiter.take(...given),
        takeMore: (...given) => this.narrowLimiter.takeMore(...given),
      },
    });
  }

  async listen(): Promise<void> {
    for (const app of [this.app, this.narrow]) await app.listen({ port: 0, host: '127.0.0.1' });
  }

  async close(): Promise<void> {
    this.agent.destroy();
    for (const app of [this.app, this.narrow]) await app.close();
  }

  async answer(attempt: Attempt): Promise<Answer> {
    // Refusals that follow each other closely are delayed.
    this.nowMs += 60_000;
    this.state = attempt.deps ?? 'sound';
    this.given = attempt.given ?? {};
    const restore = attempt.prepare?.(this);
    try {
      if (attempt.narrow === undefined) return await this.send(this.app, attempt);
      this.narrowLimiter = createRateLimiter(NARROW);
      const max = attempt.narrow === 'once' ? 1 : NARROW_ATTEMPTS_MAX;
      for (let sent = 1; ; sent++) {
        const answer = await this.send(this.narrow, attempt);
        if (answer.status === 429 || sent === max) return answer;
      }
    } finally {
      restore?.();
      this.state = 'sound';
      this.given = {};
    }
  }

  private async send(app: FastifyInstance, attempt: Attempt): Promise<Answer> {
    const { port } = app.server.address() as AddressInfo;
    const answer = await this.exchange(port, attempt);
    const { location } = answer.headers;
    if (attempt.followsRedirects !== true || location === undefined) return answer;
    return await this.exchange(port, { ...attempt, url: location });
  }

  private exchange(port: number, { method, url, headers, body }: Attempt): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { agent } = this;
      const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) };
      const all = { ...headers, ...length };
      const sent = request({ host: '127.0.0.1', port, path: url, method, headers: all, agent });
      sent.on('error', reject);
      sent.on('upgrade', (response, socket) => {
        socket.destroy();
        resolve(toAnswer(response, ''));
      });
      sent.on('response', (response) => {
        // A stream of events has no end: its head is what is compared.
        if (String(response.headers['content-type']).startsWith('text/event-stream')) {
          sent.destroy();
          resolve(toAnswer(response, ''));
          return;
        }
        response.setEncoding('utf8');
        let text = '';
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve(toAnswer(response, text)));
        response.on('error', reject);
      });
      sent.end(body ?? undefined);
    });
  }

  /** The dependencies, each of whose functions first does what the state says. */
  private switchedDeps(): ApiDeps {
    const groups = Object.keys(this.sound) as (keyof ApiDeps)[];
    return Object.fromEntries(
      groups.map((name) => [name, this.switched(name)]),
    ) as unknown as ApiDeps;
  }

  private switched(name: keyof ApiDeps): unknown {
    const value = this.sound[name];
    // Answers are kept until something is published, and the readiness for a moment: each request
    // comes after both.
    if (name === 'publications') return () => ++this.reads;
    if (name === 'nowMs') return () => this.nowMs;
    if (name === 'steadyNowMs') return () => ++this.reads * 60_000;
    // What the service needs for itself is not a read.
    const isOwn = ['hub', 'streams', 'simulation'].includes(name);
    if (isOwn || typeof value !== 'object' || value === null) return value;
    return new Proxy(value, {
      get: (_, member) => {
        const current = (this.given[name] ?? value) as unknown as Record<string | symbol, unknown>;
        const found = current[member];
        if (typeof found !== 'function' || member === 'observeRequest') return found;
        return (...given: unknown[]) => {
          this.assertSound(name);
          return found.apply(current, given);
        };
      },
    });
  }

  private assertSound(name: keyof ApiDeps): void {
    const isOfKeys = name === 'keys';
    if (this.state === (isOfKeys ? 'failing keys' : 'failing')) {
      throw new StoreError('No space left on device.', { isTransient: true });
    }
    if (this.state === (isOfKeys ? 'broken keys' : 'broken')) {
      throw new TypeError('a defect of the service');
    }
  }
}

function toAnswer({ statusCode = 0, headers }: IncomingMessage, body: string): Answer {
  return { status: statusCode, headers, body };
}
