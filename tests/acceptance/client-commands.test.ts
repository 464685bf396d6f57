import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { asSlot } from '../../src/model/units.ts';
import { buildClassification } from '../support/build-classification.ts';
import { address } from '../support/build-transaction.ts';
import { RunningCommand, runCommand, temporaryFolder } from '../support/command-line.ts';
import {
  asOfFakeSlot,
  CLASSIFICATION,
  fakeApiDeps,
  fakeHub,
  fakeToken,
  MINT,
  OTHER_MINT,
  READ_KEY,
  SLOT,
  WALLET,
  WRITE_KEY,
  withHolders,
} from '../support/fake-api-deps.ts';
import { fakeApiServer } from '../support/fake-api-server.ts';

/** A name that would erase the screen, begin a line of its own and reverse the text after it. */
const HOSTILE = 'Cat\u001b[2J\u001b[H\nmintscope: safe\u202e\u200b狗';
const HOSTILE_SHOWN = 'Cat\\u001b[2J\\u001b[H\\u000amintscope: safe\\u202e\\u200b狗';

let api: FastifyInstance;
let url = '';
const hub = fakeHub();
const others: Server[] = [];

beforeAll(async () => {
  const deps = fakeApiDeps();
  const hostile = fakeToken({ mint: MINT, name: HOSTILE, symbol: '狗狗币', decimals: 6 });
  api = fakeApiServer(
    {
      hub,
      tokens: {
        ...deps.tokens,
        withHolders: (mint) => withHolders(mint === MINT ? hostile : undefined, []),
      },
      fraud: {
        ...deps.fraud,
        check: async ({ mint }) =>
          asOfFakeSlot(
            mint === MINT ? [{ classification: buildClassification(), status: 'active' }] : [],
          ),
      },
    },
    { isSimulated: true },
  );
  await api.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(api.server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await api.close();
  for (const server of others) server.close();
});

const asReader = { MINTSCOPE_API_KEY: READ_KEY };
const ask = (args: readonly string[], environment: Readonly<Record<string, string>> = asReader) =>
  runCommand([...args, '--url', url], environment);

/** The address of a server that answers everything in the same way. */
async function serving(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  others.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a command that asks a running service', () => {
  test('prints a token with slot, age and completeness, and that it is simulated', async () => {
    const { stdout, stderr, exitCode } = await ask(['token', MINT]);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`as of slot ${SLOT}, 1.0 s old, complete, simulated`);
    expect(stdout).toContain(`address           ${MINT}\n`);
  });

  test('shows control characters of a name as escapes, each on the line of the name', async () => {
    const { stdout } = await ask(['token', MINT]);
    expect(stdout.split('\n')).toContain(`狗狗币  ${HOSTILE_SHOWN}`);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  test('prints the answer unchanged with --json', async () => {
    const { stdout, exitCode } = await ask(['token', MINT, '--json']);
    const answer = await fetch(`${url}/v1/token/${MINT}`, { headers: { 'x-api-key': READ_KEY } });
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`${await answer.text()}\n`);
  });

  test('takes the key from a file', async () => {
    const file = join(temporaryFolder(), 'key');
    writeFileSync(file, `${READ_KEY}\n`);
    expect((await ask(['wallet', WALLET, '--key-file', file], {})).exitCode).toBe(0);
  });

  test('prints a wallet that never traded as such', async () => {
    const { stdout } = await ask(['wallet', WALLET]);
    expect(stdout).toContain('No positions are known.');
  });

  test('prints each reason of a finding in full', async () => {
    const { stdout, exitCode } = await ask(['fraud', MINT]);
    expect(exitCode).toBe(0);
    const { finding } = buildClassification();
    expect(finding.evidence.length).toBeGreaterThan(0);
    for (const { description } of finding.evidence) expect(stdout).toContain(`- ${description}`);
  });

  test('says that a list is empty', async () => {
    expect((await ask(['fraud', OTHER_MINT])).stdout).toContain('No fraud pattern was found');
    // The clock of this service is that of 2025.
    expect((await ask(['signals', '--hours', '87600'])).stdout).toContain(
      'There are no signals from ',
    );
  });

  test('prints a finding as evidence of a report, with what is left to fill in', async () => {
    const { stdout, exitCode } = await ask(['fraud', 'report', CLASSIFICATION]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('2025/885');
    expect(stdout).toContain('entity_name: [to be filled]');
    expect(stdout).toContain('mintscope verify finding.json blocks/');
    const wrong = await ask(['fraud', 'report', 'one']);
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toContain('"one" is no ID of a finding');
  });
});

describe('a question without an answer ends with one sentence and a way out', () => {
  test.each([
    ['no key', ['token', MINT], {}, 1, /wants an API key: set MINTSCOPE_API_KEY/],
    [
      'a wrong key',
      ['token', MINT],
      { MINTSCOPE_API_KEY: 'tik_x' },
      1,
      /does not know this API key/,
    ],
    [
      'a key without the scope',
      ['token', MINT],
      { MINTSCOPE_API_KEY: WRITE_KEY },
      1,
      /scope read.*keys create/,
    ],
    ['what is no address', ['token', 'cat'], asReader, 2, /"cat" is no address/],
    [
      'an unknown token',
      ['token', address('unknown')],
      asReader,
      1,
      /This token is not known\..*coverage/,
    ],
    [
      'a limit that is no number',
      ['fraud', '--limit', 'all'],
      asReader,
      2,
      /--limit takes a whole number/,
    ],
    ['an unknown model', ['signals', '--model', 'best'], asReader, 2, /Allowed choices/],
    ['a topic that wants an address', ['watch', 'token'], asReader, 2, /requires token_address/],
    [
      'a parameter of other topics',
      ['watch', 'chain', '--side', 'buy'],
      asReader,
      2,
      /cannot be selected by --side/,
    ],
    [
      'a key file that is not there',
      ['token', MINT, '--key-file', '/nowhere'],
      asReader,
      2,
      /key file cannot be read/,
    ],
  ] as const)('%s', async (_, args, environment, code, sentence) => {
    const { stdout, stderr, exitCode } = await ask(args, environment);
    expect([exitCode, stdout]).toEqual([code, '']);
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toContain('    at ');
  });

  test.each([
    ['token', MINT],
    ['watch', 'chain'],
  ])('%s %s without a service', async (...args) => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    const { stderr, exitCode } = await runCommand([...args, '--url', `http://127.0.0.1:${port}`]);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      `mintscope: No service answers at 127.0.0.1:${port}: start one with "mintscope start", or name its address with --url.\n`,
    );
  });

  test('too many requests: says when to try again', async () => {
    const busy = await serving((_, reply) => {
      reply.writeHead(429, { 'retry-after': '7' }).end('{"code":429,"message":"Too many."}');
    });
    const { stderr } = await runCommand(['token', MINT, '--url', busy]);
    expect(stderr).toBe('mintscope: Too many. Try again in 7 s.\n');
  });

  test.each([
    ['text', 200, 'hello', 'answered something other than JSON'],
    [
      'another object',
      200,
      '{"token":{}}',
      'is no service of this version: its answer must have required properties',
    ],
    [
      'a page that is not there',
      404,
      '<html>\u001b[2J</html>',
      'answered with status 404 and is no service',
    ],
    ['a message for the terminal', 404, '{"message":"\\u001b[2J"}', '\\u001b[2J The service has'],
    ['an endless body', 200, 'x'.repeat(17 * 2 ** 20), 'answered with more than 16777216 bytes'],
  ])('an answer that is %s', async (_, status, body, sentence) => {
    const other = await serving((_request, reply) => reply.writeHead(status).end(body));
    const { stdout, stderr, exitCode } = await runCommand(['token', MINT, '--url', other]);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain(sentence);
    expect(stderr.trimEnd()).not.toMatch(/\p{Cc}/u);
  });

  test('the key is not sent to where a service refers', async () => {
    const keys: unknown[] = [];
    const target = await serving((request, reply) => {
      keys.push(request.headers['x-api-key']);
      reply.end();
    });
    const first = await serving((_, reply) => reply.writeHead(302, { location: target }).end());
    const { stderr } = await runCommand(['token', MINT, '--url', first], asReader);
    expect(stderr).toContain(`refers to ${target}: name that address with --url.`);
    expect(keys).toEqual([]);
  });
});

describe('watch', () => {
  const take = (slot: number) =>
    hub.take({
      slot: asSlot(slot),
      timeMs: null,
      solUsd: null,
      finalSlot: null,
      isUndone: false,
      items: [{ topic: 'chain' }],
    });

  test('prints messages until Ctrl+C, which ends it with 0', async () => {
    const command = new RunningCommand(['watch', 'chain', '--url', url], asReader);
    await vi.waitUntil(() => hub.subscriptions > 0, { timeout: 120_000 });
    take(1_000);
    await command.shows(/^1000 chain {2}- final - SOL -$/m);
    expect(command.errorOutput).toBe('The chain is simulated: nothing here is on a real one.\n');
    command.process.kill('SIGINT');
    expect(await command.finished).toMatchObject({ exitCode: 0, signal: null });
    await vi.waitUntil(() => hub.subscriptions === 0, { timeout: 120_000 });
  });

  test('prints what the service sends with --json, and ends quietly when its reader leaves', async () => {
    const command = new RunningCommand(['watch', 'chain', '--json', '--url', url], asReader);
    await vi.waitUntil(() => hub.subscriptions > 0, { timeout: 120_000 });
    take(1_001);
    const [line = ''] = await command.shows(/^\{.*"slot":1001.*\}$/m);
    expect(JSON.parse(line)).toEqual({
      id: 0,
      topic: 'chain',
      seq: expect.any(Number),
      slot: 1_001,
      data: { slot: 1_001, timestamp: null, final_slot: null, sol_price_usd: null },
    });
    command.process.stdout?.destroy();
    const ended = await vi.waitUntil(
      () => {
        take(1_002);
        return command.process.exitCode !== null;
      },
      { timeout: 120_000, interval: 50 },
    );
    expect(ended).toBe(true);
    const { exitCode, stderr } = await command.finished;
    expect(exitCode).toBe(0);
    expect(stderr).not.toContain('Error');
  });
});

test.each(['token', 'wallet', 'fraud', 'signals', 'watch'])(
  'the help of %s has an example, the key’s variable, and only options that it takes',
  async (name) => {
    const { stdout, exitCode } = await runCommand([name, '--help']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`Examples:\n  mintscope ${name}`));
    expect(stdout).toContain('MINTSCOPE_API_KEY');
    expect(stdout).not.toMatch(/--data-dir|--config|--api-key/);
  },
);
