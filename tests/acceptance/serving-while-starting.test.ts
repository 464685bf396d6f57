import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { openService, restoreService, type Service } from '../../src/service/app.ts';
import { apiInThread } from '../support/api-in-thread.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { finalSlots } from '../support/market-ingestion.ts';
import { simulatedSlots } from '../support/simulated-slots.ts';
import { storedRows } from '../support/stored-rows.ts';

const KEY = 'serving-while-starting-secret';
const SLOTS = 160;
/** Slots of the log up to the stored state. */
const STORED = 60;
/** Bodies of answers with another state of these, at a slot before the end, differ. */
const MINTS = 4;

interface Answer {
  readonly status: number;
  readonly slot: number | null;
  readonly ageMs: number;
  readonly body: string;
}

/** A service and its API, which does not listen. */
interface Served {
  readonly service: Service;
  readonly ask: (url: string, body?: object) => Promise<Answer>;
  readonly close: () => Promise<void>;
}

async function served(service: Service): Promise<Served> {
  service.store.keys.installBootstrap(KEY);
  const app: FastifyInstance = await apiInThread(service);
  return {
    service,
    async ask(url, body) {
      const headers = { 'x-api-key': KEY };
      const request =
        body === undefined ? { url } : { url, method: 'POST' as const, payload: body };
      const response = await app.inject({ ...request, headers });
      const slot = response.headers['x-slot'];
      return {
        status: response.statusCode,
        slot: slot === undefined ? null : Number(slot),
        ageMs: Number(response.headers['x-data-age-ms']),
        body: response.body,
      };
    },
    async close() {
      await app.close();
      await service.close();
    },
  };
}

/** Ingests final slots into a folder, as one run of the service. */
async function run<Result>(
  dataDir: string,
  facts: readonly SlotFacts[],
  atEnd: (served: Served) => Promise<Result>,
): Promise<Result> {
  const service = await openService(configOf(dataDir));
  await service.ingestion.ingest(finalSlots(facts));
  const running = await served(service);
  const result = await atEnd(running);
  await running.close();
  return result;
}

function configOf(dataDir: string) {
  return readConfig({}, { dataDir, solUsdFallback: '150', logLevel: 'silent' });
}

/** The stored state is that of an early slot, as after a long time without a checkpoint. */
describe('a service that starts with a long log after its stored state', () => {
  const facts = simulatedSlots('serving while starting', SLOTS);
  const [atState, atEnd] = [facts[STORED - 1], facts.at(-1)].map((each) => each?.slot ?? -1);
  const mints = tradedMints(facts.slice(0, STORED)).slice(0, MINTS);
  const [firstMint = ''] = mints;
  const ofState = mints.flatMap((mint) => [`/v1/token/${mint}`, `/v1/token/${mint}/holders`]);
  const ofRows = [
    `/v1/market/ohlc?token_address=${firstMint}&interval=1m`,
    `/v1/fraud/check?token_address=${firstMint}`,
    '/v1/signals?from_date=2020-01-01T00:00:00Z&to_date=2040-01-01T00:00:00Z',
  ];
  const folder = temporaryFolder();
  const kept = join(temporaryFolder(), 'state');
  let early: Map<string, Answer>;
  let late: Map<string, Answer>;
  let digest: string;
  let open: Served | null = null;
  let rows: Awaited<ReturnType<typeof storedRows>>;

  const answersOf = async ({ ask }: Served, urls: readonly string[]) => {
    const answers = new Map<string, Answer>();
    for (const url of urls) answers.set(url, await ask(url));
    return answers;
  };

  beforeAll(async () => {
    early = await run(folder, facts.slice(0, STORED), (all) => answersOf(all, ofState));
    cpSync(join(folder, 'state'), kept, { recursive: true });
    late = await run(folder, facts.slice(STORED), async (all) => {
      digest = all.service.ingestion.engine.digest();
      return await answersOf(all, [...ofState, ...ofRows]);
    });
    rows = await storedRows(folder);
  });

  /** The folder as it is if no checkpoint was completed since. */
  const startOver = async () => {
    rmSync(join(folder, 'state'), { recursive: true });
    cpSync(kept, join(folder, 'state'), { recursive: true });
    open = await served(await restoreService(configOf(folder)));
    return open;
  };
  const close = async () => {
    await open?.close();
    open = null;
  };
  afterEach(close);

  test('answers from the state at once, as of its slot', async () => {
    const { service, ask } = await startOver();
    for (const [url, { body, status, slot, ageMs }] of early) {
      const now = await ask(url);
      expect({ url, ...now, ageMs: 0 }).toEqual({ url, status, slot, body, ageMs: 0 });
      expect(now.slot).toBe(atState);
      expect(now.ageMs).toBeGreaterThanOrEqual(ageMs);
    }
    expect(service.ingestion.engine.lastSlot).toBe(atState);
  });

  test('answers from stored rows as of their end, which is later', async () => {
    const { ask } = await startOver();
    for (const url of ofRows) {
      const [now, then] = [await ask(url), late.get(url)];
      expect({ url, ...now, ageMs: 0 }).toEqual({ url, ...then, ageMs: 0 });
      expect([url, now.status, now.slot]).toEqual([url, 200, atEnd]);
    }
  });

  test('lists tokens from stored rows without windows, and refuses what is ranked by them', async () => {
    const { ask } = await startOver();
    const listed = await ask('/v1/tokens?per_page=100');
    expect([listed.status, listed.slot]).toEqual([200, atEnd]);
    const { items, total } = JSON.parse(listed.body) as {
      items: { token_address: string; windows: null }[];
      total: number;
    };
    expect(new Set(items.map(({ windows }) => windows))).toEqual(new Set([null]));
    expect(total).toBeGreaterThanOrEqual(mints.length);
    expect((await ask('/v1/tokens?min_volume_1h_usd=1')).status).toBe(503);
    expect((await ask('/v1/tokens?order_by=trending')).status).toBe(503);
    expect((await ask('/v1/pools')).status).toBe(503);
  });

  test('is live but not ready, and refuses what begins at the end of the log', async () => {
    const { service, ask } = await startOver();
    const ready = await ask('/readyz');
    expect(ready.status).toBe(503);
    expect(ready.body).toContain(`slot ${atState} of ${atEnd} is reached`);
    expect((await ask('/livez')).status).toBe(200);
    expect((await ask('/v1/triggers')).status).toBe(503);
    await service.ingestion.catchUp.run({});
    expect((await ask('/readyz')).status).toBe(200);
    expect((await ask('/v1/triggers')).status).toBe(200);
  });

  test('answers between slots of the log, ever later, and ends as if it had only applied', async () => {
    const { service, ask } = await startOver();
    const asked: Promise<Answer>[] = [];
    await service.ingestion.catchUp.run({
      onFold: (count) => void asked.push(ask(ofState[count % ofState.length] ?? '')),
    });
    const slots = (await Promise.all(asked)).map(({ status, slot }) =>
      status === 200 ? slot : -1,
    );
    expect(slots).toHaveLength(SLOTS - STORED);
    expect(slots).toEqual(slots.toSorted((one, other) => (one ?? 0) - (other ?? 0)));
    // Requests were answered while slots were left to apply, not all at the end.
    expect(new Set(slots).size).toBeGreaterThan(10);
    expect(service.ingestion.engine.digest()).toBe(digest);
    for (const [url, { status, slot, body }] of late) {
      expect({ url, ...(await ask(url)), ageMs: 0 }).toEqual({ url, status, slot, body, ageMs: 0 });
    }
    await close();
    expect(await storedRows(folder)).toEqual(rows);
  });

  test('can be stopped meanwhile: the next start continues', async () => {
    const stopping = new AbortController();
    const first = await startOver();
    await first.service.ingestion.catchUp.run({
      signal: stopping.signal,
      onFold: (count) => count === 20 && stopping.abort(),
    });
    const { engine, catchUp } = first.service.ingestion;
    expect([engine.lastSlot, catchUp.isDone]).toEqual([facts[STORED + 19]?.slot, false]);
    await close();
    const again = await openService(configOf(folder));
    expect(again.ingestion.engine.digest()).toBe(digest);
    await again.close();
    expect(await storedRows(folder)).toEqual(rows);
  });

  test('ingests nothing before the log is applied', async () => {
    const { service } = await startOver();
    await expect(service.ingestion.ingest(finalSlots(facts.slice(-1)))).rejects.toThrow(
      'the stored log is not applied yet',
    );
  });

  afterAll(() => rmSync(folder, { recursive: true }));
});

/** Mints that were traded, most often first. */
function tradedMints(facts: readonly SlotFacts[]): string[] {
  const counts = new Map<string, number>();
  for (const { transactions } of facts) {
    for (const { error, events } of transactions) {
      for (const event of error === null ? events : []) {
        if (event.kind === 'swap')
          counts.set(event.baseMint, (counts.get(event.baseMint) ?? 0) + 1);
      }
    }
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([mint]) => mint);
}
