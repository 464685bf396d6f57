import {
  connectionFault,
  type HttpClient,
  type HttpStream,
} from '../../../lib/http-client/http-client.ts';
import type { PostEvent, SocialPost } from '../../../model/social-post.ts';
import type { Collector, CollectorContext } from '../../collecting/collector.ts';
import type { PollOutcome } from '../../collecting/poll.ts';
import { polledCollector } from '../../collecting/polled-collector.ts';
import { PostEmitter } from '../../collecting/post-emitter.ts';
import { millisecondsOf, parseFields } from '../../collecting/read-fields.ts';
import { type Line, readLines } from '../../collecting/read-lines.ts';
import { RequestPace } from '../../collecting/request-pace.ts';
import { nothingWanted } from '../../collecting/search-rounds.ts';
import type { Tally } from '../../collecting/tally.ts';
import { groupTerms } from '../../collecting/term-groups.ts';
import { budgetSpent, PostBudget } from './post-budget.ts';
import { POST_FIELDS, readPost, readUsers } from './read-post.ts';
import { createXClient } from './x-client.ts';
import { xRefusal } from './x-refusal.ts';
import { agreeOnRules } from './x-rules.ts';
import { xTerms } from './x-terms.ts';

export interface XStreamSettings {
  readonly baseUrl: string;
  readonly bearerToken: string;
  /** Maximum posts read in a month (UTC), since X bills each of them. */
  readonly postsPerMonth: number;
  readonly requestsPerMinute: number;
  /** 1,024 characters on self-serve plans, which allow 1,000 rules. */
  readonly ruleLengthMax: number;
  readonly rulesMax: number;
  /** Minutes that X replays after an interruption, 0 to 5; 0 where the plan has no backfill. */
  readonly backfillMinutesMax: number;
  /** X sends something every 20 seconds. */
  readonly silenceMs: number;
  /** How often the rules are updated to the wanted terms. */
  readonly rulesMs: number;
}

const LINE_BYTES_MAX = 256 * 1_024;
const MINUTE_MS = 60_000;

/** The filtered stream of X, which does not report deletions. */
export function createXStream(settings: XStreamSettings): Collector {
  const start = (context: CollectorContext, tally: Tally) => new XStream(settings, context, tally);
  return polledCollector('x', 'x-stream', start);
}

type StreamMessage =
  | { readonly kind: 'post'; readonly post: SocialPost }
  | { readonly kind: 'ended'; readonly outcome: PollOutcome };

class XStream {
  private readonly settings: XStreamSettings;
  private readonly client: HttpClient;
  private readonly context: CollectorContext;
  private readonly tally: Tally;
  private readonly emitter: PostEmitter;
  private readonly budget: PostBudget;
  private readonly pace: RequestPace;
  /** When data were last received, or null; X replays from then. */
  private heardMs: number | null;
  private rules: readonly string[] = [];

  constructor(settings: XStreamSettings, context: CollectorContext, tally: Tally) {
    this.settings = settings;
    this.client = createXClient(settings);
    this.context = context;
    this.tally = tally;
    this.emitter = new PostEmitter(context, tally);
    const kept = parseFields(context.cursor.read() ?? '') ?? {};
    this.budget = new PostBudget(settings.postsPerMonth, kept.budget);
    this.heardMs = millisecondsOf(kept.heardMs);
    const perMinute = settings.requestsPerMinute;
    this.pace = new RequestPace(context.clock, { perMinute, burst: Math.min(5, perMinute) });
  }

  /** Runs one connection until it ends. */
  async round(): Promise<PollOutcome> {
    const spent = this.spent();
    if (spent !== null) return spent;
    const rules = this.wantedRules();
    if (rules.length === 0) return nothingWanted(this.context.nowMs() + this.settings.rulesMs);
    const refusal = await this.agree(rules);
    if (refusal !== null) return refusal;
    await this.request();
    const query = { ...POST_FIELDS, backfill_minutes: this.backfillMinutes() };
    const opened = await this.client.open(
      { path: '/2/tweets/search/stream', query },
      this.context.signal,
    );
    if (opened.kind !== 'stream') {
      const silent: PollOutcome = { kind: 'failed', message: 'X did not open the stream.' };
      return xRefusal(opened, this.context.nowMs()) ?? silent;
    }
    this.tally.report({ kind: 'running' });
    return await this.listen(opened);
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  private async listen(stream: HttpStream): Promise<PollOutcome> {
    const { signal } = this.context;
    const end = () => stream.end();
    const silence = setTimeout(end, this.settings.silenceMs);
    // Rules are changed while the stream runs, one change at a time.
    let changes: Promise<unknown> = Promise.resolve();
    const changing = setInterval(() => {
      changes = changes.then(() => this.changeRules());
    }, this.settings.rulesMs);
    signal.addEventListener('abort', end, { once: true });
    let heard = 0;
    try {
      for await (const lines of readLines(heardChunks(stream.body, silence), LINE_BYTES_MAX)) {
        const ended = await this.take(lines);
        heard += lines.length;
        if (ended !== null) return ended;
      }
    } catch (error) {
      const message = `X: ${connectionFault(error)}.`;
      return heard > 0 ? this.again() : { kind: 'failed', message };
    } finally {
      clearTimeout(silence);
      clearInterval(changing);
      signal.removeEventListener('abort', end);
      stream.end();
      await changes;
    }
    return heard > 0 ? this.again() : { kind: 'failed', message: 'X ended the stream.' };
  }

  /** After a connection that received data, reconnects immediately. */
  private again(): PollOutcome {
    this.tally.add('failures');
    return { kind: 'done', waitMs: Math.ceil(1_000 * this.context.random()) };
  }

  /** Null while the stream goes on. */
  private async take(lines: readonly Line[]): Promise<PollOutcome | null> {
    const nowMs = this.context.nowMs();
    const events: PostEvent[] = [];
    let outcome: PollOutcome | null = null;
    for (const line of lines) {
      const read = this.readLine(line, nowMs);
      if (read?.kind === 'ended') outcome = read.outcome;
      else if (read !== null) events.push({ kind: 'post', post: read.post });
    }
    await this.emitter.emit(events);
    this.heardMs = nowMs;
    if (events.length > 0) await this.keep();
    return outcome ?? this.spent();
  }

  /** Null for an empty line, which X sends to keep the connection alive. */
  private readLine(line: Line, nowMs: number): StreamMessage | null {
    if (line.kind === 'line' && line.text === '') return null;
    const message = line.kind === 'line' ? parseFields(line.text) : null;
    if (message?.data === undefined) {
      if (message?.errors !== undefined) {
        return { kind: 'ended', outcome: disconnected() };
      }
      this.tally.add('malformed');
      return null;
    }
    this.budget.spend(1, nowMs);
    const post = readPost(message.data, readUsers(message.includes), nowMs, this.tally);
    return post === null ? null : { kind: 'post', post };
  }

  private spent(): PollOutcome | null {
    const nowMs = this.context.nowMs();
    if (this.budget.left(nowMs) > 0) return null;
    const message = `The ${this.settings.postsPerMonth} posts of this month have been read.`;
    return budgetSpent(message, nowMs);
  }

  private async keep(): Promise<void> {
    const { heardMs } = this;
    const budget = this.budget.entries();
    await this.context.cursor.write(JSON.stringify({ heardMs, budget }));
  }

  private wantedRules(): readonly string[] {
    const { ruleLengthMax: lengthMax, rulesMax: groupsMax } = this.settings;
    const form = { start: '(', joiner: ' OR ', end: ') -is:retweet', lengthMax, groupsMax };
    const { groups, left } = groupTerms(xTerms(this.context.wanted()), form);
    this.tally.set('unasked', left);
    return groups.map(({ query }) => query);
  }

  private async changeRules(): Promise<void> {
    await this.keep();
    const rules = this.wantedRules();
    const isSame =
      rules.length === this.rules.length && rules.every((r, at) => r === this.rules[at]);
    const refusal = isSame ? null : await this.agree(rules);
    if (refusal !== null) this.tally.add('failures');
    this.tally.report();
  }

  private async agree(rules: readonly string[]): Promise<PollOutcome | null> {
    const { signal, nowMs } = this.context;
    const onRequest = async () => await this.request();
    const refusal = await agreeOnRules(rules, { client: this.client, signal, nowMs, onRequest });
    if (refusal === null) this.rules = rules;
    return refusal;
  }

  private async request(): Promise<void> {
    await this.pace.take(this.context.signal);
    this.tally.add('requests');
  }

  /** Null for no backfill. A pause longer than X replays is a gap. */
  private backfillMinutes(): number | null {
    if (this.heardMs === null) return null;
    const missed = Math.ceil((this.context.nowMs() - this.heardMs) / MINUTE_MS);
    const { backfillMinutesMax } = this.settings;
    if (missed > backfillMinutesMax) this.tally.add('gaps');
    return backfillMinutesMax === 0 ? null : Math.min(backfillMinutesMax, Math.max(1, missed));
  }
}

async function* heardChunks(
  body: AsyncIterable<Uint8Array>,
  silence: NodeJS.Timeout,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    silence.refresh();
    yield chunk;
  }
}

function disconnected(): PollOutcome {
  return { kind: 'failed', message: 'X reported an error and ended the stream.' };
}
