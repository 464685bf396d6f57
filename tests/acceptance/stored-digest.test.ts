import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiThread } from '../../src/bridge/api-thread.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Service } from '../../src/service/app.ts';
import { slotFacts, swapEvent, transactionFacts } from '../support/build-facts.ts';
import { address } from '../support/build-transaction.ts';
import { RunningCommand, temporaryFolder } from '../support/command-line.ts';
import { finalSlots, openMarketService } from '../support/market-ingestion.ts';
import { launch, SOL, TOKEN } from '../support/master-fixture.ts';

const KEY = 'stored-digest-test-key';
const START_MS = Date.UTC(2026, 0, 1);
/** A digest of another state. */
const OTHER = 'c0ffee00'.repeat(8);

function slots(from: number, to: number) {
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const slot = from + index;
    const buy = { trader: address(`${slot % 7}`), side: 'buy', baseRaw: TOKEN, quoteRaw: SOL };
    const trade = transactionFacts({ txIndex: 0, events: [swapEvent(buy as never)] });
    return slotFacts(slot, START_MS + slot * 400, [slot === 1 ? launch() : trade]);
  });
}

/** Names and contents of all files of a folder. */
function imageOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    files
      .filter((file) => file.isFile())
      .map(({ parentPath, name }) => {
        const path = join(parentPath, name);
        return [path, createHash('sha256').update(readFileSync(path)).digest('hex')];
      }),
  );
}

/** Runs `use` with the address of a service that answers each request with this coverage. */
async function withCoverage<Result>(
  coverage: object,
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  const server = createServer((_, answer) => answer.end(JSON.stringify(coverage)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
  }
}

async function digest(environment: Readonly<Record<string, string>>, ...args: string[]) {
  const command = new RunningCommand(['digest', ...args], environment);
  const { exitCode, stdout, stderr } = await command.finished;
  return { exitCode, output: stdout === '' ? null : JSON.parse(stdout), stderr };
}

describe('the digest of a stored state', () => {
  let dataDir: string;
  let service: Service;
  let digestAt650: string;
  let digestAt700: string;

  beforeAll(async () => {
    dataDir = temporaryFolder();
    service = await openMarketService(dataDir);
    // The end of each run makes a checkpoint.
    await service.ingestion.ingest(finalSlots(slots(1, 650)));
    digestAt650 = service.ingestion.engine.digest();
    await service.ingestion.ingest(finalSlots(slots(651, 700)));
    digestAt700 = service.ingestion.engine.digest();
  });

  afterAll(async () => {
    await service.close();
    rmSync(dataDir, { recursive: true });
  });

  test('is that of the service, at its last slot and at an earlier checkpoint', async () => {
    const newest = await digest({}, '--data-dir', dataDir, '--json');
    expect(newest.exitCode).toBe(0);
    expect(newest.output).toMatchObject({ slot: 700, digest: digestAt700, compared: null });
    expect(newest.output.parts).toEqual(service.ingestion.engine.parts());
    const atSlot = await digest({}, '--data-dir', dataDir, '--at-slot', '650', '--json');
    expect(atSlot.output).toMatchObject({ slot: 650, digest: digestAt650 });
    expect(digestAt650).not.toBe(digestAt700);
  });

  test('is compared with a running service at a slot that both have', async () => {
    const config = readConfig({}, { dataDir, port: '0', logLevel: 'silent' });
    const { host, port, logLevel, rateLimitPerMinute, rateLimitBurst, openOps } = config;
    const settings = {
      ...{ host, port, dataDir, logLevel, rateLimitPerMinute, rateLimitBurst, openOps },
      simulation: null,
    };
    service.store.keys.installBootstrap(KEY);
    const api = await ApiThread.start(service, { settings, lagMaxMs: 60_000 });
    try {
      const url = `http://127.0.0.1:${api.port}`;
      const both = ['--data-dir', dataDir, '--url', url, '--json'];
      const { exitCode, output } = await digest({ MINTSCOPE_API_KEY: KEY }, ...both);
      expect([exitCode, output.compared]).toEqual([
        0,
        {
          ...{ slot: 700, is_same: true, service_digest: digestAt700, differing_parts: [] },
          ...{ slots_compared: 2, oldest_slot: 650, newest_same_slot: 700, first_different: null },
        },
      ]);
      const coverage = {
        state: { slot: 700, digest: OTHER, parts: service.ingestion.engine.parts() },
        state_digests: [{ slot: 650, digest: digestAt650 }],
      };
      const services = await withCoverage(coverage, (other) =>
        digest({ MINTSCOPE_API_KEY: KEY }, '--url', url, '--with', other, '--json'),
      );
      expect([services.exitCode, services.stderr]).toEqual([1, '']);
      expect(services.output).toMatchObject({
        slot: 700,
        digest: digestAt700,
        compared: {
          ...{ is_same: false, slots_compared: 2, newest_same_slot: 650 },
          first_different: { slot: 700, service_digest: OTHER, differing_parts: [] },
        },
      });
      const refused = await digest({}, ...both);
      expect([refused.exitCode, refused.stderr]).toEqual([
        2,
        `mintscope: 127.0.0.1:${api.port} wants an API key: set MINTSCOPE_API_KEY to one, which "mintscope keys create" makes.\n`,
      ]);
    } finally {
      await api.close(1_000);
    }
  });

  test('is different from that of a service whose state differs in one part', async () => {
    const parts = service.ingestion.engine.parts();
    const [first, ...others] = parts;
    const coverage = {
      state: { slot: 700, digest: OTHER, parts: [{ ...first, sum: 'another' }, ...others] },
      state_digests: [{ slot: 650, digest: digestAt650 }],
    };
    const { exitCode, stdout, stderr } = await withCoverage(coverage, (url) => {
      const command = new RunningCommand(['digest', '--data-dir', dataDir, '--url', url]);
      return command.finished;
    });
    expect([exitCode, stderr]).toEqual([1, '']);
    expect(stdout.trimEnd().split('\n')).toEqual([
      'slot       700',
      expect.stringMatching(/^blockhash {2}\w+$/),
      `digest     ${digestAt700}`,
      ...parts.map(({ name, sum }) => `part       ${sum}  ${name}`),
      'compared   2 slots, 650 to 700',
      'same       at slot 650, the newest that is equal',
      `different  the service has ${OTHER} at slot 700, the first that differs`,
      `differs    ${first?.name}`,
    ]);
  });

  test('is different where a service has another at an earlier checkpoint only', async () => {
    const coverage = { state: null, state_digests: [{ slot: 650, digest: OTHER }] };
    const { exitCode, output } = await withCoverage(coverage, (url) =>
      digest({}, '--data-dir', dataDir, '--url', url, '--json'),
    );
    expect([exitCode, output.slot, output.digest]).toEqual([1, 650, digestAt650]);
    expect(output.compared).toEqual({
      ...{ slot: 650, is_same: false, service_digest: OTHER, differing_parts: null },
      ...{ slots_compared: 1, oldest_slot: 650, newest_same_slot: null },
      first_different: {
        slot: 650,
        digest: digestAt650,
        service_digest: OTHER,
        differing_parts: null,
      },
    });
  });

  test('is not compared with a service that has no slot in common, nor with two at once', async () => {
    const coverage = { state: null, state_digests: [{ slot: 600, digest: OTHER }] };
    const apart = await withCoverage(coverage, (url) =>
      digest({}, '--data-dir', dataDir, '--url', url),
    );
    expect([apart.exitCode, apart.stderr]).toEqual([
      2,
      'mintscope: The folder and the service have no slot in common: the folder has 700, 650; the service has 600. Repeat it after the next checkpoint.\n',
    ]);
    const two = await digest({}, '--data-dir', dataDir, '--with', 'http://127.0.0.1:1');
    expect([two.exitCode, two.stderr]).toEqual([
      2,
      'mintscope: --with compares two services: name the first one with --url, and leave out --data-dir.\n',
    ]);
  });

  test('names the slots that there are for one that is not there', async () => {
    const { exitCode, stderr } = await digest(
      {},
      '--data-dir',
      dataDir,
      '--at-slot',
      '699',
      '--json',
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain('There is no digest of slot 699: there are 700, 650');
  });

  test('leaves a folder that nobody uses as it is', async () => {
    await service.close();
    const before = imageOf(dataDir);
    const found = await digest({}, '--data-dir', dataDir, '--json');
    expect(found.output).toMatchObject({ slot: 700, digest: digestAt700 });
    expect(imageOf(dataDir)).toEqual(before);
    service = await openMarketService(dataDir);
  });
});
