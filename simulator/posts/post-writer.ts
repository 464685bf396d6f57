import type { Random } from '../random/random.ts';
import type { ComposedText } from './compose-text.ts';
import { makeHostile } from './hostile-text.ts';
import { type Author, isBot, shownAuthor } from './post-authors.ts';
import { postIdOf } from './post-id.ts';
import type { Engagement, FeedEntry, Mention, PostReason, SocialPost } from './social-post.ts';
import type { MentionText } from './token-mention.ts';

/** A text with the tokens it is about. */
export interface Draft {
  readonly text: string;
  readonly lang: string;
  readonly about: readonly Mention[];
}

/** A published post, which its author may edit or delete. */
export interface StandingPost {
  readonly post: SocialPost;
  readonly entry: FeedEntry;
}

interface Writing {
  readonly author: Author;
  readonly timeMs: number;
  readonly reason: PostReason;
  readonly draft: Draft;
  readonly isHostile: boolean;
}

const FEWEST_READERS = 0.002;
const LIKES_MAX = 200_000;

/** One opinion about one token. */
export function draftOf({ text, lang, sentiment }: ComposedText, mention: MentionText): Draft {
  return { text, lang, about: [meant(mention, sentiment)] };
}

export function meant({ token, by, isAmbiguous }: MentionText, meantSentiment: number): Mention {
  return { mint: token.mint, by, isAmbiguous, meantSentiment };
}

/** Creates records of posts: ids, accounts as shown, likes, and the ground truth. */
export class PostWriter {
  private readonly random: Random;
  private readonly startMs: number;
  private sequence = 0;

  constructor(random: Random, startMs: number) {
    this.random = random.fork('writer');
    this.startMs = startMs;
  }

  post({ author, timeMs, reason, draft, isHostile }: Writing): StandingPost {
    const { platform } = author;
    const shown = shownAuthor(author, this.startMs, timeMs);
    const post: SocialPost = {
      kind: 'post',
      platform,
      postId: postIdOf(platform, author.id, timeMs, this.sequence++),
      author: shown,
      text: isHostile ? makeHostile(this.random, draft.text) : draft.text,
      lang: draft.lang,
      postedAtMs: timeMs,
      engagement: this.engagement(shown.followers, author.kind === 'raider'),
    };
    const truth = {
      reason,
      isRaid: reason === 'raid',
      isBot: isBot(author),
      isHostile,
      postedAtMs: timeMs,
      about: draft.about,
      before: null,
    };
    return { post, entry: { record: post, truth } };
  }

  /** The new text names the same tokens in the same way. */
  edit({ post, entry }: StandingPost, timeMs: number, { text, about }: Draft): FeedEntry {
    const { platform, postId } = post;
    return {
      record: { kind: 'edit', platform, postId, text, editedAtMs: timeMs },
      truth: { ...entry.truth, isHostile: false, about, before: entry.truth.about },
    };
  }

  remove({ post, entry }: StandingPost, timeMs: number): FeedEntry {
    const { platform, postId } = post;
    return {
      record: { kind: 'delete', platform, postId, deletedAtMs: timeMs },
      truth: entry.truth,
    };
  }

  /** From a few followers, and in a raid from some of the other accounts. */
  private engagement(followers: number, isRaid: boolean): Engagement {
    const { random } = this;
    const readers = followers * FEWEST_READERS + (isRaid ? 8 : 1);
    const likes = Math.min(LIKES_MAX, Math.floor(random.logNormal(readers, 0.9)));
    return {
      likes,
      reposts: Math.floor(likes * random.between(0, 0.4)),
      replies: Math.floor(likes * random.between(0, 0.2)),
    };
  }
}
