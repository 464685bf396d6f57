/** A cell of a shared row, as JSON has it. */
export type SharedCell = string | number | null | { readonly base64: string };

/** Cells by the names of their columns. */
export type SharedCells = Readonly<Record<string, SharedCell>>;

/**
 * A change of a row that all replicas have.
 * - `put`: the row is there with these cells, whether it was before or not.
 * - `remove`: no row has this key.
 * - `counter`: keys up to this number are not given again.
 */
export type RowChange =
  | { readonly table: string; readonly put: SharedCells }
  | { readonly table: string; readonly remove: SharedCells }
  | { readonly table: string; readonly counter: number };

/** Rows that a write may change: those with these cells. */
export interface SharedRows {
  readonly table: string;
  readonly where: Readonly<Record<string, string | number>>;
}

/** A change that replicas agree on, and the answer to whoever asked for it. */
export interface RehearsedWrite<Result> {
  readonly result: Result;
  /** Empty if nothing changes. */
  readonly changes: readonly RowChange[];
}

/** Where a data folder is in the log of shared changes. */
export interface ControlPosition {
  /** Names the log, so that another one is not taken for it; null before the first change. */
  readonly logId: string | null;
  /** Sequence of the last change whose keys and accounts are stored. */
  readonly keysSeq: number;
  /** Sequence of the last change that is stored as a whole. Never above `keysSeq`. */
  readonly rowsSeq: number;
  /** Whether the log has the rows that the folder had before it followed the log. */
  readonly isSeeded: boolean;
}

/** The tables that replicas share, as the log of their changes needs them. */
export interface SharedTables {
  /** Of the tables. A change of a newer schema cannot be stored. */
  readonly schema: number;
  readonly position: ControlPosition;
  /** Whether there are rows that other replicas do not get by themselves. */
  readonly hasOwnRows: boolean;
  /** All rows but keys and accounts, as changes of at most a few hundred rows. */
  seeds(): Iterable<readonly RowChange[]>;
  /** The log has them. Throws StoreError. */
  seeded(): void;
  /** What this replica changed by itself and the log does not have: keys, and disabled webhooks. */
  unshared(): readonly RowChange[];
  /** What a write would change after the pending changes. Nothing is stored. Throws StoreError. */
  rehearse<Result>(
    pending: readonly (readonly RowChange[])[],
    rows: readonly SharedRows[],
    work: () => Result,
  ): RehearsedWrite<Result>;
  /** Stores keys and accounts of a change, once. Throws StoreError. */
  takeKeys(seq: number, logId: string, changes: readonly RowChange[]): void;
  /**
   * Stores the other rows of a change, once, in the caller's transaction if there is one. Returns
   * those that differ from before. Throws StoreError.
   */
  takeRows(seq: number, changes: readonly RowChange[]): readonly RowChange[];
}
