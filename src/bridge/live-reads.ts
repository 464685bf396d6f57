import type { BatchReads } from '../api/batch-reads.ts';
import type { ChainStatus } from '../api/chain-status.ts';
import type { ApiDeps, PoolReads, SignalRepository } from '../api/deps.ts';
import { TRY_AGAIN } from '../api/schemas/error-responses.ts';
import type { TokenReads } from '../api/token-reads.ts';
import type { Awaitable } from '../lib/awaitable.ts';
import { currentAccount, runForAccount } from '../lib/current-account.ts';
import { ApiError } from '../model/errors.ts';
import { type LiveRowOf, liveBatches } from './live-batches.ts';
import type { LiveAnswer, LiveKind, LiveRowName } from './live-rows.ts';
import type { LiveView } from './live-view.ts';
import { unpackHolders } from './packed-holders.ts';
import type { RemoteCalls } from './remote-calls.ts';
import { remoteReads } from './remote-reads.ts';
import type { RemoteServiceReads, ServiceReads } from './service-reads.ts';
import { SignalTable } from './signal-table.ts';

type LiveReads = Omit<
  ApiDeps,
  | 'keys'
  | 'offchain'
  | 'social'
  | 'metrics'
  | 'simulation'
  | 'nowMs'
  | 'steadyNowMs'
  | 'streams'
  | 'hub'
>;

/**
 * The reads of the API: current rows from memory, statistics of signals from a table of this thread,
 * everything else from the other thread.
 */
export function createLiveReads(view: LiveView, calls: RemoteCalls): LiveReads {
  const remote = remoteReads<ServiceReads>((name, args) => calls.inTime(calls.call(name, args)));
  const { past } = remoteReads<ServiceReads>((name, args) =>
    calls.inPastTime(calls.call(name, args)),
  );
  const rows = new RowFetches(view, calls);
  const {
    candles,
    indicators,
    wallets,
    bundles,
    trades,
    exports,
    fraud,
    triggers,
    webhooks,
    rules,
    detectors,
    backtests,
  } = remote;
  return {
    candles,
    indicators,
    past,
    wallets,
    bundles,
    trades,
    exports,
    fraud,
    triggers,
    webhooks,
    rules,
    detectors,
    backtests,
    batches: batchReads(rows, remote),
    reached: view.reached,
    publications: () => view.counts.publications,
    chain: chainReads(view, remote),
    tokens: tokenReads(view, rows, remote),
    pools: poolReads(view, rows, remote),
    signals: signalReads(calls, remote),
  };
}

function signalReads(
  calls: RemoteCalls,
  { signals: { list, listWithRules, find, figures } }: RemoteServiceReads,
): SignalRepository {
  // The table is shared by all accounts: what it reads must not wait behind one account's requests.
  const table = new SignalTable((known) => runForAccount(null, () => figures(known)));
  return {
    list,
    listWithRules,
    find,
    statistics: (query) => calls.inTime(table.statistics(query)),
  };
}

function batchReads(
  rows: RowFetches,
  { batches: { pools, wallets, fraudChecks } }: RemoteServiceReads,
): BatchReads {
  return { ...liveBatches((read) => rows.together(read)), pools, wallets, fraudChecks };
}

function chainReads(
  view: LiveView,
  { chain: { readiness, coverage } }: RemoteServiceReads,
): ChainStatus {
  return {
    freshness: (range) => view.freshness(range),
    sinceSlotMs: () => view.sinceSlotMs,
    standstill: () => view.standstill,
    readiness,
    coverage,
  };
}

// Reads of several rows restart once the missing rows have arrived: all rows are then taken from
// the view synchronously and are as of the same slot.

function tokenReads(
  view: LiveView,
  rows: RowFetches,
  { tokens: { holderPage, topTraders, firstBuyers, holderCounts, search } }: RemoteServiceReads,
): TokenReads {
  const find: TokenReads['find'] = (address) => {
    const token = view.get('token', address);
    return token === undefined
      ? rows.missing([{ kind: 'token', address }], () => find(address))
      : token;
  };
  const withHolders: TokenReads['withHolders'] = (mint) => {
    const token = view.get('token', mint);
    const holders = view.get('holders', mint);
    if (token === null) return null;
    if (token !== undefined && holders !== undefined) {
      return { token, holders: unpackHolders(holders) };
    }
    return rows.missing(
      [
        { kind: 'token', address: mint },
        { kind: 'holders', address: mint },
      ],
      () => withHolders(mint),
    );
  };
  return { find, withHolders, holderPage, topTraders, firstBuyers, holderCounts, search };
}

function poolReads(
  view: LiveView,
  rows: RowFetches,
  { pools: { list, listing } }: RemoteServiceReads,
): PoolReads {
  const find: PoolReads['find'] = (address) => {
    const pool = view.get('pool', address);
    return pool === undefined
      ? rows.missing([{ kind: 'pool', address }], () => find(address))
      : pool;
  };
  const withIndicators: PoolReads['withIndicators'] = (address) => {
    const pool = view.get('pool', address);
    const indicators = view.get('indicators', address);
    if (pool === null || indicators === null) return null;
    if (pool !== undefined && indicators !== undefined) return { pool, indicators };
    const missing: LiveRowName[] = [];
    if (pool === undefined) missing.push({ kind: 'pool', address });
    if (indicators === undefined) missing.push({ kind: 'indicators', address });
    return rows.missing(missing, () => withIndicators(address));
  };
  return { find, withIndicators, list, listing };
}

/** Rows that depend on others are known at the second attempt. */
const WHOLE_FROM_ATTEMPT = 3;
const ATTEMPTS_MAX = 8;

/**
 * Fetches rows that are not in the view, each of them once per account at a time. Accounts do not
 * share a fetch, because one would then wait in the queue of the other.
 */
class RowFetches {
  private readonly view: LiveView;
  private readonly calls: RemoteCalls;
  /** Without a time limit: an answer that is late for its request is still of use to the next. */
  private readonly remote: RemoteServiceReads;
  private readonly pending: Readonly<Record<LiveKind, Map<string, Promise<unknown>>>> = {
    token: new Map(),
    pool: new Map(),
    holders: new Map(),
    indicators: new Map(),
  };

  constructor(view: LiveView, calls: RemoteCalls) {
    this.view = view;
    this.calls = calls;
    this.remote = remoteReads<ServiceReads>((name, args) => calls.call(name, args));
  }

  /** Runs `read` once the view has the rows. */
  async missing<Result>(
    names: readonly LiveRowName[],
    read: () => Awaitable<Result>,
  ): Promise<Result> {
    const known = names.map((name) => this.pending[name.kind].get(fetchKey(name)));
    const unfetched = names.filter((_, index) => known[index] === undefined);
    const answers = [...known.filter((answer) => answer !== undefined)];
    if (unfetched.length > 0) answers.push(this.fetch(unfetched));
    await this.calls.inTime(Promise.all(answers));
    return await read();
  }

  /**
   * The result of a read of many rows, all of them as of the same slot: it is repeated with the rows
   * that it lacked until it lacks none. Rows may leave the view while others are fetched, so that
   * later attempts fetch all of them at once. Throws ApiError 503 if that does not help.
   */
  together<Result>(read: (row: LiveRowOf) => Result, attempt = 1): Awaitable<Result> {
    const wanted: LiveRowName[] = [];
    const lacking: LiveRowName[] = [];
    const result = read((kind, address) => {
      const value = this.view.get(kind, address);
      wanted.push({ kind, address });
      if (value === undefined) lacking.push({ kind, address });
      return value;
    });
    if (lacking.length === 0) return result;
    if (attempt >= ATTEMPTS_MAX) throw new ApiError(503, TRY_AGAIN);
    const again = () => this.together(read, attempt + 1);
    return attempt < WHOLE_FROM_ATTEMPT
      ? this.missing(lacking, again)
      : this.calls.inTime(this.fetch(wanted)).then(again);
  }

  /** A late answer is kept too, because its rows are being watched. */
  private fetch(names: readonly LiveRowName[]): Promise<LiveAnswer> {
    const keys = names.map((name) => [name.kind, fetchKey(name)] as const);
    const done = () => {
      for (const [kind, key] of keys) this.pending[kind].delete(key);
    };
    const answer = this.remote.rows.current(names).then((answered) => {
      this.view.keep(answered);
      return answered;
    });
    for (const [kind, key] of keys) this.pending[kind].set(key, answer);
    answer.then(done, done);
    return answer;
  }
}

function fetchKey({ address }: LiveRowName): string {
  return `${currentAccount() ?? ''} ${address}`;
}
