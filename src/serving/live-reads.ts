import type { ChainStatus } from '../api/chain-status.ts';
import type {
  ApiDeps,
  PoolReads,
  SignalRepository,
  TokenReads,
  TriggerRepository,
  WebhookRepository,
} from '../api/deps.ts';
import type { Awaitable } from '../lib/awaitable.ts';
import { currentAccount, runForAccount } from '../lib/current-account.ts';
import type { LiveAnswer, LiveKind, LiveRowName } from './live-rows.ts';
import type { LiveView } from './live-view.ts';
import { unpackHolders } from './packed-holders.ts';
import type { RemoteCalls } from './remote-calls.ts';
import { SignalTable } from './signal-table.ts';

/** The reads of the API: current rows from memory, everything else from the engine thread. */
export function createLiveReads(
  view: LiveView,
  calls: RemoteCalls,
): Omit<ApiDeps, 'keys' | 'offchain' | 'social' | 'metrics' | 'nowMs' | 'steadyNowMs' | 'streams'> {
  const rows = new RowFetches(view, calls);
  return {
    chain: chainReads(view, calls),
    tokens: tokenReads(view, rows, calls),
    pools: poolReads(view, rows),
    candles: {
      read: (query) => calls.inTime(calls.call('candles', query)),
      lastBefore: (scope, beforeMs, candleView) =>
        calls.inTime(calls.call('lastCandle', { scope, beforeMs, view: candleView })),
    },
    indicators: {
      history: (query) => calls.inTime(calls.call('indicatorHistory', query)),
      atSlot: (pool, slot) => calls.inTime(calls.call('indicatorsAt', { pool, slot })),
    },
    wallets: { find: (address) => calls.inTime(calls.call('wallet', address)) },
    bundles: { page: (query) => calls.inTime(calls.call('bundles', query)) },
    fraud: {
      check: (query) => calls.inTime(calls.call('fraud', query)),
      find: (id) => calls.inTime(calls.call('classification', id)),
      review: (request) => calls.inTime(calls.call('review', request)),
    },
    triggers: triggerRepository(calls),
    signals: signalRepository(calls),
    webhooks: webhookRepository(calls),
  };
}

function triggerRepository(calls: RemoteCalls): TriggerRepository {
  return {
    add: (request) => calls.inTime(calls.call('triggerAdd', request)),
    update: (name, conditions) =>
      calls.inTime(calls.call('triggerUpdate', { ...name, conditions })),
    remove: (name) => calls.inTime(calls.call('triggerRemove', name)),
    page: (query) => calls.inTime(calls.call('triggers', query)),
    events: (query) => calls.inTime(calls.call('triggerEvents', query)),
  };
}

function webhookRepository(calls: RemoteCalls): WebhookRepository {
  return {
    add: (request) => calls.inTime(calls.call('webhookAdd', request)),
    list: (accountId) => calls.inTime(calls.call('webhooks', { accountId })),
    find: (name) => calls.inTime(calls.call('webhook', name)),
    remove: (name) => calls.inTime(calls.call('webhookRemove', name)),
    rotate: (name) => calls.inTime(calls.call('webhookRotate', name)),
    enable: (name) => calls.inTime(calls.call('webhookEnable', name)),
    test: (name) => calls.inTime(calls.call('webhookTest', name)),
    deliveries: (query) => calls.inTime(calls.call('webhookDeliveries', query)),
    redeliver: (name) => calls.inTime(calls.call('webhookRedeliver', name)),
  };
}

function signalRepository(calls: RemoteCalls): SignalRepository {
  // The table is shared: its calls do not count against any account.
  const table = new SignalTable((known) =>
    calls.inTime(runForAccount(null, () => calls.call('signalFigures', known))),
  );
  return {
    list: (query) => calls.inTime(calls.call('signals', query)),
    statistics: (query) => calls.inTime(table.statistics(query)),
    find: (rowId) => calls.inTime(calls.call('signal', rowId)),
  };
}

function chainReads(view: LiveView, calls: RemoteCalls): ChainStatus {
  return {
    freshness: (range) => view.freshness(range),
    sinceSlotMs: () => view.sinceSlotMs,
    standstill: () => view.standstill,
    readiness: () => calls.inTime(calls.call('readiness', null)),
    coverage: () => calls.inTime(calls.call('coverage', null)),
  };
}

// Reads of several rows restart once the missing rows have arrived: all rows are then taken from
// the view synchronously and are as of the same slot.

function tokenReads(view: LiveView, rows: RowFetches, calls: RemoteCalls): TokenReads {
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
  return {
    find,
    withHolders,
    holderPage: (query) => calls.inTime(calls.call('holderPage', query)),
    search: (query) => calls.inTime(calls.call('tokens', query)),
  };
}

function poolReads(view: LiveView, rows: RowFetches): PoolReads {
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
  return { find, withIndicators };
}

/**
 * Fetches rows that are not in the view, each of them once per account at a time. Accounts do not
 * share a fetch, because one would then wait in the queue of the other.
 */
class RowFetches {
  private readonly view: LiveView;
  private readonly calls: RemoteCalls;
  private readonly pending: Readonly<Record<LiveKind, Map<string, Promise<unknown>>>> = {
    token: new Map(),
    pool: new Map(),
    holders: new Map(),
    indicators: new Map(),
  };

  constructor(view: LiveView, calls: RemoteCalls) {
    this.view = view;
    this.calls = calls;
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

  /** A late answer is kept too, because its rows are being watched. */
  private fetch(names: readonly LiveRowName[]): Promise<LiveAnswer> {
    const keys = names.map((name) => [name.kind, fetchKey(name)] as const);
    const done = () => {
      for (const [kind, key] of keys) this.pending[kind].delete(key);
    };
    const answer = this.calls.call('rows', names).then((answered) => {
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
