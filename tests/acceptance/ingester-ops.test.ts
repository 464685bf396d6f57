import { DiscardPolicy, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { RunningCommand } from '../support/command-line.ts';
import { FollowedChain } from '../support/followed-chain.ts';
import { HAS_NATS, NatsServers, warnWithoutNats } from '../support/nats.ts';

warnWithoutNats();

const STREAM = 'ops';
const START_MS = 300_000;

describe.skipIf(!HAS_NATS)('health and metrics of an ingester', () => {
  let nats: NatsServers;
  let chain: FollowedChain;
  let connection: NatsConnection;
  let ingester: RunningCommand;
  let url: string;

  const start = (...args: readonly string[]) =>
    new RunningCommand(['start', '--role', 'ingest', ...args], {
      SOLANA_RPC_URL: chain.endpoints[0]?.url ?? '',
      MINTSCOPE_RPC_REQUESTS_PER_SECOND: '500',
      MINTSCOPE_DECODE_WORKERS: '0',
      MINTSCOPE_NATS_URL: nats.url,
      MINTSCOPE_NATS_STREAM: STREAM,
      MINTSCOPE_NATS_REPLICAS: '1',
      MINTSCOPE_NATS_OLD_SERVERS: 'allow',
    });
  const get = async (path: string) => {
    const answer = await fetch(url + path);
    return { status: answer.status, text: await answer.text() };
  };

  beforeAll(async () => {
    nats = await NatsServers.start(1);
    chain = await FollowedChain.start({ slots: 60 });
    connection = await connect({ servers: [...nats.addresses] });
    ingester = start('--port', '0');
    const [, port = ''] = await ingester.shows(/"port":(\d+),"msg":"listening"/, START_MS);
    url = `http://127.0.0.1:${port}`;
    chain.run(50);
  });

  afterAll(async () => {
    ingester?.process.kill('SIGKILL');
    await connection?.close();
    await chain?.[Symbol.asyncDispose]();
    await nats?.close();
  });

  test('say that it lives, writes and is ready, in the form of the service', async () => {
    await vi.waitFor(async () => {
      const { text } = await get('/metrics');
      expect(text).toMatch(/^mintscope_ingester_writing 1$/m);
      expect(text).toMatch(/^mintscope_ingester_sequence [1-9]\d*$/m);
      expect(text).toMatch(/^mintscope_ingester_lag_slots \d+$/m);
      expect(text).toMatch(/^mintscope_source_nodes\{state="well"\} 1$/m);
      expect(text).toMatch(/^process_resident_memory_bytes /m);
    }, START_MS);
    expect(await get('/livez')).toEqual({ status: 200, text: '{"status":"live"}' });
    const ready = await get('/readyz');
    expect(ready.status).toBe(200);
    expect(JSON.parse(ready.text)).toMatchObject({
      status: 'ready',
      checks: { role: { ok: true, detail: 'appends to the log' }, log: { ok: true } },
    });
    expect((await get('/v1/coverage')).status).toBe(404);
  });

  test('say that the stream is full, and that it is not any more', async () => {
    const manager = await jetstreamManager(connection);
    const { state } = await manager.streams.info(STREAM);
    await manager.streams.update(STREAM, { max_bytes: state.bytes, discard: DiscardPolicy.New });
    await vi.waitFor(async () => {
      const { status, text } = await get('/readyz');
      expect([status, JSON.parse(text)]).toMatchObject([
        503,
        {
          code: 503,
          message: expect.stringMatching(/log: .*takes no more steps .*raise its limit/),
        },
      ]);
    }, START_MS);
    expect((await get('/metrics')).text).toContain(
      'mintscope_ingester_log_failing{reason="full"} 1\n',
    );
    expect((await get('/livez')).status).toBe(200);
    await manager.streams.update(STREAM, { max_bytes: -1, discard: DiscardPolicy.Old });
    await vi.waitFor(async () => expect((await get('/readyz')).status).toBe(200), START_MS);
  });

  test('are not served to other machines, nor without a port', async () => {
    const forwarded = await fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': '10.0.0.1' } });
    expect([forwarded.status, await forwarded.json()]).toMatchObject([
      403,
      { code: 403, message: expect.stringContaining('--open-ops') },
    ]);
    const silent = start();
    try {
      await silent.shows(/"this ingester waits"/, START_MS);
      expect(silent.output).not.toContain('"listening"');
    } finally {
      silent.process.kill('SIGKILL');
    }
  });

  test('end the process with a sentence when the port is taken', async () => {
    const { exitCode, stderr } = await start('--port', new URL(url).port).finished;
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/Cannot listen on .*EADDRINUSE/)]);
  });
});
