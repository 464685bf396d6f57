import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JetStreamStepLog } from '../../src/cluster/jetstream-step-log.ts';
import { connectToNats } from '../../src/cluster/nats-connection.ts';
import { decodeHead } from '../../src/cluster/step-head.ts';
import { StormChain } from '../chaos/storm-chain.ts';
import { RunningCommand, runCommand, temporaryFolder } from '../support/command-line.ts';
import { HAS_NATS, NatsServers, warnWithoutNats } from '../support/nats.ts';

warnWithoutNats();

const CHAIN = { SOLANA_RPC_URL: 'http://127.0.0.1:1' };

describe('roles of several machines', () => {
  it.each([
    ['fold', {}, 'The role fold needs a stream: set MINTSCOPE_NATS_URL to its NATS servers.'],
    [
      'ingest',
      CHAIN,
      'The role ingest needs a stream: set MINTSCOPE_NATS_URL to its NATS servers.',
    ],
    ['ingest', {}, 'The role ingest follows a chain: set SOLANA_RPC_URL to its nodes.'],
    [
      'ingest',
      { MINTSCOPE_YELLOWSTONE_URL: 'http://127.0.0.1:1', MINTSCOPE_FROM_SLOT: '7' },
      '--from-slot fetches from RPC nodes: set SOLANA_RPC_URL to some.',
    ],
    [
      'api',
      {},
      'The role api answers from replicas: name them with --replicas, such as http://fold-1:8080,http://fold-2:8080.',
    ],
  ])('say what %s lacks', async (role, environment, sentence) => {
    const args = ['start', '--role', role, '--data-dir', temporaryFolder()];
    const { exitCode, stderr } = await runCommand(args, environment);
    expect(stderr).toContain(sentence);
    expect(exitCode).toBe(2);
  });
});

describe.skipIf(!HAS_NATS)('roles with a NATS server', () => {
  let servers: NatsServers;
  beforeAll(async () => {
    servers = await NatsServers.start(1);
  });
  afterAll(() => servers.close());

  it('refuse a stream of more copies than there are servers, and name the setting', async () => {
    const { exitCode, stderr } = await runCommand(['start', '--role', 'ingest'], {
      ...CHAIN,
      MINTSCOPE_NATS_URL: servers.url,
      MINTSCOPE_NATS_OLD_SERVERS: 'allow',
      MINTSCOPE_NATS_REPLICAS: '3',
    });
    expect(stderr).toMatch(/The NATS servers refuse the stream: .* see --nats-replicas/);
    expect(exitCode).toBe(2);
  });

  it('refuse a server that is too old for production, unless a trial is declared', async () => {
    const version = await servers.version();
    const { stderr } = await runCommand(['start', '--role', 'ingest'], {
      ...CHAIN,
      MINTSCOPE_NATS_URL: servers.url,
      MINTSCOPE_NATS_REPLICAS: '5',
    });
    const isOld = /^2\.([0-9]\.|10\.([0-9]|1[0-9]|2[0-2])$)/.test(version);
    if (isOld) expect(stderr).toContain(`has version ${version}, and streams of versions before`);
    else expect(stderr).toContain('The NATS servers refuse the stream');
  });

  it('begin an empty stream in the past, and follow the chain after it', async () => {
    const chain = await StormChain.start('past', 1);
    chain.calm();
    chain.run(() => ({ headSlot: null, finalSlot: null }));
    const [first, second] = chain.canonical;
    if (first === undefined || second === undefined) throw new Error('the chain is empty');
    const newest = chain.tipSlot;
    const ingester = new RunningCommand(['start', '--role', 'ingest'], {
      SOLANA_RPC_URL: chain.url,
      MINTSCOPE_FROM_SLOT: String(second.block.slot),
      MINTSCOPE_NATS_URL: servers.url,
      MINTSCOPE_NATS_STREAM: 'past',
      MINTSCOPE_NATS_REPLICAS: '1',
      MINTSCOPE_NATS_OLD_SERVERS: 'allow',
      MINTSCOPE_RPC_REQUESTS_PER_SECOND: '500',
      MINTSCOPE_DECODE_WORKERS: '0',
    });
    const reading = new AbortController();
    const { signal } = reading;
    const access = { user: null, password: null, token: null, isEncrypted: false };
    const { addresses } = servers;
    const connection = await connectToNats({ ...access, addresses }, 'past', { signal });
    try {
      const stream = { name: 'past', replicas: 1, maxAgeMs: 3_600_000 };
      const log = await JetStreamStepLog.open(connection, stream);
      const slots: number[] = [];
      for await (const { head: line } of log.follow(1, { headsOnly: true, signal })) {
        const head = decodeHead(line ?? '');
        if (typeof head === 'string' || head.step.kind !== 'facts') continue;
        slots.push(head.step.slot);
        if (head.step.slot > newest) break;
      }
      const wanted = chain.canonical
        .map(({ block }) => block.slot)
        .filter((slot) => slot >= second.block.slot && slot <= newest);
      expect(wanted.length).toBeGreaterThan(20);
      expect(slots.slice(0, -1)).toEqual(wanted);
    } finally {
      reading.abort();
      ingester.process.kill('SIGTERM');
      await ingester.finished;
      await connection.close();
      await chain.close();
    }
  });
});
