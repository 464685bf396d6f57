import type { RowReader, StoredRow } from './columns.ts';
import type { Lane } from './lane.ts';
import type { BytesFormat, QueryParams } from './sql-session.ts';
import {
  layersOf,
  ofBase,
  ofVisible,
  paramsOf,
  type RowLayers,
  type VisibleEpoch,
} from './visible-epoch.ts';

/** Reads the rows of one layer. */
export type LayerSelect = <Value>(
  sql: string,
  read: RowReader<Value>,
  params: QueryParams,
) => Promise<Value[]>;

/**
 * Queries of derived rows, whose condition for visible rows is `IS_VISIBLE`. They return rows of the
 * layers that are visible now, unless others are given: queries that belong together must use the
 * same, because the visible ones may change meanwhile.
 */
export class EpochReads<Visible extends VisibleEpoch = VisibleEpoch> {
  readonly visible: Visible;
  private readonly lane: Lane;

  constructor(lane: Lane, visible: Visible) {
    this.lane = lane;
    this.visible = visible;
  }

  /** The layers that are visible now. */
  get layers(): RowLayers {
    return layersOf(this.visible);
  }

  async all<Value>(
    sql: string,
    read: RowReader<Value>,
    params: QueryParams,
    layers = this.layers,
  ): Promise<Value[]> {
    const given = { ...paramsOf(layers), ...params };
    const rows = await this.lane.rows<StoredRow>(ofVisible(sql, layers), given);
    return rows.map(read);
  }

  /** The whole result of a query as bytes. */
  bytes(sql: string, params: QueryParams, format: BytesFormat = 'RawBLOB'): Promise<Uint8Array> {
    const { layers } = this;
    return this.lane.bytes(ofVisible(sql, layers), { ...paramsOf(layers), ...params }, format);
  }

  /** The value of the first row; null without rows. */
  async first<Value>(
    sql: string,
    read: RowReader<Value>,
    params: QueryParams,
    layers = this.layers,
  ): Promise<Value | null> {
    const [value] = await this.all(sql, read, params, layers);
    return value ?? null;
  }

  /**
   * The rows of a query that reads a key's range from its end as `newest` does. `order` compares two
   * values; of two that are equal in it, the one of the top layer wins.
   */
  async newestRows<Value>(
    sql: string,
    read: RowReader<Value>,
    params: QueryParams,
    order: (one: Value, other: Value) => number,
  ): Promise<Value[]> {
    return await this.mergedRows((select) => select(sql, read, params), order);
  }

  /**
   * The same with rows that `rowsOf` reads from one layer, in as many queries as it needs. It returns
   * them in order, each once.
   */
  async mergedRows<Value>(
    rowsOf: (select: LayerSelect) => Promise<Value[]>,
    order: (one: Value, other: Value) => number,
  ): Promise<Value[]> {
    const { layers } = this;
    const alone = { ...layers, base: null };
    const ofTop = rowsOf((sql, read, params) => this.all(sql, read, params, alone));
    if (layers.base === null) return await ofTop;
    const ofBelow = rowsOf((sql, read, params) =>
      this.all(ofBase(sql), read, { ...paramsOf(layers), ...params }, layers),
    );
    const [top, below] = await Promise.all([ofTop, ofBelow]);
    return mergeSorted(top, below, order);
  }

  /**
   * The newest value of a query that reads a key's range from its end, row by row, without FINAL: it
   * is run once per layer, since a sort key begins with the layer. Unmerged rows of the base layer
   * may be older than their replacement in the top layer, which therefore wins at the same time.
   */
  async newest<Value>(
    sql: string,
    read: RowReader<Value>,
    params: QueryParams,
    timeOf: (value: Value) => number,
  ): Promise<Value | null> {
    const { layers } = this;
    if (layers.base === null) return this.first(sql, read, params, layers);
    const [top, below] = await Promise.all([
      this.first(sql, read, params, { ...layers, base: null }),
      this.first(ofBase(sql), read, { ...paramsOf(layers), ...params }, layers),
    ]);
    if (top === null || below === null) return top ?? below;
    return timeOf(below) > timeOf(top) ? below : top;
  }
}

/** Two sorted lists as one; of equal values only that of the first list. */
function mergeSorted<Value>(
  first: readonly Value[],
  second: readonly Value[],
  order: (one: Value, other: Value) => number,
): Value[] {
  const merged: Value[] = [];
  let next = 0;
  for (const one of first) {
    for (; next < second.length; next++) {
      const other = second[next] as Value;
      const difference = order(other, one);
      if (difference > 0) break;
      if (difference < 0) merged.push(other);
    }
    merged.push(one);
  }
  return [...merged, ...second.slice(next)];
}
