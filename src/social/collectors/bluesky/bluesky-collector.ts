import type { PostEvent } from '../../../model/social-post.ts';
import type { Collector, CollectorContext } from '../../collecting/collector.ts';
import type { PollOutcome } from '../../collecting/poll.ts';
import { type PolledSource, pollingCollector } from '../../collecting/polling-collector.ts';
import { PostEmitter } from '../../collecting/post-emitter.ts';
import { parseFields } from '../../collecting/read-fields.ts';
import { nothingWanted } from '../../collecting/search-rounds.ts';
import type { Tally } from '../../collecting/tally.ts';
import { WantedFilter } from '../../collecting/wanted.ts';
import { type ProfileSettings, Profiles } from './profiles.ts';
import { POSTS, readEvent } from './read-event.ts';
import { type SocketEnd, SocketFrames } from './socket-frames.ts';

export interface BlueskySettings {
  /**
   * URLs of Jetstream servers, such as `wss://jetstream2.us-east.bsky.network`; the first is
   * preferred, and the next one is used when one fails. At least one.
   */
  readonly jetstreamUrls: readonly string[];
  /** Where followers are looked up; null disables that. */
  readonly profiles: ProfileSettings | null;
  /** Posts arrive all the time: after silence of this length the connection is broken. */
  readonly silenceMs: number;
  readonly pingMs: number;
  /** How long frames are collected before they are emitted together. */
  readonly batchMs: number;
}

const PATH = '/subscribe';
const FRAME_BYTES_MAX = 256 * 1_024;
const FRAMES_MAX = 2_000;
/** Rewind on reconnect: each server has its own timestamps, and repeats are recognised. */
const REWIND_US = 5_000_000;
/** There are posts every second: a replay that begins this much later has lost posts. */
const GAP_US = 60_000_000;
const IDLE_MS = 10_000;
/** A timestamp further ahead does not move the cursor, or events until then would be lost. */
const AHEAD_MAX_US = 5 * 60_000_000;
/** Step past a frame that is too large; it doubles while the frame is received again. */
const STEP_US = 1_000_000;
const STEPS_MAX = 12;

/** Reads all posts of Bluesky from Jetstream, and emits those that match the wanted names. */
export function createBlueskyCollector(settings: BlueskySettings): Collector {
  return pollingCollector(
    { platform: 'bluesky', name: 'bluesky' },
    (context, tally) => new JetstreamListening(settings, context, tally),
  );
}

class JetstreamListening implements PolledSource {
  private readonly settings: BlueskySettings;
  private readonly profiles: Profiles | null;
  private readonly context: CollectorContext;
  private readonly tally: Tally;
  private readonly emitter: PostEmitter;
  private filter: WantedFilter;
  /** Time of the newest processed event, in microseconds; null for none. */
  private cursorUs: number | null;
  /** Consecutive connections that ended with a frame that was too large. */
  private steps = 0;
  private connections = 0;
  private isKeeping = false;
  /** True until the first event of this connection. */
  private isFirst = true;

  constructor(settings: BlueskySettings, context: CollectorContext, tally: Tally) {
    this.settings = settings;
    const { profiles } = settings;
    this.profiles = profiles === null ? null : new Profiles(profiles, context, tally);
    this.context = context;
    this.tally = tally;
    this.emitter = new PostEmitter(context, tally);
    this.filter = new WantedFilter(context.wanted());
    const kept = parseFields(context.cursor.read() ?? '')?.timeUs;
    this.cursorUs = Number.isSafeInteger(kept) ? Number(kept) : null;
  }

  /** Runs one connection until it ends. */
  async round(): Promise<PollOutcome> {
    const { signal } = this.context;
    const { mints, cashtags, links } = this.context.wanted();
    if (mints.length + cashtags.length + links.length === 0) {
      // Posts from a time when nothing was wanted are not replayed later.
      this.cursorUs = null;
      return nothingWanted(this.context.nowMs() + IDLE_MS);
    }
    const { silenceMs, pingMs } = this.settings;
    const limits = { frameBytesMax: FRAME_BYTES_MAX, framesMax: FRAMES_MAX };
    this.tally.add('requests');
    this.isFirst = true;
    const frames = new SocketFrames(this.url(), { ...limits, silenceMs, pingMs });
    const end = () => frames.terminate();
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    let events = 0;
    let ended: SocketEnd | null = null;
    while (ended === null) {
      const next = await frames.next();
      if ('kind' in next) ended = next;
      else if (!signal.aborted) {
        if (events === 0) this.tally.report({ kind: 'running' });
        events += await this.take(next);
        await this.context.clock.sleep(this.settings.batchMs, signal);
      }
    }
    signal.removeEventListener('abort', end);
    return this.outcome(ended, events);
  }

  async close(): Promise<void> {
    await this.profiles?.close();
  }

  private outcome({ reason, message }: SocketEnd, events: number): PollOutcome {
    this.steps = reason === 'too-large' ? Math.min(STEPS_MAX, this.steps + 1) : 0;
    if (reason === 'too-large') {
      this.tally.add('malformed');
      this.tally.add('gaps');
    }
    this.connections++;
    if (events === 0) return { kind: 'failed', message: `Bluesky: ${message}.` };
    this.tally.add('failures');
    return { kind: 'done', waitMs: Math.ceil(1_000 * this.context.random()) };
  }

  private url(): string {
    const { jetstreamUrls } = this.settings;
    const url = new URL(jetstreamUrls[this.connections % jetstreamUrls.length] ?? '');
    if (url.pathname === '/') url.pathname = PATH;
    url.searchParams.append('wantedCollections', POSTS);
    url.searchParams.set('maxMessageSizeBytes', String(FRAME_BYTES_MAX));
    if (this.cursorUs !== null) {
      const offsetUs = this.steps === 0 ? -REWIND_US : STEP_US * 2 ** (this.steps - 1);
      const nowUs = this.context.nowMs() * 1_000;
      url.searchParams.set('cursor', String(Math.min(this.cursorUs + offsetUs, nowUs)));
    }
    return url.href;
  }

  /** Returns how many of the frames were events. */
  private async take(frames: readonly string[]): Promise<number> {
    const nowMs = this.context.nowMs();
    const wanted = this.context.wanted();
    if (!this.filter.isOf(wanted)) this.filter = new WantedFilter(wanted);
    const postEvents: PostEvent[] = [];
    let events = 0;
    for (const frame of frames) {
      const event = readEvent(frame, nowMs, this.tally);
      if (event.timeUs === null) continue;
      events++;
      this.advance(event.timeUs, nowMs);
      if (event.kind === 'deleted') {
        postEvents.push({ kind: 'deleted', platform: 'bluesky', postId: event.postId });
      } else if (event.kind === 'post' && (event.isUpdate || this.filter.passes(event.post))) {
        // An update may remove a token's name from a post that was emitted with it.
        postEvents.push({ kind: 'post', post: event.post });
      }
    }
    await this.emitter.emit(await this.withAuthors(postEvents));
    if (events > 0) this.keep();
    this.tally.report();
    return events;
  }

  /** Saves the cursor while the stream goes on; events after the saved cursor are replayed. */
  private keep(): void {
    if (this.isKeeping || this.cursorUs === null) return;
    this.isKeeping = true;
    const text = JSON.stringify({ timeUs: this.cursorUs });
    void this.context.cursor.write(text).then(() => {
      this.isKeeping = false;
    });
  }

  private advance(timeUs: number, nowMs: number): void {
    const isGap = this.isFirst && this.cursorUs !== null && timeUs > this.cursorUs + GAP_US;
    if (isGap) this.tally.add('gaps');
    this.isFirst = false;
    if (timeUs > nowMs * 1_000 + AHEAD_MAX_US) this.tally.add('fromFuture');
    else if (timeUs > (this.cursorUs ?? 0)) this.cursorUs = timeUs;
  }

  private async withAuthors(postEvents: readonly PostEvent[]): Promise<PostEvent[]> {
    const accounts = postEvents.flatMap((each) =>
      each.kind === 'post' ? [each.post.author.id] : [],
    );
    const authors = await this.profiles?.read(accounts);
    return postEvents.map((each) => {
      const author = each.kind === 'post' ? authors?.get(each.post.author.id) : undefined;
      if (each.kind !== 'post' || author === undefined) return each;
      return { kind: 'post', post: { ...each.post, author } };
    });
  }
}
