import { ApiError, StoreError } from '../model/errors.ts';
import {
  isTransientSqlError,
  MEMORY_LIMIT_EXCEEDED,
  type QueryParams,
  SqlError,
  type SqlSession,
  TIMEOUT_EXCEEDED,
  TOO_SLOW,
} from './sql-session.ts';

export interface LaneOptions {
  /** In messages. */
  readonly name: string;
  /** Queries that may wait for a session; one more is refused. */
  readonly waitingMax: number;
  /**
   * Whether a refusal (too many waiting, too slow, too large) is an answer to a client, 503, or a
   * failure of the store.
   */
  readonly servesClients: boolean;
}

const REFUSALS: readonly (number | null)[] = [TIMEOUT_EXCEEDED, TOO_SLOW, MEMORY_LIMIT_EXCEEDED];

/**
 * Sessions for one kind of work. A session runs one query at a time, so kinds that must not wait
 * for each other (writing, quick reads, long reads) have a lane each.
 */
export class Lane {
  private readonly options: LaneOptions;
  private readonly sessions: readonly SqlSession[];
  private readonly idle: SqlSession[];
  private readonly waiting: ((session: SqlSession) => void)[] = [];
  private isClosed = false;
  private onIdle: (() => void) | null = null;

  constructor(sessions: readonly SqlSession[], options: LaneOptions) {
    this.options = options;
    this.sessions = sessions;
    this.idle = [...sessions];
  }

  /** Rows by column name; 64-bit and wider integers are text. */
  rows<Row>(sql: string, params: QueryParams = {}): Promise<Row[]> {
    return this.run((session) => session.rows<Row>(sql, params));
  }

  insert(table: string, columns: readonly string[], body: Buffer): Promise<void> {
    return this.run((session) => session.insert(table, columns, body));
  }

  command(sql: string, params: QueryParams = {}): Promise<void> {
    return this.run((session) => session.command(sql, params));
  }

  /** Lets what was asked finish, refuses what comes after. */
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
    const session = await this.acquire();
    try {
      return await work(session);
    } catch (error) {
      throw this.translated(error);
    } finally {
      this.release(session);
    }
  }

  private acquire(): Promise<SqlSession> {
    if (this.isClosed) return Promise.reject(new StoreError('The store is closed.'));
    const session = this.idle.pop();
    if (session !== undefined) return Promise.resolve(session);
    if (this.waiting.length >= this.options.waitingMax) {
      return Promise.reject(this.refusal(`has ${this.waiting.length} queries waiting`));
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private release(session: SqlSession): void {
    const next = this.waiting.shift();
    if (next !== undefined) {
      next(session);
      return;
    }
    this.idle.push(session);
    if (this.idle.length === this.sessions.length) this.onIdle?.();
  }

  private translated(error: unknown): unknown {
    if (!(error instanceof SqlError)) return error;
    if (REFUSALS.includes(error.code)) return this.refusal('could not finish in its limits', error);
    return new StoreError(`The ${this.options.name} lane failed: ${error.message}`, {
      cause: error,
      isTransient: isTransientSqlError(error),
    });
  }

  private refusal(what: string, cause?: Error): Error {
    if (this.options.servesClients) {
      return new ApiError(503, 'The store is busy; try again in a moment.', { cause });
    }
    return new StoreError(`The ${this.options.name} lane ${what}.`, { cause, isTransient: true });
  }
}
