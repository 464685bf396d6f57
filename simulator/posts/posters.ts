import type { Address } from '../../src/model/units.ts';
import type { Random } from '../random/random.ts';
import {
  type ComposedText,
  composeCall,
  composeOfficial,
  composeOffTopic,
  composeOpinion,
  composeRaid,
  composeRotation,
  composeSarcasm,
  composeSpam,
  copyOf,
} from './compose-text.ts';
import { type Author, PostAuthors } from './post-authors.ts';
import type { PostService } from './post-service.ts';
import { type Draft, draftOf, meant } from './post-writer.ts';
import { PLATFORMS, type PostReason } from './social-post.ts';
import type { SocialToken, SocialTokens } from './social-tokens.ts';
import { addressMention, mentionOf } from './token-mention.ts';
import type { TokenTalk } from './token-talk.ts';

export interface PostersOptions {
  readonly random: Random;
  readonly startMs: number;
  readonly tokens: SocialTokens;
  readonly service: PostService;
  /** Tokens under discussion. */
  readonly talks: ReadonlyMap<Address, TokenTalk>;
}

/** Shares of spontaneous posts: spam, rotations; of the rest, sarcasm, and accounts of quality. */
const SHARES = { spam: 0.1, rotation: 0.03, sarcasm: 0.07, quality: 0.2 } as const;
const SPAM_TOKENS_MAX = 3;
/** Minimum and maximum duration of a raid, in milliseconds. */
const RAID_MS = { least: 60_000, most: 360_000 } as const;
const RAID_LEAD_MS = 120_000;

/** All authors, and what each kind of them posts. */
export class Posters {
  private readonly random: Random;
  private readonly tokens: SocialTokens;
  private readonly service: PostService;
  private readonly talks: ReadonlyMap<Address, TokenTalk>;
  private readonly authors: PostAuthors;
  private raidsNow = 0;

  constructor({ random, startMs, tokens, service, talks }: PostersOptions) {
    this.random = random.fork('posters');
    this.tokens = tokens;
    this.service = service;
    this.talks = talks;
    this.authors = new PostAuthors(random, startMs);
  }

  /** Number of raids that are scheduled or running. */
  get raids(): number {
    return this.raidsNow;
  }

  /** Posts a promoter's recommendation of a token. */
  call(token: SocialToken): void {
    const author = this.authors.pick(this.random, 'caller');
    this.opine(author, 'call', token, (mention) => composeCall(this.random, author.lang, mention));
  }

  /** Posts one spontaneous message about a token. */
  chat(talk: TokenTalk): void {
    const drawn = this.random.unit();
    if (drawn < SHARES.spam) this.spam(talk.token);
    else if (drawn < SHARES.spam + SHARES.rotation) this.rotate(talk.token);
    else if (this.random.chance(SHARES.sarcasm)) this.mock(talk.token);
    else this.say(talk);
  }

  /** Posts the announcement of a migration from the token's own account. */
  announce(token: SocialToken): void {
    const author = this.authors.official(token, this.service.nowMs);
    if (author === null) return;
    const mention = addressMention(this.random, token);
    const composed = composeOfficial(this.random, mention.text);
    this.service.post(author, 'official', draftOf(composed, mention));
  }

  talkOfSomethingElse(): void {
    const { text, lang } = composeOffTopic(this.random);
    const author = this.authors.pick(this.random, 'regular');
    this.service.post(author, 'offTopic', { text, lang, about: [] });
  }

  /** Lets many fresh accounts copy one text within minutes. */
  raid(token: SocialToken, posts: number): void {
    const { random, service } = this;
    this.raidsNow++;
    const mention = addressMention(random, token);
    const follow = token.handle === null ? token.name : `@${token.handle}`;
    const original = composeRaid(random, mention.text, follow);
    const platform = random.pick(PLATFORMS);
    const beginMs = service.nowMs + random.below(RAID_LEAD_MS);
    const lengthMs = Math.floor(random.within(RAID_MS));
    for (let copy = 0; copy < posts; copy++) {
      service.at(beginMs + random.below(lengthMs), () => {
        const author = this.authors.fresh(platform, service.nowMs);
        const text = copyOf(random, original.text);
        service.post(author, 'raid', draftOf({ ...original, text }, mention));
      });
    }
    service.at(beginMs + lengthMs, () => {
      this.raidsNow--;
    });
  }

  private say(talk: TokenTalk): void {
    const { random, authors, service } = this;
    const author = authors.pick(random, random.chance(SHARES.quality) ? 'quality' : 'regular');
    const reason = talk.isPanic(service.nowMs) ? 'panic' : 'chatter';
    this.opine(author, reason, talk.token, (mention) =>
      composeOpinion(random, author.lang, talk.drawTone(random, service.nowMs), mention),
    );
  }

  private mock(token: SocialToken): void {
    const author = this.authors.pick(this.random, 'sarcastic');
    this.opine(author, 'sarcasm', token, (mention) => composeSarcasm(this.random, mention));
  }

  private spam(token: SocialToken): void {
    const { random } = this;
    const others = random.shuffle(this.tokensBeside(token));
    const named = [token, ...others.slice(0, random.below(SPAM_TOKENS_MAX))];
    const mentions = named.map((each) => mentionOf(random, this.tokens, each));
    const { text, lang } = composeSpam(
      random,
      mentions.map((mention) => mention.text),
    );
    const about = mentions.map((mention) => meant(mention, 0));
    this.service.post(this.authors.pick(random, 'spammer'), 'spam', { text, lang, about });
  }

  private rotate(token: SocialToken): void {
    const { random } = this;
    const others = this.tokensBeside(token);
    if (others.length === 0) {
      this.talkOfSomethingElse();
      return;
    }
    const from = mentionOf(random, this.tokens, token);
    const to = mentionOf(random, this.tokens, random.pick(others));
    const rotation = composeRotation(random, from.text, to.text);
    const { text, lang, fromSentiment, toSentiment } = rotation;
    const about = [meant(from, fromSentiment), meant(to, toSentiment)];
    this.service.post(this.authors.pick(random, 'regular'), 'rotation', { text, lang, about });
  }

  private tokensBeside(token: SocialToken): SocialToken[] {
    return [...this.talks.values()].map((talk) => talk.token).filter((other) => other !== token);
  }

  /** A post about one token. An edit has the same mention, but may have another opinion. */
  private opine(
    author: Author,
    reason: PostReason,
    token: SocialToken,
    compose: (mention: string) => ComposedText,
  ): void {
    const mention = mentionOf(this.random, this.tokens, token);
    const draft = (): Draft => draftOf(compose(mention.text), mention);
    this.service.post(author, reason, draft(), draft);
  }
}
