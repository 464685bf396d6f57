import type { RowReader, StoredRow } from './columns.ts';
import type { Lane } from './lane.ts';
import type { QueryParams } from './sql-session.ts';
import type { VisibleEpoch } from './visible-epoch.ts';

/**
 * Queries of derived rows. Their parameter `epoch` is the visible one unless another is given:
 * queries that belong together must give the same, because the visible epoch may change meanwhile.
 */
export class EpochReads<Visible extends VisibleEpoch = VisibleEpoch> {
  readonly visible: Visible;
  private readonly lane: Lane;

  constructor(lane: Lane, visible: Visible) {
    this.lane = lane;
    this.visible = visible;
  }

  async all<Value>(sql: string, read: RowReader<Value>, params: QueryParams): Promise<Value[]> {
    const rows = await this.lane.rows<StoredRow>(sql, { epoch: this.visible.epoch, ...params });
    return rows.map(read);
  }

  /** The value of the first row; null without rows. */
  async first<Value>(
    sql: string,
    read: RowReader<Value>,
    params: QueryParams,
  ): Promise<Value | null> {
    const [value] = await this.all(sql, read, params);
    return value ?? null;
  }
}
