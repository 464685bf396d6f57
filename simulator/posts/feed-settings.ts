/** The volume of a feed. */
export interface FeedSettings {
  /** Factor on all opinions about tokens. */
  readonly chatter: number;
  readonly offTopicPerMinute: number;
  /** Maximum posts per minute about one token, excluding raids, and in total. */
  readonly tokenPostsPerMinuteMax: number;
  readonly postsPerMinuteMax: number;
  /** Copies of a raid's text, and the probability of a raid after a migration. */
  readonly raidPosts: number;
  readonly raidChance: number;
  readonly raidsAtOnceMax: number;
  /** Shares of posts. */
  readonly hostileShare: number;
  readonly editShare: number;
  readonly deleteShare: number;
}

export const FEED_SETTINGS: FeedSettings = {
  chatter: 1,
  offTopicPerMinute: 4,
  tokenPostsPerMinuteMax: 120,
  postsPerMinuteMax: 2_000,
  raidPosts: 500,
  raidChance: 0.25,
  raidsAtOnceMax: 3,
  hostileShare: 0.005,
  editShare: 0.02,
  deleteShare: 0.02,
};
