import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Platform, TrackedToken } from '../../model/social-post.ts';
import {
  type AuthorName,
  type CountedPost,
  type HourFigures,
  type MinuteSums,
  POSTS_OF_MINUTE_MAX,
  type SocialArchive,
  type SocialTotals,
  type StoredPost,
  type TokenAuthor,
} from '../../model/social-series.ts';
import type { Address } from '../../model/units.ts';
import { inOffchainTransaction } from './offchain-plane.ts';
import {
  COUNTED_COLUMNS,
  type PostRow,
  RECENT_COLUMNS,
  type RecentPost,
  toCountedPost,
  toRecentPost,
  toStoredPost,
} from './social-rows.ts';

/** Maximum posts used for the figures of an hour, the newest ones. */
const POSTS_OF_HOUR_MAX = 20_000;

interface TokenRow {
  readonly token: number;
  readonly mint: Address;
  readonly tracking_since_ms: number;
  readonly symbol: string | null;
  readonly is_liquid: number;
  readonly official_links: string;
  readonly posts: number;
  readonly weight: number;
  readonly weighted: number;
  readonly sentiment: number;
  readonly reach: number;
  readonly last_updated_ms: number;
}

/** Posts and sums in the database of off-chain data. Only one thread writes it. */
export class SocialStore implements SocialArchive {
  private readonly database: DatabaseSync;
  private readonly statements: ReturnType<typeof prepareStatements>;
  private readonly tokenIds = new Map<Address, number>();

  constructor(database: DatabaseSync) {
    this.database = database;
    this.statements = prepareStatements(database);
  }

  /** Runs the work in one transaction. Throws StoreError when the database refuses. */
  inTransaction<Result>(work: () => Result): Result {
    return inOffchainTransaction(this.database, work);
  }

  /** Tokens whose posts are collected, the longest tracked first. */
  tracked(): TrackedToken[] {
    const rows = this.statements.allTokens.all() as unknown as TokenRow[];
    return rows.map((row) => ({
      mint: row.mint,
      trackingSinceMs: row.tracking_since_ms,
      symbol: row.symbol,
      isLiquid: row.is_liquid === 1,
      officialLinks: JSON.parse(row.official_links),
    }));
  }

  /** Starts tracking a token. Tracking that already began keeps its start. */
  track({ mint, trackingSinceMs, symbol, isLiquid, officialLinks }: TrackedToken, nowMs: number) {
    const links = JSON.stringify(officialLinks);
    this.statements.track.run(mint, trackingSinceMs, symbol, isLiquid ? 1 : 0, links, nowMs);
  }

  post(platform: Platform, postId: string): StoredPost | null {
    const row = this.statements.post.get(platform, postId) as unknown as PostRow | undefined;
    if (row === undefined) return null;
    const mints = this.statements.mintsOfPost.all(row.post).map(({ mint }) => mint as Address);
    return toStoredPost(row, mints);
  }

  add(post: StoredPost): void {
    const { lastInsertRowid } = this.statements.addPost.run(
      ...[post.platform, post.postId, 0, post.authorId, post.authorHandle, post.reportedFollowers],
      ...[post.text, post.url, post.reposts, post.createdAtMs, post.minuteMs],
      ...[post.sentimentMicro, post.qualityMicro, post.weightMicro, post.copyNumber],
      ...[post.simHash?.high ?? null, post.simHash?.low ?? null, post.modelVersion],
    );
    for (const mint of post.mints) {
      this.statements.addMention.run(
        ...[this.idOf(mint), lastInsertRowid, post.createdAtMs, post.minuteMs, post.followers],
        authorText(post),
      );
    }
  }

  edit({ platform, postId, text, reposts, sentimentMicro, modelVersion }: StoredPost): void {
    this.statements.editPost.run(text, reposts, sentimentMicro, modelVersion, platform, postId);
  }

  remove({ platform, postId }: StoredPost): void {
    const row = this.statements.post.get(platform, postId);
    if (row === undefined) return;
    this.statements.removeMentions.run(row.post as number);
    this.statements.emptyPost.run(row.post as number);
  }

  postsOfMinute(mint: Address, minuteMs: number): CountedPost[] {
    const rows = this.statements.ofMinute.all(this.idOf(mint), minuteMs, POSTS_OF_MINUTE_MAX);
    return (rows as unknown as PostRow[]).map(toCountedPost);
  }

  postsSince(mint: Address, sinceMs: number): CountedPost[] {
    const rows = this.statements.since.all(this.idOf(mint), sinceMs, POSTS_OF_HOUR_MAX);
    return (rows as unknown as PostRow[]).map(toCountedPost);
  }

  newestOf(mint: Address, author: AuthorName): CountedPost | null {
    const row = this.statements.newest.get(this.idOf(mint), authorText(author));
    return row === undefined ? null : toCountedPost(row as unknown as PostRow);
  }

  author(mint: Address, name: AuthorName): TokenAuthor | null {
    const row = this.statements.author.get(this.idOf(mint), authorText(name));
    if (row === undefined) return null;
    return {
      followers: row.followers as number,
      latestMs: row.latest_ms as number,
      latestPostId: row.latest_post_id as string,
      posts: row.posts as number,
    };
  }

  writeAuthor(mint: Address, name: AuthorName, author: TokenAuthor | null): void {
    const [token, text] = [this.idOf(mint), authorText(name)];
    if (author === null) {
      this.statements.removeAuthor.run(token, text);
      return;
    }
    const { followers, latestMs, latestPostId, posts } = author;
    this.statements.putAuthor.run(token, text, followers, latestMs, latestPostId, posts);
  }

  totals(mint: Address): SocialTotals {
    const row = this.statements.token.get(this.idOf(mint)) as unknown as TokenRow;
    return {
      ...{ posts: row.posts, weightMicro: row.weight, weightedMicro: row.weighted },
      ...{ sentimentMicro: row.sentiment, reach: row.reach, lastUpdatedMs: row.last_updated_ms },
    };
  }

  writeTotals(mint: Address, totals: SocialTotals): void {
    this.statements.putTotals.run(
      ...[totals.posts, totals.weightMicro, totals.weightedMicro, totals.sentimentMicro],
      ...[totals.reach, totals.lastUpdatedMs, this.idOf(mint)],
    );
  }

  writeMinute(mint: Address, sums: MinuteSums): void {
    const token = this.idOf(mint);
    if (sums.posts === 0) {
      this.statements.removeMinute.run(token, sums.minuteMs);
      return;
    }
    this.statements.putMinute.run(
      ...[token, sums.minuteMs, sums.posts, sums.distinctPosts, sums.weightMicro],
      ...[sums.weightedMicro, sums.sentimentMicro, sums.reach, sums.qualityReach],
      ...[sums.platforms.join(','), sums.modelVersions.join(',')],
    );
  }

  writeHour(mint: Address, { atMs, posts, sentimentMicro, blastRadius }: HourFigures): void {
    this.statements.putHour.run(atMs, posts, sentimentMicro, blastRadius, this.idOf(mint));
  }

  mintsWithRecentPosts(limit: number): Address[] {
    return this.statements.mintsWithRecentPosts.all(limit).map(({ mint }) => mint as Address);
  }

  /** The newest `limit` posts created after a time, also deleted ones, in order of arrival. */
  recent(sinceMs: number, limit: number): RecentPost[] {
    const rows = this.statements.recent.all(sinceMs, limit) as unknown as PostRow[];
    return rows.sort((one, other) => one.post - other.post).map(toRecentPost);
  }

  /** Removes the fields of deleted posts that identify copies, and keeps their ids. */
  forgetDeleted(beforeMs: number): void {
    this.statements.forgetDeleted.run(beforeMs);
  }

  /** Removes up to `limit` posts created before a time, not their sums. Returns how many. */
  prune(beforeMs: number, limit: number): number {
    const rows = this.statements.oldest.all(beforeMs, limit);
    for (const { post } of rows) {
      this.statements.removeMentions.run(post as number);
      this.statements.dropPost.run(post as number);
    }
    return rows.length;
  }

  cursor(name: string): string | null {
    return (this.statements.cursor.get(name)?.value as string | undefined) ?? null;
  }

  writeCursor(name: string, value: string): void {
    this.statements.putCursor.run(name, value);
  }

  polled(platform: Platform, nowMs: number): void {
    this.statements.putPoll.run(platform, nowMs);
  }

  /** The row id of a tracked token. Throws RangeError for a token that is not tracked. */
  private idOf(mint: Address): number {
    const known = this.tokenIds.get(mint);
    if (known !== undefined) return known;
    const row = this.statements.tokenByMint.get(mint);
    if (row === undefined) throw new RangeError(`${mint} is not tracked`);
    this.tokenIds.set(mint, row.token as number);
    return row.token as number;
  }
}

function authorText({ platform, authorId }: AuthorName): string {
  return `${platform}/${authorId}`;
}

function prepareStatements(database: DatabaseSync): Readonly<Record<StatementName, StatementSync>> {
  const prepared = Object.entries(STATEMENTS).map(([name, sql]) => [name, database.prepare(sql)]);
  return Object.fromEntries(prepared);
}

type StatementName = keyof typeof STATEMENTS;

const MENTIONED = `SELECT ${COUNTED_COLUMNS} FROM social_mentions m JOIN social_posts p USING (post)`;

const STATEMENTS = {
  allTokens: 'SELECT * FROM social_tokens ORDER BY token',
  token: 'SELECT * FROM social_tokens WHERE token = ?',
  tokenByMint: 'SELECT token FROM social_tokens WHERE mint = ?',
  track:
    'INSERT INTO social_tokens (mint, tracking_since_ms, symbol, is_liquid, official_links, ' +
    'last_updated_ms) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (mint) DO UPDATE SET ' +
    'symbol = excluded.symbol, is_liquid = excluded.is_liquid, ' +
    'official_links = excluded.official_links',
  post: 'SELECT * FROM social_posts WHERE platform = ? AND post_id = ?',
  mintsOfPost:
    'SELECT t.mint FROM social_mentions m JOIN social_tokens t USING (token) WHERE m.post = ?',
  addPost:
    'INSERT INTO social_posts (platform, post_id, is_deleted, author_id, author_handle, followers, ' +
    'text, url, reposts, created_at_ms, minute_ms, sentiment, quality, weight, place, hash_high, ' +
    'hash_low, model_version) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  addMention: 'INSERT INTO social_mentions VALUES (?, ?, ?, ?, ?, ?)',
  editPost:
    'UPDATE social_posts SET text = ?, reposts = ?, sentiment = ?, model_version = ? ' +
    'WHERE platform = ? AND post_id = ?',
  removeMentions: 'DELETE FROM social_mentions WHERE post = ?',
  emptyPost:
    'UPDATE social_posts SET is_deleted = 1, author_handle = NULL, followers = NULL, ' +
    "text = '', url = NULL WHERE post = ?",
  forgetDeleted:
    "UPDATE social_posts SET author_id = '', hash_high = NULL, hash_low = NULL " +
    "WHERE is_deleted = 1 AND author_id <> '' AND created_at_ms < ?",
  dropPost: 'DELETE FROM social_posts WHERE post = ?',
  ofMinute: `${MENTIONED} WHERE m.token = ? AND m.minute_ms = ? ORDER BY m.created_at_ms, p.post_id LIMIT ?`,
  since:
    `${MENTIONED} WHERE m.token = ? AND m.created_at_ms > ? AND m.minute_ms IS NOT NULL ` +
    'ORDER BY m.created_at_ms DESC LIMIT ?',
  newest:
    `${MENTIONED} WHERE m.token = ? AND m.author = ? ` +
    'ORDER BY m.created_at_ms DESC, p.post_id DESC LIMIT 1',
  author: 'SELECT * FROM social_authors WHERE token = ? AND author = ?',
  putAuthor: 'INSERT OR REPLACE INTO social_authors VALUES (?, ?, ?, ?, ?, ?)',
  removeAuthor: 'DELETE FROM social_authors WHERE token = ? AND author = ?',
  putTotals:
    'UPDATE social_tokens SET posts = ?, weight = ?, weighted = ?, sentiment = ?, reach = ?, ' +
    'last_updated_ms = ? WHERE token = ?',
  putMinute: 'INSERT OR REPLACE INTO social_minutes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  removeMinute: 'DELETE FROM social_minutes WHERE token = ? AND minute_ms = ?',
  putHour:
    'UPDATE social_tokens SET hour_at_ms = ?, hour_posts = ?, hour_sentiment = ?, ' +
    'hour_blast_radius = ? WHERE token = ?',
  mintsWithRecentPosts:
    'SELECT mint FROM social_tokens WHERE hour_posts > 0 ORDER BY hour_at_ms LIMIT ?',
  recent: `SELECT ${RECENT_COLUMNS} FROM social_posts WHERE created_at_ms > ? ORDER BY created_at_ms DESC LIMIT ?`,
  oldest: 'SELECT post FROM social_posts WHERE created_at_ms < ? ORDER BY created_at_ms LIMIT ?',
  cursor: 'SELECT value FROM social_cursors WHERE name = ?',
  putCursor: 'INSERT OR REPLACE INTO social_cursors VALUES (?, ?)',
  putPoll: 'INSERT OR REPLACE INTO social_polls VALUES (?, ?)',
} as const;
