import type { DatabaseSync } from 'node:sqlite';
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
import { address, integer } from '../sqlite/kind.ts';
import { NamedValues } from '../sqlite/named-values.ts';
import { type Prepared, prepareAll } from '../sqlite/prepare-all.ts';
import { singleValue } from '../sqlite/table-row.ts';
import { inOffchainTransaction } from './offchain-plane.ts';
import {
  COUNTED,
  SOCIAL_AUTHORS,
  SOCIAL_CURSORS,
  SOCIAL_MENTIONS,
  SOCIAL_MINUTES,
  SOCIAL_POLLS,
  SOCIAL_POSTS,
  SOCIAL_TOKENS,
  toCountedPost,
} from './social-rows.ts';

/** The fields of a post that identify copies of it, without its text. */
export type RecentPost = Pick<
  StoredPost,
  'platform' | 'authorId' | 'createdAtMs' | 'copyNumber' | 'reportedFollowers' | 'signature'
>;

/** Maximum posts used for the figures of an hour, the newest ones. */
const POSTS_OF_HOUR_MAX = 20_000;

const TRACKED = SOCIAL_TOKENS.without('token', 'totals', 'hour');
const TOTALS = SOCIAL_TOKENS.only('totals');
const RECENT = SOCIAL_POSTS.only(
  'post',
  'platform',
  'authorId',
  'createdAtMs',
  'copyNumber',
  'reportedFollowers',
  'signature',
);
const EDITED = SOCIAL_POSTS.only('text', 'reposts', 'sentimentMicro', 'modelVersion');
/** The posts that mention a token. */
const counted = (rest: string) =>
  COUNTED.query(
    `SELECT ${COUNTED.columnsOf('p')} FROM social_mentions m JOIN social_posts p USING (post) ${rest}`,
  );

const STATEMENTS = {
  allTokens: TRACKED.select('ORDER BY token'),
  totals: TOTALS.select('WHERE token = ?'),
  tokenByMint: SOCIAL_TOKENS.only('token').select('WHERE mint = ?'),
  track: SOCIAL_TOKENS.without('token').insert(
    'ON CONFLICT (mint) DO UPDATE SET symbol = excluded.symbol, is_liquid = excluded.is_liquid, ' +
      'official_links = excluded.official_links',
  ),
  post: SOCIAL_POSTS.select('WHERE platform = ? AND post_id = ?'),
  mintsOfPost: singleValue(
    address,
    'SELECT t.mint FROM social_mentions m JOIN social_tokens t USING (token) WHERE m.post = ?',
  ),
  addPost: SOCIAL_POSTS.without('post').insert(),
  addMention: SOCIAL_MENTIONS.insert(),
  editPost: EDITED.update('WHERE platform = ? AND post_id = ?'),
  removeMentions: 'DELETE FROM social_mentions WHERE post = ?',
  emptyPost:
    'UPDATE social_posts SET is_deleted = 1, author_handle = NULL, followers = NULL, ' +
    "text = '', url = NULL WHERE post = ?",
  forgetDeleted:
    "UPDATE social_posts SET author_id = '', signature = NULL " +
    "WHERE is_deleted = 1 AND author_id <> '' AND created_at_ms < ?",
  dropPost: 'DELETE FROM social_posts WHERE post = ?',
  ofMinute: counted(
    'WHERE m.token = ? AND m.minute_ms = ? ORDER BY m.created_at_ms, p.post_id LIMIT ?',
  ),
  since: counted(
    'WHERE m.token = ? AND m.created_at_ms > ? AND m.minute_ms IS NOT NULL ' +
      'ORDER BY m.created_at_ms DESC LIMIT ?',
  ),
  newest: counted(
    'WHERE m.token = ? AND m.author = ? ORDER BY m.created_at_ms DESC, p.post_id DESC LIMIT 1',
  ),
  countOfAuthor: singleValue(
    integer,
    'SELECT count(*) FROM social_mentions WHERE token = ? AND author = ? ' +
      'AND created_at_ms >= ? AND created_at_ms < ?',
  ),
  author: SOCIAL_AUTHORS.without('token', 'author').select('WHERE token = ? AND author = ?'),
  putAuthor: SOCIAL_AUTHORS.insertOrReplace(),
  removeAuthor: 'DELETE FROM social_authors WHERE token = ? AND author = ?',
  putTotals: TOTALS.update('WHERE token = ?'),
  putMinute: SOCIAL_MINUTES.insertOrReplace(),
  removeMinute: 'DELETE FROM social_minutes WHERE token = ? AND minute_ms = ?',
  putHour: SOCIAL_TOKENS.only('hour').update('WHERE token = ?'),
  mintsWithRecentPosts: singleValue(
    address,
    'SELECT mint FROM social_tokens WHERE hour_posts > 0 ORDER BY hour_at_ms LIMIT ?',
  ),
  recent: RECENT.select('WHERE created_at_ms > ? ORDER BY created_at_ms DESC LIMIT ?'),
  oldest: singleValue(
    integer,
    'SELECT post FROM social_posts WHERE created_at_ms < ? ORDER BY created_at_ms LIMIT ?',
  ),
  putPoll: SOCIAL_POLLS.insertOrReplace(),
};

/** Posts and sums in the database of off-chain data. Only one thread writes it. */
export class SocialStore implements SocialArchive {
  private readonly database: DatabaseSync;
  private readonly statements: Prepared<typeof STATEMENTS>;
  private readonly cursors: NamedValues<string>;
  private readonly tokenIds = new Map<Address, number>();

  constructor(database: DatabaseSync) {
    this.database = database;
    this.statements = prepareAll(database, STATEMENTS);
    this.cursors = new NamedValues(database, SOCIAL_CURSORS);
  }

  /** Runs the work in one transaction. Throws StoreError when the database refuses. */
  inTransaction<Result>(work: () => Result): Result {
    return inOffchainTransaction(this.database, work);
  }

  /** Tokens whose posts are collected, the longest tracked first. */
  tracked(): TrackedToken[] {
    return this.statements.allTokens.all();
  }

  /** Starts tracking a token. Tracking that already began keeps its start. */
  track(token: TrackedToken, nowMs: number): void {
    const totals = { ...NO_TOTALS, lastUpdatedMs: nowMs };
    this.statements.track.run({ ...token, totals, hour: NO_HOUR });
  }

  post(platform: Platform, postId: string): StoredPost | null {
    const row = this.statements.post.get(platform, postId);
    if (row === null) return null;
    const { post, ...stored } = row;
    const mints = this.statements.mintsOfPost.all(post);
    return { ...stored, followers: stored.reportedFollowers ?? 0, mints };
  }

  add(post: StoredPost): void {
    const { createdAtMs, minuteMs, followers } = post;
    const { lastInsertRowid } = this.statements.addPost.run({ ...post, isDeleted: false });
    const mention = { post: Number(lastInsertRowid), createdAtMs, minuteMs, followers };
    const author = authorText(post);
    for (const mint of post.mints) {
      this.statements.addMention.run({ token: this.idOf(mint), ...mention, author });
    }
  }

  edit(post: StoredPost): void {
    this.statements.editPost.run(post, post.platform, post.postId);
  }

  remove({ platform, postId }: StoredPost): void {
    const row = this.statements.post.get(platform, postId);
    if (row === null) return;
    this.statements.removeMentions.run(row.post);
    this.statements.emptyPost.run(row.post);
  }

  postsOfMinute(mint: Address, minuteMs: number): CountedPost[] {
    const rows = this.statements.ofMinute.all(this.idOf(mint), minuteMs, POSTS_OF_MINUTE_MAX);
    return rows.map(toCountedPost);
  }

  postsSince(mint: Address, sinceMs: number): CountedPost[] {
    const rows = this.statements.since.all(this.idOf(mint), sinceMs, POSTS_OF_HOUR_MAX);
    return rows.map(toCountedPost);
  }

  newestOf(mint: Address, author: AuthorName): CountedPost | null {
    const row = this.statements.newest.get(this.idOf(mint), authorText(author));
    return row === null ? null : toCountedPost(row);
  }

  countOfAuthor(mint: Address, author: AuthorName, fromMs: number, untilMs: number): number {
    const [token, text] = [this.idOf(mint), authorText(author)];
    return this.statements.countOfAuthor.get(token, text, fromMs, untilMs) ?? 0;
  }

  author(mint: Address, name: AuthorName): TokenAuthor | null {
    return this.statements.author.get(this.idOf(mint), authorText(name));
  }

  writeAuthor(mint: Address, name: AuthorName, author: TokenAuthor | null): void {
    const [token, text] = [this.idOf(mint), authorText(name)];
    if (author === null) {
      this.statements.removeAuthor.run(token, text);
      return;
    }
    this.statements.putAuthor.run({ ...author, token, author: text });
  }

  totals(mint: Address): SocialTotals {
    const row = this.statements.totals.get(this.idOf(mint));
    if (row === null) throw new RangeError(`${mint} is not tracked`);
    return row.totals;
  }

  writeTotals(mint: Address, totals: SocialTotals): void {
    this.statements.putTotals.run({ totals }, this.idOf(mint));
  }

  writeMinute(mint: Address, sums: MinuteSums): void {
    const token = this.idOf(mint);
    if (sums.posts === 0) this.statements.removeMinute.run(token, sums.minuteMs);
    else this.statements.putMinute.run({ ...sums, token });
  }

  writeHour(mint: Address, hour: HourFigures): void {
    this.statements.putHour.run({ hour }, this.idOf(mint));
  }

  mintsWithRecentPosts(limit: number): Address[] {
    return this.statements.mintsWithRecentPosts.all(limit);
  }

  /** The newest `limit` posts created after a time, also deleted ones, in order of arrival. */
  recent(sinceMs: number, limit: number): RecentPost[] {
    const rows = this.statements.recent.all(sinceMs, limit);
    return rows.sort((one, other) => one.post - other.post).map(({ post, ...recent }) => recent);
  }

  /** Removes the fields of deleted posts that identify copies, and keeps their ids. */
  forgetDeleted(beforeMs: number): void {
    this.statements.forgetDeleted.run(beforeMs);
  }

  /** Removes up to `limit` posts created before a time, not their sums. Returns how many. */
  prune(beforeMs: number, limit: number): number {
    const posts = this.statements.oldest.all(beforeMs, limit);
    for (const post of posts) {
      this.statements.removeMentions.run(post);
      this.statements.dropPost.run(post);
    }
    return posts.length;
  }

  cursor(name: string): string | null {
    return this.cursors.read(name);
  }

  writeCursor(name: string, value: string): void {
    this.cursors.write(name, value);
  }

  polled(platform: Platform, polledAtMs: number): void {
    this.statements.putPoll.run({ platform, polledAtMs });
  }

  /** The row id of a tracked token. Throws RangeError for a token that is not tracked. */
  private idOf(mint: Address): number {
    const known = this.tokenIds.get(mint);
    if (known !== undefined) return known;
    const row = this.statements.tokenByMint.get(mint);
    if (row === null) throw new RangeError(`${mint} is not tracked`);
    this.tokenIds.set(mint, row.token);
    return row.token;
  }
}

const NO_TOTALS = { posts: 0, weightMicro: 0, weightedMicro: 0, sentimentMicro: 0, reach: 0 };
const NO_HOUR: HourFigures = { atMs: 0, posts: 0, sentimentMicro: 0, blastRadius: 0 };

function authorText({ platform, authorId }: AuthorName): string {
  return `${platform}/${authorId}`;
}
