import { describe, expect, test } from 'vitest';
import { runForAccount } from '../../lib/current-account.ts';
import { ApiError, StoreError } from '../../model/errors.ts';
import { Lane } from './lane.ts';
import { SqlError, type SqlSession } from './sql-session.ts';

/** A session whose queries end when the test ends them. */
class PausedSession implements SqlSession {
  readonly running: { sql: string; resolve(): void; reject(error: Error): void }[] = [];
  runningMax = 0;
  isClosed = false;

  rows<Row>(sql: string): Promise<Row[]> {
    return new Promise<Row[]>((resolve, reject) => {
      this.running.push({ sql, resolve: () => resolve([]), reject });
      this.runningMax = Math.max(this.runningMax, this.running.length);
    });
  }

  async bytes(sql: string): Promise<Uint8Array> {
    await this.rows(sql);
    return new Uint8Array();
  }

  async insert(): Promise<void> {
    await this.rows('insert');
  }

  async command(): Promise<void> {
    await this.rows('command');
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  finish(): string | undefined {
    const query = this.running.shift();
    query?.resolve();
    return query?.sql;
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a lane', () => {
  test('gives a session one query at a time, in the order of submission', async () => {
    const session = new PausedSession();
    const lane = new Lane([session], { name: 'fast', waitingMax: 9, servesClients: true });
    const asked = ['a', 'b', 'c'].map((sql) => lane.rows(sql));
    const order: (string | undefined)[] = [];
    for (let turn = 0; turn < 3; turn++) {
      await settle();
      order.push(session.finish());
    }
    await Promise.all(asked);
    expect(order).toEqual(['a', 'b', 'c']);
    expect(session.runningMax).toBe(1);
  });

  test('uses all its sessions', async () => {
    const sessions = [new PausedSession(), new PausedSession()];
    const lane = new Lane(sessions, { name: 'fast', waitingMax: 0, servesClients: true });
    const asked = [lane.rows('a'), lane.rows('b')];
    await settle();
    expect(sessions.map(({ running }) => running.length)).toEqual([1, 1]);
    for (const session of sessions) session.finish();
    await Promise.all(asked);
  });

  test.each([
    [true, ApiError, 'The store is busy'],
    [false, StoreError, 'The lane lane has 1 queries waiting'],
  ])(
    'refuses queries beyond the maximum that may wait (serves clients: %s)',
    async (servesClients, kind, sentence) => {
      const session = new PausedSession();
      const lane = new Lane([session], { name: 'lane', waitingMax: 1, servesClients });
      const asked = [lane.rows('a'), lane.rows('b')];
      const refused = lane.rows('c');
      await expect(refused).rejects.toThrow(kind);
      await expect(refused).rejects.toThrow(sentence);
      for (let turn = 0; turn < 2; turn++) {
        session.finish();
        await settle();
      }
      await Promise.all(asked);
    },
  );

  test.each([
    [159, 503],
    [241, 503],
  ])("answers the engine's limit %i with %i and continues", async (code, status) => {
    const session = new PausedSession();
    const lane = new Lane([session], { name: 'fast', waitingMax: 1, servesClients: true });
    const slow = lane.rows('slow');
    await settle();
    session.running.shift()?.reject(new SqlError('limit', code));
    await expect(slow).rejects.toMatchObject({ name: 'ApiError', status });
    const next = lane.rows('next');
    await settle();
    session.finish();
    expect(await next).toEqual([]);
  });

  test('names the failed lane, and keeps the cause', async () => {
    const session = new PausedSession();
    const lane = new Lane([session], { name: 'writer', waitingMax: 1, servesClients: false });
    const failing = lane.command('x');
    await settle();
    const cause = new SqlError('disk full', 243);
    session.running.shift()?.reject(cause);
    await expect(failing).rejects.toMatchObject({
      name: 'StoreError',
      message: 'The writer lane failed: disk full',
      cause,
    });
  });

  test('closes after the submitted queries, and refuses later ones', async () => {
    const session = new PausedSession();
    const lane = new Lane([session], { name: 'fast', waitingMax: 9, servesClients: true });
    const asked = [lane.rows('a'), lane.rows('b')];
    const closing = lane.close();
    await expect(lane.rows('c')).rejects.toThrow('The store is closed.');
    expect(session.isClosed).toBe(false);
    await settle();
    session.finish();
    await settle();
    session.finish();
    await Promise.all([...asked, closing]);
    expect(session.isClosed).toBe(true);
  });

  test('never gives an account all sessions, and serves accounts in turn', async () => {
    const sessions = [new PausedSession(), new PausedSession()];
    const options = { name: 'fast', waitingMax: 9, servesClients: true, perAccountMax: 1 };
    const lane = new Lane(sessions, options);
    const ask = (account: string, sql: string) => runForAccount(account, () => lane.rows(sql));
    const asked = [ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3'), ask('b', 'b1'), ask('c', 'c1')];
    await settle();
    const running = () =>
      sessions.flatMap((session) => session.running.map(({ sql }) => sql)).sort();
    const finish = async (sql: string) => {
      sessions.find((session) => session.running[0]?.sql === sql)?.finish();
      await settle();
    };
    expect(running()).toEqual(['a1', 'b1']);
    await finish('a1');
    expect(running()).toEqual(['a2', 'b1']);
    await finish('a2');
    expect(running()).toEqual(['b1', 'c1']);
    for (const sql of ['b1', 'c1', 'a3']) await finish(sql);
    await Promise.all(asked);
  });

  test('does not give a freed session to an account at its limit', async () => {
    const sessions = [new PausedSession(), new PausedSession()];
    const options = { name: 'fast', waitingMax: 9, servesClients: true, perAccountMax: 1 };
    const lane = new Lane(sessions, options);
    const asked = ['a1', 'b1', 'a2'].map((sql) =>
      runForAccount(sql.slice(0, 1), () => lane.rows(sql)),
    );
    await settle();
    sessions.find((session) => session.running[0]?.sql === 'b1')?.finish();
    await settle();
    expect(sessions.flatMap((session) => session.running.map(({ sql }) => sql))).toEqual(['a1']);
    for (let turn = 0; turn < 2; turn++) {
      for (const session of sessions) session.finish();
      await settle();
    }
    await Promise.all(asked);
  });

  test('refuses only the account that has too many waiting queries', async () => {
    const session = new PausedSession();
    const lane = new Lane([session], { name: 'fast', waitingMax: 1, servesClients: true });
    const ask = (account: string) => runForAccount(account, () => lane.rows(account));
    const asked = [ask('a'), ask('a')];
    await expect(ask('a')).rejects.toMatchObject({ status: 503 });
    asked.push(ask('b'));
    for (const _ of asked) {
      await settle();
      session.finish();
    }
    expect(await Promise.all(asked)).toEqual([[], [], []]);
  });

  test('ignores accounts if it serves no clients, even for work of a request', async () => {
    const session = new PausedSession();
    const lane = new Lane([session], { name: 'writer', waitingMax: 9, servesClients: false });
    const asked = ['a1', 'a2', 'a3', 'b1'].map((sql) =>
      runForAccount(sql.slice(0, 1), () => lane.rows(sql)),
    );
    const order: (string | undefined)[] = [];
    for (const _ of asked) {
      await settle();
      order.push(session.finish());
    }
    await Promise.all(asked);
    expect(order).toEqual(['a1', 'a2', 'a3', 'b1']);
  });
});
