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
import { integer, nullable, wordsOf } from '../sqlite/kind.ts';
import { type Prepared, prepareAll, prepareReader, type RowReader } from '../sqlite/prepare-all.ts';
import { type RowOf, rowsOf, singleValue } from '../sqlite/table-row.ts';
import { SOCIAL_MINUTES, SOCIAL_POSTS, SOCIAL_TOKENS } from './social-rows.ts';

const FIGURES = SOCIAL_TOKENS.only('trackingSinceMs', 'totals', 'hour');
const LISTED = SOCIAL_POSTS.without(
  ...(['post', 'isDeleted', 'reposts', 'minuteMs'] as const),
  ...([
    'qualityMicro',
    'weightMicro',
    'copyNumber',
    'accountNumber',
    'boundedFollowers',
    'signature',
  ] as const),
);

type ValueRow = readonly [minuteMs: number, value: number];
type ExplainedRow = readonly [...ValueRow, origin: string];

const TOKEN = 'token = (SELECT token FROM social_tokens WHERE mint = ?)';
const OF_RANGE = `WHERE ${TOKEN} AND minute_ms >= ? AND minute_ms < ? ORDER BY minute_ms`;
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
/** 1 for posts of authors whose followers are unknown: they count as having none. */
const IS_UNREPORTED =
  '(m.followers = 0 AND (SELECT u.followers IS NULL FROM social_posts u WHERE u.post = m.post))';
/**
 * Unknown followers come last in both directions. Every order ends with the post number, so that
 * pages never overlap.
 */
const ORDERS = {
  'created_at:asc': 'm.created_at_ms, m.post',
  'created_at:desc': 'm.created_at_ms DESC, m.post DESC',
  'followers_count:asc': `${IS_UNREPORTED}, m.followers, m.created_at_ms, m.post`,
  'followers_count:desc': `m.followers DESC, ${IS_UNREPORTED}, m.created_at_ms DESC, m.post DESC`,
} as const;
const FILTERS = `m.${TOKEN} AND m.followers BETWEEN ? AND ? AND m.created_at_ms >= ? AND m.created_at_ms < ?`;

const STATEMENTS = {
  figures: rowsOf(
    { figures: FIGURES.kind, polledAtMs: nullable(integer) },
    `SELECT ${FIGURES.columns}, (SELECT max(polled_at_ms) FROM social_polls) ` +
      'FROM social_tokens WHERE mint = ?',
  ),
  minutes: SOCIAL_MINUTES.without('token').select(OF_RANGE),
  count: singleValue(integer, `SELECT count(*) FROM social_mentions m WHERE ${FILTERS}`),
};

/** Reads posts and their figures, over a connection that may be read-only. */
export class SocialReader {
  private readonly statements: Prepared<typeof STATEMENTS>;
  private readonly figureValues: ReadonlyMap<MinuteFigure, StatementSync>;
  private readonly explainedValues: ReadonlyMap<MinuteFigure, StatementSync>;
  private readonly pages: ReadonlyMap<string, RowReader<RowOf<typeof LISTED>>>;

  constructor(database: DatabaseSync) {
    this.statements = prepareAll(database, STATEMENTS);
    this.figureValues = prepareValues(database, '');
    this.explainedValues = prepareValues(database, `, ${ORIGIN}`);
    this.pages = new Map(
      Object.entries(ORDERS).map(([name, order]) => [name, preparePage(database, order)]),
    );
  }

  /** Null for a token whose posts are not collected. */
  tracked(mint: Address): TrackedFigures | null {
    const row = this.statements.figures.get(mint);
    return row === null ? null : { ...row.figures, polledAtMs: row.polledAtMs };
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
    return this.statements.minutes.all(mint, fromMs, toMs);
  }

  posts(query: PostsQuery): PostsPage {
    const filters = [
      ...[query.mint, query.minFollowers ?? 0, query.maxFollowers ?? Number.MAX_SAFE_INTEGER],
      ...[query.fromMs ?? 0, query.toMs ?? Number.MAX_SAFE_INTEGER],
    ];
    const total = this.statements.count.get(...filters) ?? 0;
    const page = this.pages.get(`${query.orderBy}:${query.orderDir}`);
    if (page === undefined || query.offset >= total) return { posts: [], total };
    return { posts: page.all(...filters, query.limit, query.offset).map(toListedPost), total };
  }
}

function preparePage(database: DatabaseSync, order: string): RowReader<RowOf<typeof LISTED>> {
  const listed = LISTED.query(
    `SELECT ${LISTED.columnsOf('p')} FROM ` +
      '(SELECT m.post, m.created_at_ms, m.followers FROM social_mentions m ' +
      `WHERE ${FILTERS} ORDER BY ${order} LIMIT ? OFFSET ?) m JOIN social_posts p USING (post) ` +
      `ORDER BY ${order}`,
  );
  return prepareReader(database, listed);
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
        `SELECT minute_ms, ${VALUES[figure]}${others} FROM social_minutes ${OF_RANGE}`,
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
    platforms: wordsOf(text.slice(0, end), ',') as Platform[],
    modelVersions: wordsOf(text.slice(end + 1), ','),
  };
}

function toListedPost({ reportedFollowers, ...post }: RowOf<typeof LISTED>): ListedPost {
  return { ...post, followers: reportedFollowers };
}
