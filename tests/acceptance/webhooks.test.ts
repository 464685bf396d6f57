import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ApiThread } from '../../src/bridge/api-thread.ts';
import { readBlock } from '../../src/chain/rpc-json/read-block.ts';
import type { SourceItem } from '../../src/chain/source.ts';
import { readConfig } from '../../src/config/config.ts';
import { openService, type Service } from '../../src/service/app.ts';
import { address } from '../support/build-transaction.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { itemSource } from '../support/item-source.ts';
import { marketBlocks } from '../support/market-blocks.ts';
import { listenHttp, type TestServer } from '../support/stranger-listeners.ts';
import { assertDocumentedDelivery } from '../support/stream-conformance.ts';

const KEY = 'webhooks-test-secret';
const CAT_SOL = address('cat-sol');
const FIRST_SLOT = 1_000;
const SLOTS = 40;
const BUYS = 5;

interface Received {
  readonly id: string;
  readonly timestamp: string;
  readonly signatures: readonly string[];
  readonly body: string;
}

function marketItems(): Extract<SourceItem, { kind: 'block' }>[] {
  return marketBlocks(SLOTS, FIRST_SLOT).map((value) => {
    const reading = readBlock(value);
    if (reading.status !== 'ok') throw new Error(`the block was ${reading.status}`);
    return { kind: 'block', block: reading.value };
  });
}

/** A service on one thread, its API and its sender on others, and a receiver. */
describe('A-19 a webhook of a service that follows a chain', () => {
  const dataDir = temporaryFolder();
  const items = marketItems();
  const received: Received[] = [];
  let status = 200;
  let receiver: TestServer;
  let service: Service;
  let api: ApiThread;
  let webhook: { readonly id: string; readonly secret: string };

  async function start(): Promise<void> {
    const config = readConfig({}, { dataDir, port: '0', logLevel: 'silent' });
    service = await openService(config);
    service.store.keys.installBootstrap(KEY);
    const limits = { rateLimitPerMinute: 10_000, rateLimitBurst: 1_000 };
    const place = { dataDir, host: '127.0.0.1', port: 0, openOps: true, simulation: null };
    api = await ApiThread.start(service, {
      settings: { ...limits, ...place, logLevel: 'silent' },
      lagMaxMs: 60_000,
      webhookPrivateOrigins: [`http://127.0.0.1:${receiver.port}`],
    });
  }

  async function stop(): Promise<void> {
    await api.close(1_000);
    await service.close();
  }

  beforeAll(async () => {
    receiver = await listenHttp((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        assertDocumentedDelivery(body);
        const { headers } = request;
        received.push({
          id: String(headers['webhook-id']),
          timestamp: String(headers['webhook-timestamp']),
          signatures: String(headers['webhook-signature']).split(' '),
          body,
        });
        response.writeHead(status).end();
      });
    });
    await start();
  });

  afterAll(async () => {
    await stop();
    await receiver.close();
  });

  async function ask(method: string, path: string, body?: object) {
    const answer = await fetch(`http://127.0.0.1:${api.port}${path}`, {
      method,
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }

  const until = (count: number) =>
    vi.waitFor(() => expect(received.length).toBeGreaterThanOrEqual(count), 15_000);
  const signed = ({ id, timestamp, body }: Received, secret: string) => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  };
  const firings = async () => (await ask('GET', '/v1/triggers/firings')).body.firings;

  /** Slots up to the one that fires the trigger, which a fork then replaces by an empty block. */
  async function* chainWithFork(): AsyncGenerator<SourceItem> {
    const { ingestion } = service;
    let index = 0;
    for (; (ingestion.engine.pool(CAT_SOL)?.buyCount ?? 0) <= BUYS; index++) {
      const item = items[index];
      if (item === undefined) throw new Error('the market is too short');
      yield item;
    }
    const [base, lost] = items.slice(index - 2, index).map(({ block }) => block);
    if (base === undefined || lost === undefined) throw new Error('it fires too early');
    yield { kind: 'undo', toSlot: base.slot, toBlockhash: base.blockhash ?? '' };
    yield {
      kind: 'block',
      block: { ...lost, blockhash: address('other block'), transactions: [] },
    };
  }

  test('can be added for a receiver that the operator allows, and delivers a ping', async () => {
    const wanted = ['trigger.fired', 'trigger.retracted'];
    const url = `http://127.0.0.1:${receiver.port}/hook?a=b`;
    const refused = await ask('POST', '/v1/webhooks', {
      url: 'http://127.0.0.1:1/',
      event_types: wanted,
    });
    expect(refused.status).toBe(422);
    const added = await ask('POST', '/v1/webhooks', { url, event_types: wanted });
    expect(added.status).toBe(201);
    webhook = { id: String(added.body.id), secret: String(added.body.secret) };
    const ping = await ask('POST', `/v1/webhooks/${webhook.id}/test`);
    await until(1);
    const [first] = received;
    if (first === undefined) throw new Error('nothing was received');
    expect(first.id).toBe(ping.body.id);
    expect(first.signatures).toEqual([signed(first, webhook.secret)]);
    expect(JSON.parse(first.body)).toMatchObject({
      type: 'ping',
      data: { webhook_id: webhook.id },
    });
    expect(receiver.requests[0]?.line).toBe('POST /hook?a=b');
  });

  test('receives firings and retractions exactly as the list of firings returns them', async () => {
    const conditions = [{ field: 'number_of_buys', operator: 'gt', value: String(BUYS) }];
    const trigger = { trigger_id: 'bought often', pair_address: CAT_SOL, conditions };
    expect((await ask('POST', '/v1/triggers/add', trigger)).status).toBe(201);
    await service.ingestion.ingest(itemSource(chainWithFork(), false));
    await until(3);
    const listed = (await firings()) as { readonly type: string }[];
    expect(listed.map(({ type }) => type)).toEqual(['trigger_fired', 'trigger_retracted']);
    const bodies = received.slice(1).map(({ body }) => JSON.parse(body));
    expect(bodies.map(({ type }) => type).toSorted()).toEqual([
      'trigger.fired',
      'trigger.retracted',
    ]);
    const ordered = bodies.toSorted((one, other) => one.data.seq - other.data.seq);
    const [fired, retracted] = ordered.map(({ data }) => data);
    // The firing was sent before it was retracted.
    const { retracted_at: retractedAt } = retracted;
    expect([{ ...fired, retracted_at: retractedAt }, retracted]).toEqual(listed);
    expect(fired.retracted_at).toBeNull();
    for (const one of received) expect(one.signatures).toEqual([signed(one, webhook.secret)]);
  });

  test('receives undelivered events after a restart, signed with both secrets', async () => {
    const rotated = await ask('POST', `/v1/webhooks/${webhook.id}/rotate-secret`);
    status = 500;
    const { length } = received;
    const ping = await ask('POST', `/v1/webhooks/${webhook.id}/test`);
    await until(length + 1);
    await stop();
    status = 200;
    await start();
    // The retry comes at most five seconds after the failure.
    await until(length + 2);
    const [failed, arrived] = received.slice(length);
    if (failed === undefined || arrived === undefined) throw new Error('nothing was received');
    expect([arrived.id, arrived.body]).toEqual([ping.body.id, failed.body]);
    expect(failed.id).toBe(arrived.id);
    expect(arrived.signatures).toEqual([
      signed(arrived, String(rotated.body.secret)),
      signed(arrived, webhook.secret),
    ]);
    await vi.waitFor(async () => {
      const log = await ask('GET', `/v1/webhooks/${webhook.id}/deliveries`);
      expect(log.body).toMatchObject({
        total: 4,
        deliveries: [{ state: 'delivered' }, {}, {}, {}],
      });
    });
  });

  test('is counted in the metrics, and its secret is never shown again', async () => {
    const answer = await fetch(`http://127.0.0.1:${api.port}/metrics`);
    const metrics = await answer.text();
    expect(metrics).toContain('mintscope_webhook_attempts_total{outcome="delivered"} 1');
    expect(metrics).toContain('mintscope_webhook_pending_deliveries 0');
    expect(metrics).toContain('mintscope_webhooks{state="active"} 1');
    const shown = [
      metrics,
      ...(await Promise.all(
        ['', `/${webhook.id}`, `/${webhook.id}/deliveries`].map(async (path) =>
          JSON.stringify(await ask('GET', `/v1/webhooks${path}`)),
        ),
      )),
    ];
    for (const text of shown) expect(text).not.toContain('whsec_');
  });

  test('is deleted together with its log', async () => {
    expect((await ask('DELETE', `/v1/webhooks/${webhook.id}`)).body).toMatchObject({
      status: 'removed',
    });
    expect((await ask('GET', `/v1/webhooks/${webhook.id}/deliveries`)).status).toBe(404);
    expect((await ask('GET', '/v1/webhooks')).body).toEqual({ webhooks: [] });
  });
});
