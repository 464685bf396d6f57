import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { SourceItem } from '../../src/chain/source.ts';
import { readConfig } from '../../src/config/config.ts';
import type { IngestionSource } from '../../src/ingestion/ingestion-run.ts';
import type { WriteFailure } from '../../src/ingestion/write-recovery.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Address, Slot } from '../../src/model/units.ts';
import { openService, type Service } from '../../src/service/app.ts';
import { openControlPlane } from '../../src/store/control/control-plane.ts';
import { dataFolderAt } from '../../src/store/data-folder.ts';
import { apiInThread } from './api-in-thread.ts';
import { ofPool } from './build-trigger.ts';
import { itemSource } from './item-source.ts';
import { storedRows } from './stored-rows.ts';

/** Slots that may still be reverted, at every moment. */
const LAG = 3;
const WRITE_AFTER_MS = 50;
const ACCOUNT = 'account of the market';
const POLL_MS = 20;
const QUIET_MS = 500;

/** The content of a data folder that every run of the same chain must produce. */
export interface Outcome {
  readonly digest: string;
  readonly rows: Record<string, unknown>;
  readonly cursor: unknown;
  readonly ledger: unknown;
  readonly firings: unknown;
}

/**
 * A service with its API that follows a chain whose slots arrive as fast as they are accepted, with
 * triggers that fire repeatedly.
 */
export class FaultyMarket {
  readonly service: Service;
  readonly app: FastifyInstance;
  readonly key: string;
  /** Failures that began, and the durations of those that ended, as the service reported them. */
  readonly began: WriteFailure[] = [];
  readonly overMs: number[] = [];
  /** Slots that the source has delivered. */
  handedOver = 0;
  private isClosed = false;
  private readonly dataDir: string;
  private readonly stopping = new AbortController();
  private readonly pausing: number;
  private release: () => void = () => undefined;
  private readonly ingesting: Promise<unknown>;

  private constructor(parts: Pick<FaultyMarket, 'service' | 'app' | 'key'> & MarketParts) {
    this.service = parts.service;
    this.app = parts.app;
    this.key = parts.key;
    this.dataDir = parts.dataDir;
    this.pausing = parts.pauseAfter;
    const { ingestion } = this.service;
    ingestion.keepTrying({
      signal: this.stopping.signal,
      onFailing: (failure) => this.began.push(failure),
      onRecovered: (_, durationMs) => this.overMs.push(durationMs),
    });
    const source = this.sourceOf(parts.facts);
    const hooks = { writeAfterMs: WRITE_AFTER_MS, signal: this.stopping.signal };
    this.ingesting = ingestion.ingest(source, hooks);
    this.ingesting.catch(() => undefined);
  }

  /** After this many slots the source waits for `goOn`. */
  static async open(parts: MarketParts): Promise<FaultyMarket> {
    const settings = { dataDir: parts.dataDir, solUsdFallback: '150' };
    const service = await openService(readConfig({}, settings));
    const { store } = service;
    for (const [at, pool] of poolsOf(parts.facts).entries()) {
      for (let buys = 10; buys < parts.facts.length / 2; buys += 40) {
        const condition = { field: 'number_of_buys', operator: 'gt', value: String(buys) } as const;
        const triggerId = `pool ${at} bought ${buys} times`;
        store.triggers.add({
          accountId: ACCOUNT,
          triggerId,
          target: ofPool(pool),
          conditions: [condition],
        });
      }
    }
    const scopes = ['read', 'triggers:write', 'admin'] as const;
    const created = store.keys.create({
      accountId: ACCOUNT,
      scopes,
      label: 'market',
      expiresAtMs: null,
    });
    const app = await apiInThread(service, { openOps: true });
    return new FaultyMarket({ ...parts, service, app, key: created.text });
  }

  goOn(): void {
    this.release();
  }

  /** Waits until the service reports a write failure. */
  async untilFailing(): Promise<void> {
    await until(() => this.service.ingestion.status.failure !== null);
  }

  /** Waits until the source has stopped delivering. */
  async untilStill(): Promise<void> {
    for (let seen = -1; seen !== this.handedOver; ) {
      seen = this.handedOver;
      await delay(QUIET_MS);
    }
  }

  /**
   * Waits until all is stored again, together with a new slot. Returns the elapsed milliseconds.
   */
  async untilRecovered(): Promise<number> {
    const startMs = performance.now();
    const { ingestion, store } = this.service;
    const { slot } = store.cursor;
    await until(() => ingestion.status.failure === null && store.cursor.slot !== slot);
    return performance.now() - startMs;
  }

  async ask(url: string) {
    const headers = { 'x-api-key': this.key };
    return await this.app.inject({ url, headers });
  }

  async addTrigger(triggerId: string, pool: Address, buys: number) {
    return await this.app.inject({
      ...{ method: 'POST', url: '/v1/triggers/add', headers: { 'x-api-key': this.key } },
      payload: {
        trigger_id: triggerId,
        pair_address: pool,
        conditions: [{ field: 'number_of_buys', operator: 'gt', value: String(buys) }],
      },
    });
  }

  hasTrigger(triggerId: string): boolean {
    const { triggers } = this.service.store;
    const all = triggers.list(ACCOUNT, triggers.countOf(ACCOUNT), 0);
    return all.some((trigger) => trigger.triggerId === triggerId);
  }

  /** Follows the chain to its end, and returns the content of the folder. */
  async finish(): Promise<Outcome> {
    this.goOn();
    await this.ingesting;
    const digest = this.service.ingestion.engine.digest();
    await this.close();
    return { digest, rows: await storedRows(this.dataDir), ...controlOf(this.dataDir) };
  }

  /** Stops as a signal does; rejects with the error of the ingestion. */
  async stop(): Promise<unknown> {
    this.stopping.abort();
    this.goOn();
    try {
      return await this.ingesting;
    } finally {
      await this.close();
    }
  }

  /** Stops whatever runs; further calls do nothing. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.stopping.abort();
    this.goOn();
    await this.ingesting.catch(() => undefined);
    await this.app.close();
    await this.service.close();
  }

  private sourceOf(facts: readonly SlotFacts[]): IngestionSource {
    return itemSource(this.items(facts), false);
  }

  private async *items(facts: readonly SlotFacts[]): AsyncGenerator<SourceItem> {
    const open: Slot[] = [];
    for (const each of facts) {
      if (this.handedOver === this.pausing) {
        await new Promise<void>((resolve) => {
          this.release = resolve;
        });
      }
      this.handedOver++;
      yield { kind: 'facts', facts: each };
      open.push(each.slot);
      const final = open.length > LAG ? open.shift() : undefined;
      if (final !== undefined) yield { kind: 'final', slot: final };
      await nextTurn();
    }
    const last = open.at(-1);
    if (last !== undefined) yield { kind: 'final', slot: last };
  }
}

interface MarketParts {
  readonly dataDir: string;
  readonly facts: readonly SlotFacts[];
  readonly pauseAfter: number;
}

/** Pools in the order in which they are first traded. */
export function poolsOf(facts: readonly SlotFacts[]): Address[] {
  const pools = new Set<Address>();
  for (const { transactions } of facts.slice(0, 20)) {
    for (const { events } of transactions) {
      for (const event of events) if (event.kind === 'swap') pools.add(event.pool);
    }
  }
  return [...pools];
}

/** Content of the control database, without the times of firings, which depend on the clock. */
function controlOf(dataDir: string) {
  const control = openControlPlane(dataFolderAt(dataDir).controlFile);
  const all = (sql: string) => control.prepare(sql).all();
  const cursor = all('SELECT slot, is_dirty FROM cursor');
  const ledger = all('SELECT from_slot, to_slot, state FROM slot_ranges ORDER BY from_slot');
  const firings = all(
    'SELECT number, trigger_id, slot, figures, retraction_number FROM trigger_firings ORDER BY number',
  );
  control.close();
  return { cursor, ledger, firings };
}

async function until(isSo: () => boolean, timeoutMs = 150_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error('the condition was never met');
    await delay(POLL_MS);
  }
}
