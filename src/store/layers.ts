import { DERIVED_TABLES } from './migrations/tables.ts';
import type { StoredRow } from './sql/columns.ts';
import { type Deployment, deleteRows, type TableDescription } from './sql/deployment.ts';
import type { Lane } from './sql/lane.ts';
import { rowVersion } from './sql/row-version.ts';
import type { WriteGuard } from './writes/slot-writer.ts';

/** A fold of later slots, in a layer above that of the fold which it replaces from a slot on. */
export interface LayerPair {
  /** The upper layer, and the number of its fold. */
  readonly top: number;
  readonly base: number;
  /** Rows of the base layer up to this version stay; later ones are replaced. */
  readonly through: string;
}

/** Which rows as of the end of the base layer a query returns: the last one of each key. */
export interface LastRows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly key: string;
  readonly keys: readonly string[];
  /** The column that orders the rows of a key. */
  readonly order: string;
}

export interface LayersSurroundings {
  /** For long statements. */
  readonly lane: Lane;
  readonly deployment: Deployment;
  readonly guard?: WriteGuard;
  /** Called after rows were written or removed. */
  readonly onStored?: () => Promise<void>;
}

/** Rows that the base layer no longer shows: the newest version of their key is a later one. */
const IS_REPLACED = 'epoch = {base:UInt32} AND version > {through:UInt64}';

/**
 * Rows of two layers of all derived tables (docs/decisions/0046-partial-refold.md). All statements
 * are idempotent, and none changes which rows queries return before the cursor names both layers.
 *
 * Copies read from a subquery: `SELECT * REPLACE` would also replace the column in its own condition.
 */
export class Layers {
  private readonly lane: Lane;
  private readonly deployment: Deployment;
  private readonly guard: WriteGuard;
  private readonly onStored: () => Promise<void>;

  constructor({ lane, deployment, guard, onStored }: LayersSurroundings) {
    this.lane = lane;
    this.deployment = deployment;
    this.guard = guard ?? (async () => undefined);
    this.onStored = onStored ?? (async () => undefined);
  }

  /**
   * The newest rows of keys that the base layer no longer shows and the top layer does not have: at
   * most `limit` rows.
   */
  lost(
    name: string,
    columns: readonly string[],
    pair: LayerPair,
    limit: number,
  ): Promise<StoredRow[]> {
    const table = tableOf(name);
    return this.lane.rows<StoredRow>(
      `SELECT ${columns.join(', ')} FROM ${name} WHERE ${IS_REPLACED} ` +
        `AND (${keyOf(table)}) GLOBAL NOT IN ${topKeysOf(table)} ` +
        `ORDER BY ${keyOf(table)}, version DESC LIMIT 1 BY ${keyOf(table)} LIMIT {limit:UInt32}`,
      { ...pair, limit },
    );
  }

  /** The last rows of some keys among those that the base layer still shows. */
  lastShown({ table, columns, key, keys, order }: LastRows, pair: LayerPair): Promise<StoredRow[]> {
    return this.lane.rows<StoredRow>(
      `SELECT ${columns.join(', ')} FROM ${table} FINAL ` +
        'WHERE epoch = {base:UInt32} AND version <= {through:UInt64} ' +
        `AND ${key} IN (SELECT arrayJoin(splitByChar(',', {keys:String}))) ` +
        `ORDER BY ${key}, ${order} DESC LIMIT 1 BY ${key}`,
      { ...pair, keys: keys.join() },
    );
  }

  /**
   * Writes the rows that the base layer still shows and the top layer also has again, unchanged, as
   * of the slot after `through`, so that no key is in both once the two are visible together.
   */
  async cover(pair: LayerPair): Promise<void> {
    await this.guard();
    const covered = (BigInt(pair.through) + 1n).toString();
    for (const table of DERIVED_TABLES) {
      const key = keyOf(table);
      await this.lane.command(
        `INSERT INTO ${table.name} SELECT * REPLACE ({covered:UInt64} AS version) FROM (` +
          `SELECT * FROM ${table.name} FINAL ` +
          'WHERE epoch = {base:UInt32} AND version <= {through:UInt64} ' +
          `AND (${key}) GLOBAL IN (SELECT ${key} FROM ${table.name} WHERE epoch = {top:UInt32} ` +
          `AND (${key}) GLOBAL NOT IN (SELECT ${key} FROM ${table.name} WHERE ${IS_REPLACED})))`,
        { ...pair, covered },
      );
    }
    await this.onStored();
  }

  /**
   * Copies the top layer into the base layer and removes what it replaced there. While both layers
   * are visible no query notices; afterwards the base layer alone has the same rows.
   */
  async merge(pair: LayerPair): Promise<void> {
    await this.guard();
    for (const table of DERIVED_TABLES) {
      await this.lane.command(
        `INSERT INTO ${table.name} SELECT * REPLACE ({base:UInt32} AS epoch) ` +
          `FROM (SELECT * FROM ${table.name} WHERE epoch = {top:UInt32})`,
        { ...pair },
      );
      await this.removeReplaced(table, pair);
    }
    await this.onStored();
  }

  /** Removes, in the background, all rows outside of a layer. */
  async retain(layer: number): Promise<void> {
    await this.guard();
    for (const { name } of DERIVED_TABLES) {
      const other = await this.lane.rows(
        `SELECT 1 FROM ${name} WHERE epoch != {layer:UInt32} LIMIT 1`,
        { layer },
      );
      if (other.length === 0) continue;
      const statement = deleteRows(name, 'epoch != {layer:UInt32}', this.deployment, false);
      await this.lane.command(statement, { layer });
    }
  }

  /**
   * Removes the rows of the replaced slots. The copies are newer, so no older row of their keys
   * becomes visible; other keys had no row before. Only the rows of such keys would be returned once
   * the base layer is alone; without any, the removal runs in the background.
   */
  private async removeReplaced(table: TableDescription, pair: LayerPair): Promise<void> {
    const { name } = table;
    const { top, base, through } = pair;
    const range = `${IS_REPLACED} AND version < {copied:UInt64}`;
    const params = { base, through, copied: rowVersion(top, 0) };
    const replaced = await this.lane.rows(`SELECT 1 FROM ${name} WHERE ${range} LIMIT 1`, params);
    if (replaced.length === 0) return;
    const gone = await this.lane.rows(
      `SELECT 1 FROM ${name} WHERE ${range} ` +
        `AND (${keyOf(table)}) GLOBAL NOT IN ${topKeysOf(table)} LIMIT 1`,
      { ...params, top },
    );
    const isAwaited = gone.length > 0;
    await this.lane.command(deleteRows(name, range, this.deployment, isAwaited), params);
  }
}

function tableOf(name: string): TableDescription {
  const table = DERIVED_TABLES.find((one) => one.name === name);
  if (table === undefined) throw new RangeError(`${name} is no derived table`);
  return table;
}

/** The sort key without the layer, as a list. */
function keyOf({ orderBy }: TableDescription): string {
  return orderBy.filter((column) => column !== 'epoch').join(', ');
}

/** A subquery of the keys of the top layer. */
function topKeysOf(table: TableDescription): string {
  return `(SELECT ${keyOf(table)} FROM ${table.name} WHERE epoch = {top:UInt32})`;
}
