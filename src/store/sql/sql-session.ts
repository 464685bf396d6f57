/** Parameters of a query. The engine binds them; they are never inserted into the SQL text. */
export type QueryParams = Readonly<Record<string, string | number | bigint>>;

/** Settings of a session: they apply to all its queries and never change. */
export type SessionSettings = Readonly<Record<string, string | number>>;

/** RawBLOB: the text of the only value of a query, unescaped. */
export type BytesFormat = 'RawBLOB' | 'Parquet';

/**
 * Runs ClickHouse SQL, one query at a time. Only the implementations of this interface distinguish
 * the embedded engine from a server. Failures are SqlErrors.
 */
export interface SqlSession {
  /** Rows by column name. 64-bit and wider integers are text. */
  rows<Row>(sql: string, params: QueryParams): Promise<Row[]>;
  /** The whole result of a query as bytes, which are not parsed. */
  bytes(sql: string, params: QueryParams, format: BytesFormat): Promise<Uint8Array>;
  /** One INSERT of `body` (JSONCompactEachRow, in the order of `columns`), atomic for each part. */
  insert(table: string, columns: readonly string[], body: Buffer): Promise<void>;
  command(sql: string, params: QueryParams): Promise<void>;
  close(): Promise<void>;
}

/** The engine refused a query, or could not be reached. */
export class SqlError extends Error {
  override readonly name = 'SqlError';
  /** ClickHouse's error code, null when the engine did not answer. */
  readonly code: number | null;

  constructor(message: string, code: number | null, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Codes of a query that exceeded a limit; the data are intact. */
export const TIMEOUT_EXCEEDED = 159;
export const TOO_SLOW = 160;
export const MEMORY_LIMIT_EXCEEDED = 241;

/**
 * Codes of temporary failures of a device, under load, or of the connection to a server: bytes that
 * cannot be read, written or synced (74, 75, 204, 294), no space (243), no epoll descriptor (573),
 * too many queries or parts (202, 252), a table, replica or keeper that is unavailable (242, 285,
 * 319, 999), networks (95, 96, 209, 210, 279).
 */
const TRANSIENT: ReadonlySet<number> = new Set([
  ...[TIMEOUT_EXCEEDED, TOO_SLOW, MEMORY_LIMIT_EXCEEDED],
  ...[74, 75, 95, 96, 202, 204, 209, 210, 242, 243, 252, 279, 285, 294, 319, 573, 999],
]);

/** The engine's texts for failures of the operating system, which come with various codes. */
const REFUSED_BY_SYSTEM =
  /No space left on device|Disk quota exceeded|Too many open files|Input\/output error|Read-only file system|Cannot allocate memory/;

/** No space, memory, time or descriptors, or too many queries: the data themselves are intact. */
const OUT_OF_RESOURCES: ReadonlySet<number | null> = new Set([
  ...[TIMEOUT_EXCEEDED, TOO_SLOW, MEMORY_LIMIT_EXCEEDED],
  ...[202, 243, 573],
]);
const OUT_OF_RESOURCES_TEXT =
  /No space left on device|Disk quota exceeded|Too many open files|Cannot allocate memory/;

/** Whether a query failed for lack of resources and not because of the data that it read. */
export function isOutOfResources({ code, message }: SqlError): boolean {
  return OUT_OF_RESOURCES.has(code) || OUT_OF_RESOURCES_TEXT.test(message);
}

/** The texts of Node and the client for a lost connection to a server. */
const CONNECTION_LOST =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EMFILE|socket hang up|Timeout error/;

/** Whether the same query may succeed later without a change. */
export function isTransientSqlError({ code, message }: SqlError): boolean {
  if (REFUSED_BY_SYSTEM.test(message)) return true;
  return code === null ? CONNECTION_LOST.test(message) : TRANSIENT.has(code);
}

/** Settings of every session. */
export const COMMON_SETTINGS: SessionSettings = {
  // The client batches rows; an insert returns once its rows are stored.
  async_insert: 0,
  // As JSON numbers, JavaScript would round them.
  output_format_json_quote_64bit_integers: 1,
  // A batch of recorded blocks may span many months, and each month is a partition.
  max_partitions_per_insert_block: 0,
};
