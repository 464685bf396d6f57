import type { FindingPosition, FindingRange } from '../../model/finding-page.ts';
import type { Classification } from '../../model/fraud.ts';
import { int128, orNull, text } from '../sql/columns.ts';
import { EpochReads } from '../sql/epoch-reads.ts';
import type { Lane } from '../sql/lane.ts';
import { columnsOfRecord } from '../sql/table.ts';
import type { VisibleEpoch } from '../sql/visible-epoch.ts';
import { newestClassificationTable } from '../tables/classification-tables.ts';
import { FINDINGS_BY_ID, type FindingSelection, findingsInRange } from './finding-sql.ts';

/** Ids per query: a server receives them in the address of a request, which has a maximum length. */
const IDS_MAX = 200;

const toPosition = columnsOfRecord<FindingPosition>({
  id: text('id'),
  key: orNull(int128('key', (value) => value)),
}).reader();

/** Lists of stored findings of all mints, in their newest versions. */
export class StoredFindings {
  private readonly reads: EpochReads;

  constructor(lane: Lane, visible: VisibleEpoch) {
    this.reads = new EpochReads(lane, visible);
  }

  /**
   * Positions in the order of the range. With ids, they are read in portions, each of them up to the
   * limit, and not ordered.
   */
  async positions(range: FindingRange, selection: FindingSelection): Promise<FindingPosition[]> {
    const { layers } = this.reads;
    const found: FindingPosition[] = [];
    for (const ids of selection.ids === null ? [null] : portionsOf(selection.ids)) {
      const { sql, params } = findingsInRange(range, { ...selection, ids });
      found.push(...(await this.reads.all(sql, toPosition, params, layers)));
    }
    return found;
  }

  /** The newest versions, in any order. */
  async byIds(ids: readonly string[]): Promise<Classification[]> {
    const { layers } = this.reads;
    const { read } = newestClassificationTable;
    const found: Classification[] = [];
    for (const portion of portionsOf(ids)) {
      const params = { ids: portion.join() };
      found.push(...(await this.reads.all(FINDINGS_BY_ID, read, params, layers)));
    }
    return found;
  }
}

function portionsOf(ids: readonly string[]): (readonly string[])[] {
  const portions: (readonly string[])[] = [];
  for (let at = 0; at < ids.length; at += IDS_MAX) portions.push(ids.slice(at, at + IDS_MAX));
  return portions;
}
