import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/support/command-line.ts';
import { FollowedChain, type NodeSetup } from '../../tests/support/followed-chain.ts';
import { SOON_MS } from '../../tests/support/slow-machine.ts';
import { readConfig } from '../config/config.ts';
import { lockFolder } from '../store/control/folder-lock.ts';
import { dataFolderAt } from '../store/data-folder.ts';
import type { Finding } from './doctor/finding.ts';
import { examine } from './doctor.ts';
import { simulatedFolder } from './service-folder.ts';

/** Findings for these addresses, without those of this machine. */
async function examineNodes(rpcUrl: string, requestsPerSecond = '20'): Promise<Finding[]> {
  const dataDir = join(temporaryFolder(), 'data');
  const findings = await examine(
    readConfig({}, { rpcUrl, dataDir, rpcRequestsPerSecond: requestsPerSecond }),
  );
  return findings.filter(({ subject }) => subject !== 'this machine');
}

async function examineNode(setup: NodeSetup): Promise<Record<string, Finding>> {
  await using chain = await FollowedChain.start({ slots: 80, nodes: [setup] });
  const findings = await examineNodes(chain.endpoints[0]?.url ?? '');
  return Object.fromEntries(findings.map((finding) => [finding.check, finding]));
}

describe.concurrent('the doctor', () => {
  it('passes a healthy node, and warns of old blocks and a short history', async () => {
    const found = await examineNode({});
    expect(Object.fromEntries(Object.values(found).map((one) => [one.check, one.status]))).toEqual({
      version: 'ok',
      health: 'ok',
      // The chain of the test has the genesis of mainnet, and began at the start of 2026.
      network: 'ok',
      history: 'warn',
      block: 'ok',
      age: 'warn',
      latency: 'ok',
      clock: 'ok',
      rate: 'ok',
    });
    expect(found.version?.message).toBe('runs 3.0.6');
    expect(found.network?.message).toBe('mainnet-beta');
    expect(found.block?.message).toMatch(/^slot \d+ in base64 with versions up to 1, \d+ trans/);
  });

  it('reports a network other than mainnet', async () => {
    const { network } = await examineNode({ options: { genesisHash: 'SimuLated1' } });
    expect(network).toMatchObject({
      status: 'warn',
      message: 'no public cluster (genesis SimuLated1)',
    });
  });

  it('reports an unhealthy node, and unusable blocks', async () => {
    const sick = await examineNode({ settings: { rpcErrors: { '-32005': 1 } } });
    expect(sick.health?.status).toBe('warn');
    const broken = await examineNode({ settings: { metaNull: 1 } });
    expect(broken.block?.status).toBe('fail');
    expect(broken.block?.advice).toContain('whole blocks');
  });

  it('reports a node that accepts fewer concurrent requests', async () => {
    const { rate } = await examineNode({ settings: { httpErrors: { 429: 0.3 }, seed: '4' } });
    expect(rate?.status).toBe('warn');
    expect(rate?.message).toMatch(/^\d+ of 20 requests .* http 429\)$/);
    expect(rate?.advice).toContain('--rpc-requests-per-second');
  });

  it('reports a closed port within a second, without showing a key', async () => {
    const startMs = performance.now();
    const found = await examineNodes('http://127.0.0.1:9/v1/my-secret-key?token=my-other-secret');
    expect(performance.now() - startMs).toBeLessThan(SOON_MS);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ status: 'fail', subject: '127.0.0.1:9', check: 'reachable' });
    expect(JSON.stringify(found)).not.toMatch(/secret/);
  });

  it('does not wait for a server that accepts the connection and never answers', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const startMs = performance.now();
    const [finding] = await examineNodes(`http://127.0.0.1:${port}/`);
    expect(performance.now() - startMs).toBeLessThan(SOON_MS);
    expect(finding).toMatchObject({ status: 'fail', message: expect.stringContaining('5000 ms') });
    silent.close();
  });

  it('distinguishes a web page from a node', async () => {
    const { reachable } = await examineNode({ settings: { html: 1 } });
    expect(reachable).toMatchObject({
      status: 'fail',
      advice: expect.stringContaining('not an RPC node'),
    });
  });

  it('checks each of several nodes', async () => {
    await using chain = await FollowedChain.start({ slots: 80 });
    const found = await examineNodes(`${chain.endpoints[0]?.url},http://127.0.0.1:9/`);
    const failed = found.filter(({ status }) => status === 'fail');
    expect(failed.map(({ subject }) => subject)).toEqual(['127.0.0.1:9']);
    expect(new Set(found.map(({ subject }) => subject)).size).toBe(2);
  });

  it.each([
    ['the data folder', (dataDir: string) => dataDir],
    ['the folder of a simulated market', simulatedFolder],
  ])('takes a port for that of the service which uses %s', async (_, folderOf) => {
    const dataDir = join(temporaryFolder(), 'data');
    const folder = folderOf(dataDir);
    mkdirSync(folder);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const port = String((server.address() as AddressInfo).port);
    const portStatus = async () => {
      const findings = await examine(readConfig({}, { dataDir, port }));
      return findings.find(({ check }) => check === 'port')?.status;
    };
    expect(await portStatus()).toBe('fail');
    const lock = lockFolder(folder, dataFolderAt(folder).lockFile);
    expect(await portStatus()).toBe('ok');
    lock.release();
    server.close();
  });

  it('warns if no node is configured', async () => {
    const findings = await examine(readConfig({}, { dataDir: join(temporaryFolder(), 'data') }));
    expect(findings[0]).toMatchObject({ status: 'warn', check: 'configured' });
  });
});
