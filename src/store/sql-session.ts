/** What a query may be given from outside; it is bound by the engine, never put into the SQL. */
export type QueryParams = Readonly<Record<string, string | number | bigint>>;

/** Settings of a session: they hold for all its queries and never change. */
export type SessionSettings = Readonly<Record<string, string | number>>;

/**
 * One place to run ClickHouse SQL, one query at a time. The embedded engine and a server differ
 * behind this and nowhere else. Failures are SqlErrors.
 */
export interface SqlSession {
  /** Rows by column name. 64-bit and wider integers are text. */
  rows<Row>(sql: string, params: QueryParams): Promise<Row[]>;
  /** One INSERT: all rows of `body` (JSONCompactEachRow, in the order of `columns`) or none of a part. */
  insert(table: string, columns: readonly string[], body: Buffer): Promise<void>;
  command(sql: string, params: QueryParams): Promise<void>;
  close(): Promise<void>;
}

/** The engine's refusal or the loss of the way to it. */
export class SqlError extends Error {
  override readonly name = 'SqlError';
  /** ClickHouse's error code, null when the engine did not answer. */
  readonly code: number | null;

  constructor(message: string, code: number | null, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Codes that mean "not now" or "not that much": the data are fine. */
export const TIMEOUT_EXCEEDED = 159;
export const TOO_SLOW = 160;
export const MEMORY_LIMIT_EXCEEDED = 241;

/** Settings every session needs, whatever it is for. */
export const COMMON_SETTINGS: SessionSettings = {
  // Batches are made here; an insert returns when its rows are stored.
  async_insert: 0,
  // Without it JavaScript would round them.
  output_format_json_quote_64bit_integers: 1,
  // A batch of recorded blocks may span many months, and each is a partition.
  max_partitions_per_insert_block: 0,
};
