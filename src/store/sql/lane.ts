import { currentAccount } from '../../lib/current-account.ts';
import { FairQueue } from '../../lib/fair-queue.ts';
import { ApiError, StoreError } from '../../model/errors.ts';
import { resourceRemedy } from './resource-remedy.ts';
import {
  type BytesFormat,
  isTransientSqlError,
  MEMORY_LIMIT_EXCEEDED,
  type QueryParams,
  SqlError,
  type SqlSession,
  TIMEOUT_EXCEEDED,
  TOO_SLOW,
} from './sql-session.ts';

export interface LaneOptions {
  /** Used in messages. */
  readonly name: string;
  /** Maximum queries of one account that wait for a session; any further one is refused. */
  readonly waitingMax: number;
  /**
   * Whether a refusal (too many waiting, too slow, too large) is a 503 answer to a client or a
   * failure of the store. If true, accounts take turns: a query waits for the queries of its own
   * account, and for at most one of each other account.
   */
  readonly servesClients: boolean;
  /** Maximum sessions that one account uses at a time, if `servesClients`; all by default. */
  readonly perAccountMax?: number;
}

const REFUSALS: readonly (number | null)[] = [TIMEOUT_EXCEEDED, TOO_SLOW, MEMORY_LIMIT_EXCEEDED];

/**
 * Sessions for one kind of work. A session runs one query at a time, so kinds of work that must not
 * wait for each other (writes, quick reads, long reads) use separate lanes.
 */
export class Lane {
  private readonly options: LaneOptions;
  private readonly sessions: readonly SqlSession[];
  private readonly idle: SqlSession[];
  private readonly waiting = new FairQueue<(session: SqlSession) => void>();
  private readonly busy = new Map<string, number>();
  private readonly perAccountMax: number;
  private isClosed = false;
  private onIdle: (() => void) | null = null;

  constructor(sessions: readonly SqlSession[], options: LaneOptions) {
    this.options = options;
    this.sessions = sessions;
    this.idle = [...sessions];
    this.perAccountMax = options.perAccountMax ?? sessions.length;
  }

  /** The number of queries that wait for a session. */
  get waitingCount(): number {
    return this.waiting.size;
  }

  /** Rows by column name; 64-bit and wider integers are text. */
  rows<Row>(sql: string, params: QueryParams = {}): Promise<Row[]> {
    return this.run((session) => session.rows<Row>(sql, params));
  }

  /** The whole result of a query as bytes. */
  bytes(sql: string, params: QueryParams, format: BytesFormat): Promise<Uint8Array> {
    return this.run((session) => session.bytes(sql, params, format));
  }

  insert(table: string, columns: readonly string[], body: Buffer): Promise<void> {
    return this.run((session) => session.insert(table, columns, body));
  }

  command(sql: string, params: QueryParams = {}): Promise<void> {
    return this.run((session) => session.command(sql, params));
  }

  /** Waits for submitted queries and refuses new ones. */
  async close(): Promise<void> {
    this.isClosed = true;
    if (this.idle.length < this.sessions.length) {
      await new Promise<void>((resolve) => {
        this.onIdle = resolve;
      });
    }
    for (const session of this.sessions) await session.close();
  }

  private async run<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    // The service's own work has no account, even when a request started it.
    const account = this.options.servesClients ? currentAccount() : null;
    const session = await this.acquire(account);
    try {
      return await work(session);
    } catch (error) {
      throw this.translated(error);
    } finally {
      this.release(account, session);
    }
  }

  private acquire(account: string | null): Promise<SqlSession> {
    if (this.isClosed) return Promise.reject(new StoreError('The store is closed.'));
    const session = this.hasCapacity(account) ? this.idle.pop() : undefined;
    if (session !== undefined) {
      this.count(account, 1);
      return Promise.resolve(session);
    }
    const ahead = this.waiting.countOf(account);
    if (ahead >= this.options.waitingMax) {
      return Promise.reject(this.refusal(`has ${ahead} queries waiting`));
    }
    return new Promise((resolve) => this.waiting.push(account, resolve));
  }

  private release(account: string | null, session: SqlSession): void {
    this.count(account, -1);
    this.idle.push(session);
    this.beginWaiting();
    if (this.idle.length === this.sessions.length) this.onIdle?.();
  }

  private beginWaiting(): void {
    while (this.waiting.size > 0 && this.idle.length > 0) {
      const next = this.waiting.take((account) => this.hasCapacity(account));
      const session = next === null ? undefined : this.idle.pop();
      if (next === null || session === undefined) return;
      this.count(next.owner, 1);
      next.item(session);
    }
  }

  private hasCapacity(account: string | null): boolean {
    return account === null || (this.busy.get(account) ?? 0) < this.perAccountMax;
  }

  private count(account: string | null, change: 1 | -1): void {
    if (account === null) return;
    const busy = (this.busy.get(account) ?? 0) + change;
    if (busy === 0) this.busy.delete(account);
    else this.busy.set(account, busy);
  }

  private translated(error: unknown): unknown {
    if (!(error instanceof SqlError)) return error;
    if (REFUSALS.includes(error.code)) return this.refusal('could not finish in its limits', error);
    const remedy = resourceRemedy(error.message);
    const wayOut = remedy === null ? '' : `: ${remedy}.`;
    return new StoreError(`The ${this.options.name} lane failed: ${error.message}${wayOut}`, {
      cause: error,
      isTransient: isTransientSqlError(error),
    });
  }

  private refusal(reason: string, cause?: Error): Error {
    if (this.options.servesClients) {
      return new ApiError(503, 'The store is busy; try again in a moment.', { cause });
    }
    return new StoreError(`The ${this.options.name} lane ${reason}.`, { cause, isTransient: true });
  }
}
