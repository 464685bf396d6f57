import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  expectCanonical,
  FollowedChain,
  finalFor,
  followUntil,
  WatchedFaults,
} from '../../../../tests/support/followed-chain.ts';
import { monotonicClock } from '../../../lib/clock.ts';
import { ClusterCheck } from './cluster-check.ts';
import { createNodePool } from './create-node-pool.ts';
import { parseEndpoints } from './endpoint.ts';
import { RPC_TUNING } from './rpc-options.ts';

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A node that answers every request with these parts of an answer; null never answers. */
async function answering(parts: () => object | null): Promise<number> {
  const server = createServer((_, response) => {
    const body = parts();
    if (body !== null) response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function check(...nodes: readonly (() => object | null)[]) {
  const ports = await Promise.all(nodes.map(answering));
  const parsed = parseEndpoints(ports.map((port) => `http://127.0.0.1:${port}/secret-key`).join());
  if (parsed.status === 'refused') throw new Error(parsed.message);
  const { endpoints } = parsed;
  const clock = monotonicClock;
  const pool = createNodePool({ endpoints, tuning: RPC_TUNING, clock, random: () => 0.1 });
  const notices: string[] = [];
  const onNotice = (sentence: string) => notices.push(sentence);
  const clusters = new ClusterCheck({ pool, clock, againMs: 20, onNotice });
  const ending = new AbortController();
  await clusters.firstRound(ending.signal);
  return { pool, notices, clusters, ending, ports };
}

const says = (result: string) => () => ({ result });
const refuses = () => ({ error: { code: -32601, message: 'Method not found' } });

describe('nodes of several clusters', () => {
  it('are refused if they differ from the first one of the list, with both hashes in the sentence', async () => {
    const { pool, notices, ports } = await check(says(MAINNET), says(DEVNET), says(MAINNET));
    expect(pool.nodes.map(({ label }) => label)).toEqual([
      `127.0.0.1:${ports[0]}`,
      `127.0.0.1:${ports[2]}`,
    ]);
    expect(pool.status.map(({ state }) => state)).toEqual(['well', 'other-cluster', 'well']);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain(`127.0.0.1:${ports[1]} is on another chain and is not used`);
    expect(notices[0]).toContain(MAINNET);
    expect(notices[0]).toContain(DEVNET);
    expect(notices[0]).not.toContain('secret');
  });

  it('that do not support the request, or do not answer, are trusted and named', async () => {
    const { pool, notices, clusters } = await check(says(MAINNET), refuses, () => null);
    expect(clusters.isDone).toBe(true);
    expect(pool.nodes).toHaveLength(3);
    expect(notices).toHaveLength(2);
    expect(notices[0]).toMatch(/is trusted without it: .*rpc -32601/);
    expect(notices[1]).toContain('is trusted without it: no answer in 2000 ms');
  });

  it('that were trusted without an answer are refused when they answer later', async () => {
    let isSilent = true;
    const late = () => (isSilent ? null : { result: DEVNET });
    const { pool, clusters, ending } = await check(says(MAINNET), late);
    expect(pool.nodes).toHaveLength(2);
    isSilent = false;
    await clusters.run(ending.signal);
    expect(pool.status.map(({ state }) => state)).toEqual(['well', 'other-cluster']);
  });

  it('are not queried if there is only one node', async () => {
    let questions = 0;
    const { clusters } = await check(() => {
      questions++;
      return { result: MAINNET };
    });
    expect(clusters.isDone).toBe(true);
    expect(questions).toBe(0);
  });

  it('yield a log of the first one only', async () => {
    const faults = new WatchedFaults();
    const options = { genesisHash: DEVNET, faults };
    await using chain = await FollowedChain.start({ nodes: [{}, { options, faults }] });
    chain.run(15);
    const followed = await followUntil(chain, finalFor(40));
    expectCanonical(chain, followed);
    expect(followed.source.status?.nodes[1]).toMatchObject({ state: 'other-cluster' });
    // Only the request for its chain.
    expect(faults.arrivalsMs).toHaveLength(1);
  });
});
