import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Platform } from '../../model/social-post.ts';
import {
  type ListedPost,
  MINUTE_FIGURES,
  type MinuteFigure,
  type MinuteOrigin,
  type MinuteValue,
  type PostsPage,
  type PostsQuery,
  type SeriesQuery,
  type TrackedFigures,
} from '../../model/social-reads.ts';
import { MICRO, type MinuteSums } from '../../model/social-series.ts';
import type { Address } from '../../model/units.ts';
import { type MinuteRow, type PostRow, toMinuteSums, wordsOf } from './social-rows.ts';

interface TokenRow {
  readonly tracking_since_ms: number;
  readonly posts: number;
  readonly weight: number;
  readonly weighted: number;
  readonly sentiment: number;
  readonly reach: number;
  readonly last_updated_ms: number;
  readonly hour_at_ms: number;
  readonly hour_posts: number;
  readonly hour_sentiment: number;
  readonly hour_blast_radius: number;
  readonly polled_at_ms: number | null;
}

type ValueRow = readonly [minuteMs: number, value: number];
type ExplainedRow = readonly [...ValueRow, origin: string];

const TOKEN = 'token = (SELECT token FROM social_tokens WHERE mint = ?)';
const MINUTES = `social_minutes WHERE ${TOKEN} AND minute_ms >= ? AND minute_ms < ? ORDER BY minute_ms`;
/** Origin of a minute as one text; there are few distinct ones. */
const ORIGIN = "platforms || ';' || model_versions";
const VALUES: Readonly<Record<MinuteFigure, string>> = {
  weightedSentiment: 'CASE weight WHEN 0 THEN 0 ELSE CAST(weighted AS REAL) / weight END',
  sentiment: `CAST(sentiment AS REAL) / posts / ${MICRO}`,
  reach: 'reach',
  qualityReach: 'quality_reach',
  posts: 'posts',
  distinctPosts: 'distinct_posts',
};
/** Every order ends with the post number, so that pages never overlap. */
const ORDERS = {
  'created_at:asc': 'm.created_at_ms, m.post',
  'created_at:desc': 'm.created_at_ms DESC, m.post DESC',
  'followers_count:asc': 'm.followers, m.created_at_ms, m.post',
  'followers_count:desc': 'm.followers DESC, m.created_at_ms DESC, m.post DESC',
} as const;
const FILTERS = `m.${TOKEN} AND m.followers BETWEEN ? AND ? AND m.created_at_ms >= ? AND m.created_at_ms < ?`;

/** Reads posts and their figures, over a connection that may be read-only. */
export class SocialReader {
  private readonly figures: StatementSync;
  private readonly minutes: StatementSync;
  private readonly figureValues: ReadonlyMap<MinuteFigure, StatementSync>;
  private readonly explainedValues: ReadonlyMap<MinuteFigure, StatementSync>;
  private readonly count: StatementSync;
  private readonly pages: ReadonlyMap<string, StatementSync>;

  constructor(database: DatabaseSync) {
    this.figures = database.prepare(
      'SELECT *, (SELECT max(polled_at_ms) FROM social_polls) AS polled_at_ms ' +
        'FROM social_tokens WHERE mint = ?',
    );
    this.minutes = database.prepare(`SELECT * FROM ${MINUTES}`);
    this.figureValues = prepareValues(database, '');
    this.explainedValues = prepareValues(database, `, ${ORIGIN}`);
    this.count = database.prepare(
      `SELECT count(*) AS posts FROM social_mentions m WHERE ${FILTERS}`,
    );
    this.pages = new Map(
      Object.entries(ORDERS).map(([name, order]) => [
        name,
        database.prepare(
          'SELECT p.* FROM (SELECT m.post, m.created_at_ms, m.followers FROM social_mentions m ' +
            `WHERE ${FILTERS} ORDER BY ${order} LIMIT ? OFFSET ?) m JOIN social_posts p USING (post) ` +
            `ORDER BY ${order}`,
        ),
      ]),
    );
  }

  /** Null for a token whose posts are not collected. */
  tracked(mint: Address): TrackedFigures | null {
    const row = this.figures.get(mint) as unknown as TokenRow | undefined;
    if (row === undefined) return null;
    return {
      trackingSinceMs: row.tracking_since_ms,
      totals: {
        ...{ posts: row.posts, weightMicro: row.weight, weightedMicro: row.weighted },
        ...{ sentimentMicro: row.sentiment, reach: row.reach, lastUpdatedMs: row.last_updated_ms },
      },
      polledAtMs: row.polled_at_ms,
      hour: {
        ...{ atMs: row.hour_at_ms, posts: row.hour_posts, sentimentMicro: row.hour_sentiment },
        blastRadius: row.hour_blast_radius,
      },
    };
  }

  /** One figure for each minute with posts, oldest first. */
  values({ mint, fromMs, toMs, figure, isExplained }: SeriesQuery): MinuteValue[] {
    const statements = isExplained ? this.explainedValues : this.figureValues;
    const rows: unknown = statements.get(figure)?.all(mint, fromMs, toMs) ?? [];
    if (isExplained) return explained(rows as ExplainedRow[]);
    return (rows as ValueRow[]).map(([minuteMs, value]) => ({ minuteMs, value, origin: null }));
  }

  /** All sums for each minute with posts, oldest first. `toMs` is exclusive. */
  series(mint: Address, fromMs: number, toMs: number): MinuteSums[] {
    const rows = this.minutes.all(mint, fromMs, toMs) as unknown as MinuteRow[];
    return rows.map(toMinuteSums);
  }

  posts(query: PostsQuery): PostsPage {
    const filters = [
      ...[query.mint, query.minFollowers ?? 0, query.maxFollowers ?? Number.MAX_SAFE_INTEGER],
      ...[query.fromMs ?? 0, query.toMs ?? Number.MAX_SAFE_INTEGER],
    ];
    const total = Number(this.count.get(...filters)?.posts ?? 0);
    const page = this.pages.get(`${query.orderBy}:${query.orderDir}`);
    if (page === undefined || query.offset >= total) return { posts: [], total };
    const rows = page.all(...filters, query.limit, query.offset) as unknown as PostRow[];
    return { posts: rows.map(toListedPost), total };
  }
}

/**
 * Selects only the requested columns: a week has ten thousand minutes, and creating their texts
 * takes as long as everything else.
 */
function prepareValues(
  database: DatabaseSync,
  others: string,
): ReadonlyMap<MinuteFigure, StatementSync> {
  return new Map(
    MINUTE_FIGURES.map((figure) => {
      const values = database.prepare(
        `SELECT minute_ms, ${VALUES[figure]}${others} FROM ${MINUTES}`,
      );
      // Rows as objects take three times as long.
      values.setReturnArrays(true);
      return [figure, values];
    }),
  );
}

/** Minutes share equal origins: there are few, and allocating one per minute is slow. */
function explained(rows: readonly ExplainedRow[]): MinuteValue[] {
  const origins = new Map<string, MinuteOrigin>();
  return rows.map(([minuteMs, value, text]) => {
    let origin = origins.get(text);
    if (origin === undefined) {
      origin = toOrigin(text);
      origins.set(text, origin);
    }
    return { minuteMs, value, origin };
  });
}

function toOrigin(text: string): MinuteOrigin {
  const end = text.indexOf(';');
  return {
    platforms: wordsOf(text.slice(0, end)) as Platform[],
    modelVersions: wordsOf(text.slice(end + 1)),
  };
}

function toListedPost(row: PostRow): ListedPost {
  return {
    platform: row.platform,
    postId: row.post_id,
    authorId: row.author_id,
    authorHandle: row.author_handle,
    followers: row.followers,
    text: row.text,
    url: row.url,
    sentimentMicro: row.sentiment,
    modelVersion: row.model_version,
    createdAtMs: row.created_at_ms,
  };
}
