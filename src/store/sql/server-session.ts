import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  type ClickHouseClient,
  ClickHouseError,
  ClickHouseLogLevel,
  createClient,
  drainStream,
} from '@clickhouse/client';
import {
  type BytesFormat,
  type QueryParams,
  type SessionSettings,
  SqlError,
  type SqlSession,
} from './sql-session.ts';

export interface ServerAddress {
  readonly url: string;
  readonly username: string;
  readonly password: string;
}

/** The engine's own limit ends a query earlier; this one detects an unresponsive server. */
const UNRESPONSIVE_MS = 600_000;

/**
 * Opens a session with a ClickHouse server over HTTP. Sends nothing before the first query. A
 * request fails after `deadlineMs`.
 */
export function openServerSession(
  { deadlineMs = UNRESPONSIVE_MS, ...address }: ServerAddress & { readonly deadlineMs?: number },
  database: string,
  settings: SessionSettings,
): SqlSession {
  return new ServerSession(
    createClient({
      ...address,
      database,
      max_open_connections: 1,
      request_timeout: deadlineMs,
      clickhouse_settings: {
        ...settings,
        // Keeps load balancers from closing a request that is still running.
        send_progress_in_http_headers: 1,
        http_headers_progress_interval_ms: '20000',
      },
      // Every failure is thrown; the caller logs it.
      log: { level: ClickHouseLogLevel.OFF },
    }),
  );
}

class ServerSession implements SqlSession {
  private readonly client: ClickHouseClient;

  constructor(client: ClickHouseClient) {
    this.client = client;
  }

  rows<Row>(sql: string, params: QueryParams): Promise<Row[]> {
    return this.run(async () => {
      const result = await this.client.query({
        query: sql,
        query_params: params,
        format: 'JSONEachRow',
      });
      return await result.json<Row>();
    });
  }

  bytes(sql: string, params: QueryParams, format: BytesFormat): Promise<Uint8Array> {
    return this.run(async () => {
      const query = `${sql}\nFORMAT ${format}`;
      const { stream } = await this.client.exec({ query, query_params: params });
      return await buffer(stream);
    });
  }

  command(sql: string, params: QueryParams): Promise<void> {
    return this.run(async () => {
      await this.client.command({ query: sql, query_params: params });
    });
  }

  insert(table: string, columns: readonly string[], body: Buffer): Promise<void> {
    return this.run(async () => {
      // Not client.insert: it accepts such rows only as objects, and encodes them again.
      const { stream } = await this.client.exec({
        query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT JSONCompactEachRow`,
        values: Readable.from([body], { objectMode: false }),
        // Returns once the shards have stored the rows, not once they are queued.
        clickhouse_settings: { distributed_foreground_insert: 1 },
      });
      await drainStream(stream);
    });
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  private async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const code = error instanceof ClickHouseError ? Number(error.code) : null;
      throw new SqlError(message, code, { cause: error });
    }
  }
}
