import type { Random } from '../random/random.ts';
import { accountId } from './post-id.ts';
import { PLATFORMS, type Platform, type PostAuthor } from './social-post.ts';
import type { SocialToken } from './social-tokens.ts';

/** Kinds of accounts; `spammer` and `raider` are bots. */
export type AuthorKind =
  | 'quality'
  | 'caller'
  | 'regular'
  | 'sarcastic'
  | 'spammer'
  | 'raider'
  | 'official';

/** An account inside the simulation. */
export interface Author {
  readonly kind: AuthorKind;
  readonly platform: Platform;
  readonly id: string;
  readonly handle: string;
  readonly lang: string;
  readonly followersAtStart: number;
  /** Daily growth of the followers, as a share. */
  readonly growthPerDay: number;
  readonly following: number;
  readonly createdAtMs: number;
  readonly postsPerDay: number;
}

type Range = readonly [low: number, high: number];

interface AuthorTraits {
  readonly followersMedian: number;
  readonly followersSigma: number;
  readonly following: Range;
  readonly ageDays: Range;
  readonly postsPerDay: Range;
}

/**
 * Credible accounts are old, have followers and do not post all day; METHODS §8.3 weighs by the
 * same.
 */
const TRAITS: Readonly<Record<AuthorKind, AuthorTraits>> = {
  quality: traits(9_000, 0.9, [200, 1_500], [400, 3_000], [2, 25]),
  caller: traits(180_000, 0.9, [100, 2_000], [300, 3_000], [10, 60]),
  regular: traits(350, 1.2, [50, 1_200], [60, 2_500], [1, 40]),
  sarcastic: traits(600, 1.1, [100, 900], [200, 2_500], [5, 60]),
  spammer: traits(12, 1, [800, 5_000], [5, 200], [150, 900]),
  raider: traits(3, 1, [0, 400], [0, 3], [60, 400]),
  official: traits(800, 1, [0, 50], [0, 20], [3, 20]),
};

function traits(
  followersMedian: number,
  followersSigma: number,
  following: Range,
  ageDays: Range,
  postsPerDay: Range,
): AuthorTraits {
  return { followersMedian, followersSigma, following, ageDays, postsPerDay };
}

const POPULATION: Readonly<
  Record<'quality' | 'caller' | 'regular' | 'sarcastic' | 'spammer', number>
> = { quality: 80, caller: 15, regular: 500, sarcastic: 30, spammer: 40 };

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const FOLLOWERS_MAX = 5_000_000;
const GROWTH_MAX = 0.05;
const ENGLISH_SHARE = 0.9;
const OTHER_LANGUAGES = ['es', 'pt', 'tr', 'ru', 'zh', 'ja'];
/** Most posts about tokens are on two platforms. */
const PLATFORM_DRAW: readonly Platform[] = [
  'x',
  'x',
  'x',
  'x',
  'telegram',
  'telegram',
  ...PLATFORMS,
];

const FIRST = 'sol degen anon moon chart candle pixel lunar based turbo liquid fren alpha'.split(
  ' ',
);
const SECOND = 'hunter wizard maxi intern cat trader whale chad monk dad sniper eyes ape'.split(
  ' ',
);

/** The accounts of a run: a fixed population, and fresh ones for raids. */
export class PostAuthors {
  private readonly random: Random;
  private readonly startMs: number;
  private readonly byKind = new Map<AuthorKind, readonly Author[]>();
  private made = 0;

  constructor(random: Random, startMs: number) {
    this.random = random.fork('authors');
    this.startMs = startMs;
    for (const kind of Object.keys(POPULATION) as (keyof typeof POPULATION)[]) {
      const authors = Array.from({ length: POPULATION[kind] }, () => this.create(kind));
      this.byKind.set(kind, authors);
    }
  }

  pick(random: Random, kind: keyof typeof POPULATION): Author {
    return random.pick(this.byKind.get(kind) ?? []);
  }

  /** An account opened for a raid. */
  fresh(platform: Platform, nowMs: number): Author {
    return { ...this.create('raider', nowMs), platform, lang: 'en' };
  }

  /** The token's own account. Null if it has none. */
  official({ handle }: SocialToken, nowMs: number): Author | null {
    if (handle === null) return null;
    return { ...this.create('official', nowMs), platform: 'x', handle, lang: 'en' };
  }

  private create(kind: AuthorKind, nowMs = this.startMs): Author {
    const { random } = this;
    const { followersMedian, followersSigma, ...ranges } = TRAITS[kind];
    const platform = random.pick(PLATFORM_DRAW);
    this.made++;
    return {
      kind,
      platform,
      id: accountId(random, platform, this.made),
      handle: `${random.pick(FIRST)}_${random.pick(SECOND)}${this.made}`,
      lang: random.chance(ENGLISH_SHARE) ? 'en' : random.pick(OTHER_LANGUAGES),
      followersAtStart: Math.min(
        FOLLOWERS_MAX,
        Math.floor(random.logNormal(followersMedian, followersSigma)),
      ),
      growthPerDay: random.between(0, GROWTH_MAX),
      following: Math.floor(random.between(...ranges.following)),
      createdAtMs: Math.floor(nowMs - random.between(...ranges.ageDays) * DAY_MS),
      postsPerDay: Math.round(random.between(...ranges.postsPerDay)),
    };
  }
}

/**
 * The account as its platform shows it. The number of followers changes at most once a minute, so
 * an account has one value per minute.
 */
export function shownAuthor(author: Author, startMs: number, timeMs: number): PostAuthor {
  const { id, handle, following, createdAtMs, postsPerDay } = author;
  const minutes = Math.floor(timeMs / MINUTE_MS) - Math.floor(startMs / MINUTE_MS);
  const growth = (author.growthPerDay * minutes * MINUTE_MS) / DAY_MS;
  const followers = Math.floor(author.followersAtStart * (1 + growth));
  return { id, handle, followers, following, createdAtMs, postsPerDay };
}

export function isBot({ kind }: Author): boolean {
  return kind === 'spammer' || kind === 'raider';
}
