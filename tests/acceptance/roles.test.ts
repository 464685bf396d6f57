import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, temporaryFolder } from '../support/command-line.ts';
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
});
