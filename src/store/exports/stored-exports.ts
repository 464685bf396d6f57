import type { AsOf } from '../../model/as-of.ts';
import { ApiError } from '../../model/errors.ts';
import type {
  ExportBeginning,
  ExportFormat,
  ExportKind,
  ExportPoint,
  ExportPortion,
  ExportQuery,
  PortionQuery,
} from '../../model/export.ts';
import type { Classification } from '../../model/fraud.ts';
import {
  isPublished,
  PUBLISHED_CONFIDENCE_MIN,
  type ReviewStatus,
  statusOf,
} from '../../model/fraud-review.ts';
import { asSlot } from '../../model/units.ts';
import { numeric, orNull } from '../sql/columns.ts';
import { EpochReads } from '../sql/epoch-reads.ts';
import type { Lane } from '../sql/lane.ts';
import { IS_VISIBLE, type VisibleRows } from '../sql/visible-epoch.ts';
import { classificationTable } from '../tables/classification-tables.ts';
import { exportTableOf } from './export-tables.ts';
import { FINDING_COLUMN_NAMES, findingLines, findingsFile } from './finding-rows.ts';
import { portionSql } from './portion-sql.ts';

/**
 * Rows of one portion: some ten megabytes of trades, since a query has a cost of its own. For Parquet
 * they are also a group of rows, which readers want large.
 */
const PORTION_ROWS_MAX: Readonly<Record<ExportFormat, number>> = { csv: 32_768, parquet: 65_536 };
/** Findings that a portion reads: a record may have some hundred kilobytes. */
const FINDINGS_PER_PORTION = 100;

const toBlockTime = orNull(numeric('block_time_ms')).reader();
const LINE_FEED = 10;
const decoder = new TextDecoder();
/** Numbers before the position in the first line of a portion. */
const HEAD_NUMBERS = 3;

export interface ExportOptions {
  /** The status of the last review of a finding; null when there is none. */
  readonly reviewOf: (classificationId: string) => ReviewStatus | null;
  readonly portionRowsMax?: number;
}

/**
 * Whole tables as CSV or Parquet, in portions that the caller continues by position, so that nothing is open
 * between two of them. Stored rows are final.
 */
export class StoredExports {
  private readonly reads: EpochReads<VisibleRows>;
  private readonly lane: Lane;
  private readonly reviewOf: ExportOptions['reviewOf'];
  private readonly rowsMax: ExportOptions['portionRowsMax'];

  constructor(lane: Lane, visible: VisibleRows, options: ExportOptions) {
    this.reads = new EpochReads(lane, visible);
    this.lane = lane;
    this.reviewOf = options.reviewOf;
    this.rowsMax = options.portionRowsMax;
  }

  /** The point of an export that begins now, null before the first stored slot, and its columns. */
  async begin(query: ExportQuery): Promise<AsOf<ExportBeginning>> {
    const { slot, epoch } = this.reads.visible;
    const { kind } = query;
    const columns =
      kind === 'findings'
        ? FINDING_COLUMN_NAMES
        : exportTableOf(kind, query).columns.map(({ name }) => name);
    const empty = query.format === 'parquet' ? await this.emptyFile(query) : null;
    if (slot === null) return { slot, timeMs: null, data: { point: null, columns, empty } };
    const [row] = await this.lane.rows<{ block_time_ms: string | null }>(
      'SELECT block_time_ms FROM slot_log FINAL WHERE slot = {slot:UInt64}',
      { slot },
    );
    const timeMs = row === undefined ? null : toBlockTime(row);
    return { slot, timeMs, data: { point: { throughSlot: slot, epoch }, columns, empty } };
  }

  /**
   * The rows after a position. Rejects with ApiError 503 if the rows have been computed anew since the
   * export began.
   */
  async portion(query: PortionQuery): Promise<ExportPortion> {
    this.assertSame(query);
    const portion =
      query.kind === 'findings'
        ? await this.ofFindings(query)
        : await this.ofTable(query.kind, query);
    this.assertSame(query);
    return portion;
  }

  private assertSame({ epoch }: ExportPoint): void {
    if (this.reads.visible.epoch !== epoch) throw new ApiError(503, RECOMPUTED);
  }

  /** A Parquet file with the columns of an export. */
  private async emptyFile(query: ExportQuery): Promise<Uint8Array> {
    const { kind } = query;
    if (kind === 'findings') return findingsFile([]);
    const nothing = { ...query, throughSlot: asSlot(0), epoch: 0, after: null };
    const { parquet, params } = portionSql(exportTableOf(kind, query), nothing, 0);
    return await this.reads.bytes(parquet, params, 'Parquet');
  }

  private async ofTable(
    kind: Exclude<ExportKind, 'findings'>,
    query: PortionQuery,
  ): Promise<ExportPortion> {
    const table = exportTableOf(kind, query);
    const isCsv = query.format === 'csv';
    const rowsMax = this.rowsMaxOf(query);
    const { params, ...sql } = portionSql(table, query, rowsMax);
    const bytes = await this.reads.bytes(isCsv ? sql.csv : sql.head, params);
    const end = bytes.indexOf(LINE_FEED);
    const head = JSON.parse(decoder.decode(bytes.subarray(0, end))) as readonly string[];
    const [rows, firstSlot, lastSlot] = head.map(Number) as [number, number, number];
    if (rows === 0) return NO_ROWS;
    return {
      bytes: isCsv
        ? bytes.subarray(end + 1)
        : await this.reads.bytes(sql.parquet, params, 'Parquet'),
      rows,
      firstSlot: asSlot(firstSlot),
      lastSlot: asSlot(lastSlot),
      next: rows < rowsMax ? null : head.slice(HEAD_NUMBERS),
    };
  }

  /**
   * The newest version up to the point of each finding, as published by fraud checks. Those of a pool
   * are among those of its token.
   */
  private async ofFindings(query: PortionQuery): Promise<ExportPortion> {
    const { mint, pool, after, throughSlot } = query;
    const rowsMax = Math.min(FINDINGS_PER_PORTION, this.rowsMaxOf(query));
    const found = await this.reads.all(
      newestVersions({
        isOfMint: mint !== null,
        isOfPool: pool !== null,
        isContinued: after !== null,
      }),
      classificationTable.read,
      {
        lastSlot: throughSlot,
        rowsMax,
        confidenceMin: PUBLISHED_CONFIDENCE_MIN,
        ...(mint === null ? {} : { mint }),
        ...(pool === null ? {} : { pool }),
        ...(after === null ? {} : { after0: after[0] ?? '', after1: after[1] ?? '' }),
      },
    );
    const listed = found
      .map((classification) => this.judged(classification))
      .filter((judged) => isPublished(judged) && isExported(judged.classification, query));
    const slots = listed.map(({ classification }) => classification.slot).sort((a, b) => a - b);
    const last = found.at(-1);
    return {
      bytes: query.format === 'csv' ? findingLines(listed) : findingsFile(listed),
      rows: listed.length,
      firstSlot: slots[0] ?? null,
      lastSlot: slots.at(-1) ?? null,
      next: last === undefined || found.length < rowsMax ? null : [last.finding.mint, last.id],
    };
  }

  private rowsMaxOf({ format }: ExportQuery): number {
    return this.rowsMax ?? PORTION_ROWS_MAX[format];
  }

  private judged(classification: Classification) {
    const review = this.reviewOf(classification.id);
    return { classification, status: statusOf(classification.state, review) };
  }
}

function isExported(
  { createdMs, finding }: Classification,
  { fromMs, toMs, pool }: PortionQuery,
): boolean {
  return createdMs >= fromMs && createdMs < toMs && (pool === null || finding.pool === pool);
}

interface FindingConditions {
  readonly isOfMint: boolean;
  readonly isOfPool: boolean;
  readonly isContinued: boolean;
}

function newestVersions({ isOfMint, isOfPool, isContinued }: FindingConditions): string {
  const conditions = [
    `${IS_VISIBLE} AND slot <= {lastSlot:UInt64}`,
    ...(isOfMint ? ['mint = {mint:String}'] : []),
    ...(isOfPool ? [OF_TOKEN_OF_POOL] : []),
    ...(isContinued
      ? ['mint >= {after0:String}', '(mint, id) > ({after0:String}, {after1:String})']
      : []),
  ];
  // The records are large: those of one portion are read only.
  return `SELECT record
FROM classifications FINAL
WHERE ${IS_VISIBLE} AND (mint, id, slot) IN (
  SELECT mint, id, max(slot) AS newest
  FROM classifications FINAL
  WHERE ${conditions.join(' AND ')}
  GROUP BY mint, id
  HAVING argMax(confidence, slot) >= {confidenceMin:Float64}
  ORDER BY mint, id
  LIMIT {rowsMax:UInt32})
ORDER BY mint, id`;
}

const OF_TOKEN_OF_POOL = `mint IN (
    SELECT base_mint FROM pools WHERE ${IS_VISIBLE} AND pool = {pool:String})`;

const NO_ROWS: ExportPortion = {
  bytes: new Uint8Array(),
  rows: 0,
  firstSlot: null,
  lastSlot: null,
  next: null,
};

const RECOMPUTED = 'The exported rows were computed anew meanwhile: start the export again.';
