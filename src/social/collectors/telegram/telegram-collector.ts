import {
  type HttpAnswer,
  HttpClient,
  type HttpFailure,
} from '../../../lib/http-client/http-client.ts';
import { RecentMap } from '../../../lib/recent-map.ts';
import type { PostEvent } from '../../../model/social-post.ts';
import type { Collector, CollectorContext } from '../../collecting/collector.ts';
import { type PollOutcome, rateLimited, refusalOf } from '../../collecting/poll.ts';
import { polledCollector } from '../../collecting/polled-collector.ts';
import { PostEmitter } from '../../collecting/post-emitter.ts';
import {
  countOf,
  fieldsOf,
  isFields,
  millisecondsOf,
  parseFields,
} from '../../collecting/read-fields.ts';
import { RequestPace } from '../../collecting/request-pace.ts';
import type { Tally } from '../../collecting/tally.ts';
import { type PublicMessage, readUpdate, UPDATE_KINDS } from './read-update.ts';

export interface TelegramSettings {
  readonly baseUrl: string;
  /** The token from BotFather; part of every path. */
  readonly botToken: string;
  /** How long Telegram keeps a request open while there are no updates. */
  readonly longPollSeconds: number;
  readonly requestsPerMinute: number;
}

const UPDATES_MAX = 100;
/** Time for an answer, in addition to the long poll. */
const ANSWER_MS = 20_000;
/** Minimum pause between rounds, which limits the requests to a misbehaving server. */
const ROUND_MS = 50;
/** After a week without updates Telegram restarts update ids at a random number. */
const OFFSET_AGE_MAX_MS = 6 * 86_400_000;
const CHATS_MAX = 5_000;
const MEMBERS_AGE_MAX_MS = 3_600_000;
const NO_SUCH_BOT = 404;
const CONFLICT = 409;
const TOO_MANY_REQUESTS = 429;

/** Reads the public channels and groups of which the bot is a member. */
export function createTelegramCollector(settings: TelegramSettings): Collector {
  const start = (context: CollectorContext, tally: Tally) =>
    new TelegramBot(settings, context, tally);
  return polledCollector('telegram', 'telegram', start);
}

/** The next update id, and when it was received. */
interface Offset {
  readonly next: number;
  readonly atMs: number;
}

class TelegramBot {
  private readonly settings: TelegramSettings;
  private readonly client: HttpClient;
  private readonly context: CollectorContext;
  private readonly tally: Tally;
  private readonly emitter: PostEmitter;
  private readonly pace: RequestPace;
  private readonly members = new RecentMap<string, { count: number | null; atMs: number }>(
    CHATS_MAX,
  );
  private offset: Offset | null;

  constructor(settings: TelegramSettings, context: CollectorContext, tally: Tally) {
    this.settings = settings;
    this.client = new HttpClient({ baseUrl: settings.baseUrl, headers: {} });
    this.context = context;
    this.tally = tally;
    this.emitter = new PostEmitter(context, tally);
    this.pace = new RequestPace(context.clock, {
      perMinute: settings.requestsPerMinute,
      burst: 10,
    });
    const { next, atMs } = parseFields(context.cursor.read() ?? '') ?? {};
    const known = { next: countOf(next), atMs: millisecondsOf(atMs) };
    this.offset =
      known.next === null || known.atMs === null ? null : { next: known.next, atMs: known.atMs };
  }

  async round(): Promise<PollOutcome> {
    const { longPollSeconds } = this.settings;
    const answer = await this.call(
      'getUpdates',
      {
        offset: this.currentOffset(),
        limit: UPDATES_MAX,
        timeout: longPollSeconds,
        allowed_updates: JSON.stringify(UPDATE_KINDS),
      },
      longPollSeconds * 1_000 + ANSWER_MS,
    );
    const refusal = this.refusal(answer);
    if (refusal !== null) return refusal;
    const { ok, result } = fieldsOf(answer.kind === 'answer' ? answer.json : null);
    if (ok !== true || !Array.isArray(result)) {
      this.tally.add('malformed');
      return {
        kind: 'failed',
        message: 'Telegram answered with something that it does not document.',
      };
    }
    await this.take(result);
    return { kind: 'done', waitMs: ROUND_MS };
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  /** Stores updates before later ones are requested, because Telegram then deletes them. */
  private async take(updates: readonly unknown[]): Promise<void> {
    const nowMs = this.context.nowMs();
    let next: number | null = null;
    const messages: PublicMessage[] = [];
    for (const update of updates.slice(0, UPDATES_MAX)) {
      const id = isFields(update) ? countOf(update.update_id) : null;
      if (!isFields(update) || id === null) {
        this.tally.add('malformed');
        continue;
      }
      next = Math.max(next ?? 0, id + 1);
      const message = readUpdate(update, nowMs, this.tally);
      if (message !== null) messages.push(message);
    }
    const events: PostEvent[] = [];
    for (const message of messages) {
      events.push({ kind: 'post', post: await this.withFollowers(message) });
    }
    await this.emitter.emit(events);
    if (next === null) return;
    this.offset = { next, atMs: nowMs };
    await this.context.cursor.write(JSON.stringify(this.offset));
  }

  private currentOffset(): number | null {
    const { offset } = this;
    const isOld = offset !== null && this.context.nowMs() - offset.atMs > OFFSET_AGE_MAX_MS;
    return isOld ? null : (offset?.next ?? null);
  }

  /** The followers of a channel are its members. */
  private async withFollowers({ chatId, isChannel, post }: PublicMessage) {
    if (!isChannel) return post;
    const nowMs = this.context.nowMs();
    let known = this.members.get(chatId);
    const isOld = known === undefined || nowMs - known.atMs > MEMBERS_AGE_MAX_MS;
    // A post does not wait for the rate limit: the member count is read with a later post.
    if (isOld && this.pace.waitMs() === 0) {
      const answer = await this.call('getChatMemberCount', { chat_id: chatId }, ANSWER_MS);
      const counted = countOf(fieldsOf(answer.kind === 'answer' ? answer.json : null).result);
      // A missing count is requested again after the same time.
      known = { count: counted ?? known?.count ?? null, atMs: nowMs };
      this.members.set(chatId, known);
    }
    return { ...post, author: { ...post.author, followers: known?.count ?? null } };
  }

  private async call(
    method: string,
    query: Readonly<Record<string, string | number | null>>,
    deadlineMs: number,
  ): Promise<HttpAnswer | HttpFailure> {
    const { signal } = this.context;
    await this.pace.take(signal);
    this.tally.add('requests');
    const path = `/bot${this.settings.botToken}/${method}`;
    return await this.client.request({ path, query, deadlineMs }, signal);
  }

  private refusal(answer: HttpAnswer | HttpFailure): PollOutcome | null {
    const nowMs = this.context.nowMs();
    if (answer.kind === 'answer' && answer.status === NO_SUCH_BOT) {
      const message = 'Telegram knows no bot with this token. Set a valid one and start again.';
      return { kind: 'stopped', message };
    }
    if (answer.kind === 'answer' && answer.status === CONFLICT) {
      const message =
        'Telegram reports that another program reads updates of this bot, or that it has a webhook.';
      return { kind: 'failed', message };
    }
    if (answer.kind === 'answer' && answer.status === TOO_MANY_REQUESTS) {
      const seconds = countOf(fieldsOf(fieldsOf(answer.json).parameters).retry_after);
      if (seconds !== null) return rateLimited('Telegram', nowMs + seconds * 1_000);
    }
    return refusalOf(answer, 'Telegram', nowMs);
  }
}
