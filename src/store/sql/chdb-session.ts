import { type ChdbResult, drainPending, Session } from 'chdb';
import {
  type BytesFormat,
  type QueryParams,
  type SessionSettings,
  SqlError,
  type SqlSession,
} from './sql-session.ts';

/**
 * Limits of the whole engine, applied when the process opens its first session. The defaults would
 * use nine tenths of the machine's memory and 10 GB of caches.
 */
const ENGINE_ARGUMENTS = [
  '--max_server_memory_usage=1500000000',
  '--mark_cache_size=67108864',
  '--index_mark_cache_size=16777216',
  '--background_pool_size=2',
  '--async_load_databases=0',
];

/**
 * Opens a session of the ClickHouse engine inside this process. Sessions on one folder run in
 * parallel and see each other's writes; a process can open one folder at a time.
 *
 * Uses chDB's own sessions instead of `chdb/connection`, for the reasons in
 * docs/decisions/0002-embedded-clickhouse.md.
 */
export async function openChdbSession(
  folder: string,
  settings: SessionSettings,
): Promise<SqlSession> {
  try {
    // The engine of a folder that was just closed may still be shutting down.
    await drainPending();
    const session = new Session(folder, { connectionArgs: ENGINE_ARGUMENTS });
    const list = Object.entries(settings).map(([name, value]) => `${name} = ${quote(value)}`);
    await session.queryAsync(`SET ${list.join(', ')}`);
    return new ChdbSession(session);
  } catch (error) {
    throw toSqlError(error);
  }
}

class ChdbSession implements SqlSession {
  private readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  async rows<Row>(sql: string, params: QueryParams): Promise<Row[]> {
    const result = await this.run(sql, params);
    const text = result.text();
    return text === '' ? [] : (JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`) as Row[]);
  }

  async bytes(sql: string, params: QueryParams, format: BytesFormat): Promise<Uint8Array> {
    return (await this.run(sql, params, format)).bytes();
  }

  async command(sql: string, params: QueryParams): Promise<void> {
    await this.run(sql, params);
  }

  async insert(table: string, columns: readonly string[], body: Buffer): Promise<void> {
    try {
      await this.session.insert({ table, columns, values: body, format: 'JSONCompactEachRow' });
    } catch (error) {
      throw toSqlError(error);
    }
  }

  async close(): Promise<void> {
    this.session.close();
    await drainPending();
  }

  private async run(sql: string, params: QueryParams, format = 'JSONEachRow'): Promise<ChdbResult> {
    try {
      return await this.session.queryAsync(bind(params) + sql, { format });
    } catch (error) {
      throw toSqlError(error);
    }
  }
}

/**
 * Parameters as a SET statement before the query. The engine substitutes and types them as a server
 * does with `param_…` of a request, separately for each session; chDB's own binding is one queue
 * for the whole process. One statement for all, since each costs a quarter of a millisecond.
 */
function bind(params: QueryParams): string {
  const list = Object.entries(params).map(
    ([name, value]) => `param_${name} = ${quote(escapeTsv(String(value)))}`,
  );
  return list.length === 0 ? '' : `SET ${list.join(', ')}; `;
}

/** The engine parses parameter values like TabSeparated fields, as a server does. */
function escapeTsv(text: string): string {
  return text.replace(/[\\\t\n\r]/g, (character) => TSV_ESCAPES[character] ?? character);
}

const TSV_ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

function quote(value: string | number): string {
  if (typeof value === 'number') return String(value);
  return `'${value.replace(/[\\']/g, '\\$&').replaceAll('\0', '\\0')}'`;
}

function toSqlError(error: unknown): SqlError {
  const message = error instanceof Error ? error.message : String(error);
  const code = /Code: (\d+)\./.exec(message)?.[1];
  return new SqlError(message, code === undefined ? null : Number(code), { cause: error });
}
