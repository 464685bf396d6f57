import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { credentials, status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { SourceItem } from '../../src/chain/source.ts';
import { metadataSet, mintCreated, slotFacts, transactionFacts } from '../support/build-facts.ts';
import { address } from '../support/build-transaction.ts';
import { RunningCommand, temporaryFolder } from '../support/command-line.ts';
import { GrpcReader, grpcClient } from '../support/grpc-client.ts';
import { itemSource } from '../support/item-source.ts';
import { openMarketService } from '../support/market-ingestion.ts';

const KEY = 'start-wiring-test-key';
const BURST = 77;
/** Private targets that third parties may point the service to; this machine stands for them. */
const INSIDE = ['https://127.0.0.1/secret', 'http://127.0.0.1/secret'] as const;
const SIGNALS = ['enterprise/v1/signals.proto', 'enterprise.v1.SignalStreamService'] as const;
/** Node cannot create certificates: without openssl the test of TLS is skipped. */
const OPENSSL = ['/usr/bin/openssl', '/usr/local/bin/openssl'].find(existsSync);

/** A block that creates a token whose metadata is at `uri`. */
function launchAt(slot: number, uri: string): SourceItem {
  const mint = address(uri);
  const events = [mintCreated(mint), metadataSet({ mint, name: 'Cat', symbol: 'CAT', uri })];
  const facts = slotFacts(slot, slot * 1_000, [transactionFacts({ txIndex: 0, events })]);
  return { kind: 'facts', facts };
}

/** A data folder with a token and a webhook for each private URL; returns the webhooks' ids. */
async function prepare(dataDir: string): Promise<readonly string[]> {
  const service = await openMarketService(dataDir);
  const items = INSIDE.map((uri, index) => launchAt(100 + index, uri));
  await service.ingestion.ingest(itemSource(items, true));
  const { keys, webhooks } = service.store;
  keys.installBootstrap(KEY);
  const ids = INSIDE.map((url) => {
    const request = { accountId: 'default', url, label: null, eventTypes: [] };
    return webhooks.add(request, `whsec_${Buffer.alloc(32).toString('base64')}`)?.id ?? '';
  });
  await service.close();
  return ids;
}

function makeCertificate(folder: string): { readonly cert: string; readonly key: string } | null {
  if (OPENSSL === undefined) return null;
  const files = { cert: join(folder, 'own.pem'), key: join(folder, 'own.key') };
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const holder = ['-nodes', '-days', '1', '-subj', '/CN=localhost'];
  const out = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', files.key, '-out', files.cert];
  execFileSync(OPENSSL, [...kind, ...holder, ...out], { stdio: 'ignore' });
  return files;
}

/** All protections against third parties, as `start` sets them up. */
describe('H-10 a started service', () => {
  const folder = temporaryFolder();
  const dataDir = join(folder, 'data');
  let certificate: ReturnType<typeof makeCertificate>;
  let webhookIds: readonly string[] = [];
  let server: RunningCommand;
  let url = '';
  let grpcPort = 0;

  beforeAll(async () => {
    certificate = makeCertificate(folder);
    webhookIds = await prepare(dataDir);
    const tls =
      certificate === null
        ? []
        : ['--grpc-tls-cert-file', certificate.cert, '--grpc-tls-key-file', certificate.key];
    const ports = ['--port', '0', '--grpc-port', '0', ...tls];
    const limits = ['--rate-limit-burst', String(BURST), '--state-memory', '48MiB'];
    const settings = ['--offchain', 'on', ...limits];
    server = new RunningCommand(
      ['start', '--no-simulate', '--data-dir', dataDir, ...ports, ...settings],
      { MINTSCOPE_BOOTSTRAP_KEY: KEY },
    );
    const [, port, grpc] = await server.shows(/"port":(\d+),"grpcPort":(\d+)/, 60_000);
    url = `http://127.0.0.1:${port}`;
    grpcPort = Number(grpc);
  });

  afterAll(async () => {
    server.process.kill('SIGKILL');
    await server.finished;
  });

  const ask = async (path: string, method = 'GET', body?: object) => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };

  test('S-01 fetches metadata neither from private addresses nor without encryption', async () => {
    const outcomes = async () => {
      const { text } = await ask('/metrics');
      const counts = [...text.matchAll(/^mintscope_offchain_fetches_total\{(.*)\} (\d+)$/gm)];
      return counts.map(([, labels, count]) => `${labels} ${count}`).sort();
    };
    const tries = (all: readonly string[]) =>
      all.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    const isCounted = async () => expect(tries(await outcomes())).toBe(2);
    await vi.waitFor(isCounted, { timeout: 120_000, interval: 250 });
    expect(await outcomes()).toEqual([
      'kind="metadata",outcome="address-not-public" 1',
      'kind="metadata",outcome="scheme-not-allowed" 1',
    ]);
  });

  test('S-01 A-19 sends no webhook to a private address and none without encryption', async () => {
    for (const id of webhookIds) await ask(`/v1/webhooks/${id}/test`, 'POST');
    const errorOf = async (id: string | undefined) => {
      const log = JSON.parse((await ask(`/v1/webhooks/${id}/deliveries`)).text);
      return log.deliveries[0]?.attempts[0]?.error ?? null;
    };
    const errors = () => Promise.all(webhookIds.map(errorOf));
    const isTried = async () => expect(await errors()).not.toContain(null);
    await vi.waitFor(isTried, { timeout: 120_000, interval: 250 });
    expect(await errors()).toEqual(['address-not-public', 'scheme-not-allowed']);
  });

  test('bounds its state as --state-memory says: pages and objects share it', async () => {
    const { text } = await ask('/metrics');
    const boundOf = (name: string) =>
      Number(new RegExp(`^mintscope_state_${name}_bytes_max (\\d+)$`, 'm').exec(text)?.[1]);
    const bounds = boundOf('page') + boundOf('object');
    expect(bounds).toBeLessThanOrEqual(48 * 2 ** 20);
    expect(bounds).toBeGreaterThan(40 * 2 ** 20);
  });

  test.each(INSIDE)('S-01 accepts no webhook at %s', async (target) => {
    const added = await ask('/v1/webhooks', 'POST', { url: target, event_types: ['signal.found'] });
    expect(added.status).toBe(422);
  });

  test('H-06 makes its folder and files accessible to their owner only', () => {
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
    expect(mode(dataDir)).toBe('700');
    const files = readdirSync(dataDir).filter((name) => /^(control|offchain)\.sqlite/.test(name));
    expect(files.length).toBeGreaterThan(1);
    for (const name of files) expect([name, mode(join(dataDir, name))]).toEqual([name, '600']);
  });

  test('A-01 answers operations only to this machine, and data only with a key', async () => {
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
    const headers = { 'x-forwarded-for': '192.0.2.1' };
    for (const path of ['/metrics', '/readyz', '/v1/coverage']) {
      expect([path, (await fetch(url + path, { headers })).status]).toEqual([path, 401]);
    }
  });

  test('A-16 limits requests as configured', async () => {
    const { headers } = await ask('/v1/coverage');
    expect(headers.get('ratelimit-policy')).toBe(`600;w=60;burst=${BURST}`);
  });

  test.skipIf(OPENSSL === undefined)(
    'serves gRPC with its certificate and not without encryption',
    async () => {
      if (certificate === null) throw new Error('there is no certificate');
      const read = (channel: ReturnType<typeof credentials.createSsl>) =>
        new GrpcReader(grpcClient(grpcPort, ...SIGNALS, channel), 'StreamSignals', { key: KEY });
      const trusting = read(credentials.createSsl(readFileSync(certificate.cert)));
      await trusting.admitted;
      trusting.close();
      const plain = read(credentials.createInsecure());
      expect((await plain.ended).code).toBe(status.UNAVAILABLE);
      plain.close();
    },
  );
});
