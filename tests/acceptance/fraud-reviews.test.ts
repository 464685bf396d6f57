import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiThread } from '../../src/bridge/api-thread.ts';
import { createRecordedSource } from '../../src/chain/recorded/recorded-source.ts';
import { readConfig } from '../../src/config/config.ts';
import { openService, type Service } from '../../src/service/app.ts';
import { buildClassification, classificationId } from '../support/build-classification.ts';
import { buildChanges } from '../support/build-records.ts';
import { address } from '../support/build-transaction.ts';
import { temporaryFolder, writeLines } from '../support/command-line.ts';
import { marketBlocks } from '../support/market-blocks.ts';

const KEY = 'fraud-reviews-test-key';
const MINT = address('cat mint');
const ID = classificationId(1);

/** The parts of a check and of a classification that the tests compare. */
interface FraudAnswer {
  readonly status: string;
  readonly review: readonly object[];
  readonly classifications: readonly { readonly id: string; readonly status: string }[];
}

/** A service with a small market, its API on another thread, and a finding stored by the test. */
describe('reviews of findings', () => {
  const dataDir = temporaryFolder();
  const blocks = writeLines(temporaryFolder(), 'blocks.jsonl', marketBlocks(4));
  let service: Service;
  let api: ApiThread;

  beforeEach(async () => {
    const config = readConfig({}, { dataDir, port: '0', logLevel: 'silent' });
    service = await openService(config);
    service.store.keys.installBootstrap(KEY);
    await service.ingestion.ingest(createRecordedSource([blocks]));
    const { host, port, logLevel, rateLimitPerMinute, rateLimitBurst, openOps } = config;
    const settings = { host, port, dataDir, logLevel, rateLimitPerMinute, rateLimitBurst, openOps };
    api = await ApiThread.start(service, {
      settings: { ...settings, simulation: null },
      lagMaxMs: 60_000,
    });
  });

  afterEach(async () => {
    await api.close(1_000);
    await service.close();
  });

  const ask = async (path: string, body?: object) => {
    const headers = { 'x-api-key': KEY, connection: 'close', 'content-type': 'application/json' };
    const answer = await fetch(`http://127.0.0.1:${api.port}${path}`, {
      headers,
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    const content: Partial<FraudAnswer> = JSON.parse(await answer.text());
    return { code: answer.status, content };
  };
  const check = async () => {
    const { code, content } = await ask(`/v1/fraud/check?token_address=${MINT}`);
    expect(code).toBe(200);
    return content.classifications?.map(({ id, status }) => [id, status]);
  };
  const detail = () => ask(`/v1/fraud/classifications/${ID}`);
  const review = (status: string, note?: string) =>
    ask(`/v1/fraud/classifications/${ID}/review`, { status, ...(note && { note }) });
  const write = (epoch: number) =>
    service.store.writer.writeBatch({
      slots: [],
      changes: [
        buildChanges(1_003, {
          classifications: [buildClassification({ finding: { mint: MINT } })],
        }),
      ],
      epoch,
    });

  test('go step by step from no finding to an active and then a reviewed finding', async () => {
    expect(await check()).toEqual([]);
    expect((await review('reviewed')).code).toBe(404);
    await write(service.store.cursor.epoch);
    expect(await check()).toEqual([[ID, 'active']]);
    expect((await review('confirmed')).code).toBe(409);
    const reviewed = await review('reviewed', 'Seen.');
    expect([reviewed.code, reviewed.content.status]).toEqual([200, 'reviewed']);
    expect(await check()).toEqual([[ID, 'reviewed']]);
    expect(reviewed.content.review).toMatchObject([
      { from: 'active', to: 'reviewed', account_id: 'default', note: 'Seen.' },
    ]);
  });

  test('survive a restart, also when their finding was missing for a while', async () => {
    expect(await check()).toEqual([[ID, 'reviewed']]);
    const { epoch } = service.store.cursor;
    await service.store.epochs.prepare(epoch);
    expect(await check()).toEqual([]);
    expect((await detail()).code).toBe(404);
    expect((await review('confirmed')).code).toBe(404);
    await write(epoch);
    expect((await detail()).content.status).toBe('reviewed');
    expect((await review('false_positive')).code).toBe(200);
    expect(await check()).toEqual([]);
    const { content } = await detail();
    expect([content.status, content.review?.length]).toEqual(['false_positive', 2]);
  });
});
