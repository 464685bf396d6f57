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

/**
 * Codes of a device, of the load, or of the way to a server, that may be another soon: bytes that cannot
 * be read, written or synced (74, 75, 204, 294), no space (243), no epoll descriptor (573), too many
 * queries or parts (202, 252), a table, replica or keeper that is not to be had (242, 285, 319, 999),
 * networks (95, 96, 209, 210, 279).
 */
const PASSING: ReadonlySet<number> = new Set([
  ...[TIMEOUT_EXCEEDED, TOO_SLOW, MEMORY_LIMIT_EXCEEDED],
  ...[74, 75, 95, 96, 202, 204, 209, 210, 242, 243, 252, 279, 285, 294, 319, 573, 999],
]);

/** How the engine words what the system refused, under whatever code. */
const REFUSED_BY_SYSTEM =
  /No space left on device|Disk quota exceeded|Too many open files|Input\/output error|Read-only file system|Cannot allocate memory/;

/** No space, no memory, no time, no descriptors, too many queries: nothing is wrong with what was to be read. */
const SHORT_OF_MEANS: ReadonlySet<number | null> = new Set([
  ...[TIMEOUT_EXCEEDED, TOO_SLOW, MEMORY_LIMIT_EXCEEDED],
  ...[202, 243, 573],
]);
const MEANS_IN_WORDS =
  /No space left on device|Disk quota exceeded|Too many open files|Cannot allocate memory/;

/** Whether a query failed for want of what it takes to run it, and not for what it read. */
export function isShortOfMeans({ code, message }: SqlError): boolean {
  return SHORT_OF_MEANS.has(code) || MEANS_IN_WORDS.test(message);
}

/** What Node and the client call the loss of the way to a server. */
const LOST_WAY =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EMFILE|socket hang up|Timeout error/;

/** Whether the same query may succeed later, although nothing is changed about it. */
export function isTransientSqlError({ code, message }: SqlError): boolean {
  if (REFUSED_BY_SYSTEM.test(message)) return true;
  return code === null ? LOST_WAY.test(message) : PASSING.has(code);
}

/** Settings every session needs, whatever it is for. */
export const COMMON_SETTINGS: SessionSettings = {
  // Batches are made here; an insert returns when its rows are stored.
  async_insert: 0,
  // Without it JavaScript would round them.
  output_format_json_quote_64bit_integers: 1,
  // A batch of recorded blocks may span many months, and each is a partition.
  max_partitions_per_insert_block: 0,
};
