import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { address, signature } from '../support/build-transaction.ts';
import {
  RunningCommand,
  runCommand,
  temporaryFolder,
  writeLines,
} from '../support/command-line.ts';
import { marketBlocks } from '../support/market-blocks.ts';
import { rawBlock } from '../support/raw-block.ts';

const PUMP = '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P';

describe('decode', () => {
  test('prints one event per line, with raw integers as strings and the position on the chain', async () => {
    const path = writeLines(temporaryFolder(), 'blocks.jsonl', marketBlocks(1));
    const { stdout, exitCode } = await runCommand(['decode', path, '--jsonl', '--kinds', 'swap']);
    expect(exitCode).toBe(0);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatchObject({
      kind: 'swap',
      slot: 1_000,
      txIndex: 0,
      outerIx: 0,
      innerIx: null,
      signature: signature('trade 1000 0'),
      terminal: null,
      program: 'raydium_cpmm',
      programId: 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C',
      pool: address('sol-usdc'),
      amountIn: expect.stringMatching(/^[0-9]+$/),
      amountOut: expect.stringMatching(/^[0-9]+$/),
    });
  });

  test('reports an instruction that cannot be decoded, with its signature', async () => {
    const block = rawBlock({
      slot: 7,
      transactions: [
        {
          signers: [address('someone')],
          signature: signature('strange'),
          instructions: [{ program: PUMP, data: new Uint8Array(16).fill(3) }],
        },
      ],
    });
    const path = writeLines(temporaryFolder(), 'strange.jsonl', [block]);
    const { stderr, exitCode } = await runCommand(['decode', path]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(`${signature('strange')}: pump instruction 0: unknown: `);
    expect(stderr).toContain('0303030303030303');
  });

  test('ends without an error when its output pipe is closed', () => {
    const path = writeLines(temporaryFolder(), 'many.jsonl', marketBlocks(300));
    const { stderr, status } = spawnSync('bash', [
      '-c',
      `set -o pipefail; "${process.execPath}" --disable-warning=ExperimentalWarning src/main.ts decode "${path}" | head -n 1 > /dev/null`,
    ]);
    expect(stderr.toString()).toBe('');
    expect(status).toBe(0);
  });

  test('ends with exit code 1 when nothing could be read', async () => {
    const path = join(temporaryFolder(), 'garbage.json');
    writeFileSync(path, '{"transactions": [');
    const { stderr, exitCode } = await runCommand(['decode', path]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('garbage.json');
  });

  test('refuses an unknown event kind and lists the known kinds', async () => {
    const { stderr, exitCode } = await runCommand(['decode', 'x', '--kinds', 'swaps']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^mintscope: There is no event kind "swaps": choose from swap, .*\n$/);
  });
});

describe('start', () => {
  test('refuses a replay path that does not exist before it listens', async () => {
    const args = ['start', '--replay', '/nowhere', '--data-dir', temporaryFolder(), '--port', '0'];
    const { stdout, stderr, exitCode } = await runCommand(args);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^mintscope: .*\/nowhere\n$/);
  });

  test.each([
    ['port', ['--port'], / \(EADDRINUSE\): choose another with --host or --port\.$/],
    ['gRPC port', ['--port', '0', '--grpc-port'], / for gRPC: choose another with --grpc-port\.$/],
  ])('reports in one sentence that its %s is in use', async (_, options, wayOut) => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const data = ['--data-dir', temporaryFolder()];
    const args = ['start', '--no-simulate', ...data, ...options, String(port)];
    const { stderr, exitCode } = await runCommand(args);
    taken.close();
    expect(exitCode).toBe(2);
    const [sentence, ...more] = stderr.trim().split('\n');
    expect(sentence).toContain(`mintscope: Cannot listen on 127.0.0.1 port ${port}`);
    expect(sentence).toMatch(wayOut);
    expect(more).toEqual([]);
  });

  test('prints a curl line for the bootstrap key without printing the key', async () => {
    const key = 'the-key-of-the-operator';
    const server = new RunningCommand(
      ['start', '--no-simulate', '--data-dir', temporaryFolder(), '--port', '0'],
      {
        MINTSCOPE_BOOTSTRAP_KEY: key,
      },
    );
    const [, url = ''] = await server.shows(/"X-API-Key: \$MINTSCOPE_BOOTSTRAP_KEY" (\S+)/);
    const good = await fetch(url, { headers: { 'x-api-key': key } });
    const bad = await fetch(url, { headers: { 'x-api-key': `${key}!` } });
    server.process.kill('SIGTERM');
    const { stdout, stderr, exitCode } = await server.finished;
    expect([good.status, bad.status, exitCode]).toEqual([200, 401, 0]);
    expect(stdout + stderr).not.toContain(key);
  });

  test('refuses a data folder that another process has locked', async () => {
    const dataDir = temporaryFolder();
    const server = new RunningCommand([
      'start',
      '--no-simulate',
      '--data-dir',
      dataDir,
      '--port',
      '0',
    ]);
    await server.shows(/listens on/);
    const second = await runCommand([
      'start',
      '--no-simulate',
      '--data-dir',
      dataDir,
      '--port',
      '0',
    ]);
    server.process.kill('SIGTERM');
    await server.finished;
    expect(second.exitCode).toBe(1);
    expect(second.stderr).toMatch(/^mintscope: .*in use.*\n$/);
  });
});

test('a secret on the command line is refused with where it is read from, and not repeated', async () => {
  for (const command of ['start', 'doctor']) {
    const { exitCode, stderr } = await runCommand([command, '--yellowstone-token', 'my-secret']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/--yellowstone-token is no option.*set MINTSCOPE_YELLOWSTONE_TOKEN/);
    expect(stderr).not.toContain('my-secret');
  }
  const help = await runCommand(['start', '--help']);
  expect(help.stdout).not.toContain('--yellowstone-token');
});

test('every invalid command line ends with exit code 2', async () => {
  const codes = await Promise.all(
    [['frobnicate'], ['start', '--prot', '1'], ['start', '--port', '99999']].map(
      async (args) => (await runCommand(args)).exitCode,
    ),
  );
  expect(codes).toEqual([2, 2, 2]);
});
