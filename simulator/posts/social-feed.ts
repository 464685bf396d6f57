import { WRAPPED_SOL } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import type { MarketFact } from '../chain/market-fact.ts';
import type { ChainStep } from '../market/world.ts';
import type { Random } from '../random/random.ts';
import { FEED_SETTINGS, type FeedSettings } from './feed-settings.ts';
import { PostService } from './post-service.ts';
import { Posters } from './posters.ts';
import type { FeedEntry } from './social-post.ts';
import type { SocialToken, SocialTokens } from './social-tokens.ts';
import { TokenTalk } from './token-talk.ts';

/** The part of one slot that a feed uses. */
export interface FeedMoment {
  /** The slot's end, in milliseconds since 1970. */
  readonly nowMs: number;
  /** Facts of the canonical block, in its order; empty if the slot has none. */
  readonly facts: readonly MarketFact[];
}

/** Converts a slot for the feed: blocks of dropped branches have no effect on posts. */
export function toFeedMoment(nowMs: number, step: ChainStep | null): FeedMoment {
  if (step === null || !step.isCanonical) return { nowMs, facts: [] };
  return { nowMs, facts: step.block.transactions.flatMap(({ facts }) => facts) };
}

export interface FeedOptions {
  readonly random: Random;
  /** Start of the first slot. */
  readonly startMs: number;
  /** Tokens that are not included are never mentioned. */
  readonly tokens: SocialTokens;
  readonly settings?: Partial<FeedSettings>;
}

const MINUTE_MS = 60_000;
/**
 * Probability of calls after a shock and after a migration, and how much discussion a call causes.
 */
const CALL_CHANCE = { shock: 0.5, migration: 0.6 } as const;
const CALLS_MAX = 3;
const CALL_ECHO_SOL = 40;
/** Raids after a shock, as a share of those after a migration. */
const SHOCK_RAID_SHARE = 0.2;
const HEARD_CALL_MS = 10_000;
const ANNOUNCEMENT_MS = 30_000;

/**
 * People and programs that post about tokens: recommendations when volume jumps, discussion as the
 * market moves, copied praise in raids, panic when a price breaks, and off-topic posts. For each
 * observed slot it returns the records posted, edited and deleted during it, in order.
 */
export class SocialFeed {
  private readonly random: Random;
  private readonly tokens: SocialTokens;
  private readonly settings: FeedSettings;
  private readonly service: PostService;
  private readonly posters: Posters;
  private readonly talks = new Map<Address, TokenTalk>();
  /** Tokens that have left their curve or never had one. */
  private readonly inPool = new Set<Address>();

  constructor({ random: root, startMs, tokens, settings }: FeedOptions) {
    const random = root.fork('posts');
    this.random = random.fork('feed');
    this.tokens = tokens;
    this.settings = { ...FEED_SETTINGS, ...settings };
    this.service = new PostService(random, startMs, this.settings);
    this.posters = new Posters({
      random,
      startMs,
      tokens,
      service: this.service,
      talks: this.talks,
    });
  }

  /** Number of scheduled posts, edits and deletions. */
  get pending(): number {
    return this.service.pending;
  }

  /** Advances one slot. Authors react to its facts from the next slot on. */
  observe({ nowMs, facts }: FeedMoment): readonly FeedEntry[] {
    this.planChatter(nowMs);
    const entries = this.service.advance(nowMs);
    for (const fact of facts) this.see(fact);
    return entries;
  }

  /** Handles a promoter's recommendation on the market by posting a call. */
  hearCall(mint: Address): void {
    const talk = this.talkOf(mint);
    if (talk !== null) this.planCall(talk, HEARD_CALL_MS);
  }

  private see(fact: MarketFact): void {
    if (fact.kind === 'trade') this.seeTrade(fact);
    else if (fact.kind === 'migrate') this.seeMigration(fact.mint);
    else if (fact.kind === 'launch') this.makeKnown(fact.mint);
    else if (fact.kind === 'poolCreated') {
      this.makeKnown(fact.baseMint);
      this.inPool.add(fact.baseMint);
      this.talks.get(fact.baseMint)?.migrate(this.service.nowMs);
    }
  }

  private makeKnown(mint: Address): void {
    const token = this.tokens.get(mint);
    if (token !== null) this.tokens.launched(token);
  }

  private seeTrade(trade: MarketFact & { readonly kind: 'trade' }): void {
    if (trade.quoteMint !== WRAPPED_SOL) return;
    const talk = this.talkOf(trade.baseMint);
    if (talk === null || talk.see(trade, this.service.nowMs) !== 'shock') return;
    if (this.random.chance(CALL_CHANCE.shock)) this.planCalls(talk);
    if (this.random.chance(this.settings.raidChance * SHOCK_RAID_SHARE)) this.raid(talk.token);
  }

  private seeMigration(mint: Address): void {
    this.inPool.add(mint);
    const talk = this.talkOf(mint);
    if (talk === null) return;
    talk.migrate(this.service.nowMs);
    this.service.within(ANNOUNCEMENT_MS, () => this.posters.announce(talk.token));
    if (this.random.chance(CALL_CHANCE.migration)) this.planCalls(talk);
    if (this.random.chance(this.settings.raidChance)) this.raid(talk.token);
  }

  private talkOf(mint: Address): TokenTalk | null {
    const known = this.talks.get(mint);
    if (known !== undefined) return known;
    const token = this.tokens.get(mint);
    if (token === null) return null;
    const talk = new TokenTalk(token, this.service.nowMs);
    if (this.inPool.has(mint)) talk.migrate(this.service.nowMs);
    this.talks.set(mint, talk);
    return talk;
  }

  /** Schedules the spontaneous posts until `endMs`: Poisson arrivals. */
  private planChatter(endMs: number): void {
    const { chatter, tokenPostsPerMinuteMax, offTopicPerMinute } = this.settings;
    const { nowMs } = this.service;
    for (const [mint, talk] of this.talks) {
      if (talk.isQuiet(nowMs)) {
        this.talks.delete(mint);
        continue;
      }
      const rate = Math.min(tokenPostsPerMinuteMax, chatter * talk.postsPerMinute(nowMs));
      this.arrive(rate, endMs, () => this.posters.chat(talk));
    }
    this.arrive(offTopicPerMinute, endMs, () => this.posters.talkOfSomethingElse());
  }

  private arrive(perMinute: number, endMs: number, action: () => void): void {
    if (perMinute === 0) return;
    const meanMs = MINUTE_MS / perMinute;
    for (let timeMs = this.service.nowMs; ; ) {
      timeMs += this.random.exponential(meanMs);
      if (timeMs >= endMs) return;
      this.service.at(timeMs, action);
    }
  }

  private planCalls(talk: TokenTalk): void {
    const calls = 1 + this.random.below(CALLS_MAX);
    for (let call = 0; call < calls; call++) this.planCall(talk, MINUTE_MS);
  }

  private planCall(talk: TokenTalk, withinMs: number): void {
    this.service.within(withinMs, () => {
      talk.excite(CALL_ECHO_SOL);
      this.posters.call(talk.token);
    });
  }

  private raid(token: SocialToken): void {
    const { raidsAtOnceMax, raidPosts } = this.settings;
    if (this.posters.raids < raidsAtOnceMax) this.posters.raid(token, raidPosts);
  }
}
