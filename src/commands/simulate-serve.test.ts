import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CALM } from '../../simulator/faces/node/fault-settings.ts';
import { quickStream } from '../../tests/support/followed-chain.ts';
import { call } from '../../tests/support/node-client.ts';
import { TransferMarket } from '../../tests/support/transfer-market.ts';
import { type ServeOptions, serveRequestOf, serveSimulation } from './simulate-serve.ts';

const DEFAULTS: ServeOptions = { port: '8899', pace: '1', window: '300', past: '64' };

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mintscope-serve-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function faultFile(text: string): string {
  const path = join(folder, 'faults.json');
  writeFileSync(path, text);
  return path;
}

describe('the options of simulate --serve', () => {
  it('are parsed, with a fault file on top of the defaults', () => {
    const faults = faultFile('{"stall":0.5}');
    expect(serveRequestOf({ ...DEFAULTS, faults })).toEqual({
      port: 8_899,
      pace: 1,
      windowSlots: 300,
      pastSlots: 64,
      postsPort: null,
      yellowstonePort: null,
      faults: { ...CALM, stall: 0.5 },
    });
    expect(serveRequestOf({ ...DEFAULTS, pace: 'max' }).pace).toBe(Number.POSITIVE_INFINITY);
    expect(serveRequestOf({ ...DEFAULTS, pace: 'asked' }).pace).toBe(0);
    expect(serveRequestOf({ ...DEFAULTS, pace: '2.5' }).pace).toBe(2.5);
  });

  it.each([
    [{ port: '70000' }, '--port takes a whole number from 0 to 65535, not "70000".'],
    [{ port: 'x' }, '--port takes a whole number from 0 to 65535, not "x".'],
    [
      { yellowstonePort: '-1' },
      '--yellowstone-port takes a whole number from 0 to 65535, not "-1".',
    ],
    [{ pace: '0' }, '--pace takes a number above 0'],
    [{ pace: '-1' }, '--pace takes a number above 0'],
    [{ pace: 'NaN' }, '--pace takes a number above 0'],
    [{ window: '10' }, '--window takes a whole number from 64 to 100000, not "10".'],
    [{ past: '1.5' }, '--past takes a whole number from 0 to 100000, not "1.5".'],
    [{ faults: '/nowhere/faults.json' }, '--faults: cannot read /nowhere/faults.json'],
  ])('%j are refused naming the option', (options, message) => {
    expect(() => serveRequestOf({ ...DEFAULTS, ...options })).toThrow(message);
  });

  it('are refused for a fault file with an unknown field', () => {
    const faults = faultFile('{"tornado":1}');
    expect(() => serveRequestOf({ ...DEFAULTS, faults })).toThrow(/tornado is no fault\.$/);
    const broken = faultFile('{"stall":');
    expect(() => serveRequestOf({ ...DEFAULTS, faults: broken })).toThrow(/cannot read/);
  });
});

/** A market without posts. */
function silent(market: TransferMarket) {
  return Object.assign(market, { takePosts: () => [] });
}

describe('serving', () => {
  it('serves the requested past, advances by itself, and ends with a signal', async () => {
    const written: string[] = [];
    const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    const chain = new TransferMarket({ skipRate: 0 });
    const served = serveSimulation(
      serveRequestOf({ ...DEFAULTS, port: '0', pace: '100', past: '50' }),
      silent(chain),
    );
    await vi.waitFor(() => expect(written.length).toBeGreaterThan(0));
    spy.mockRestore();
    expect(written.join('')).toMatch(/^Simulated market, not the real chain\./);
    const port = Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(written.join(''))?.[1]);
    const slot = async () =>
      (await call(port, 'getSlot', { commitment: 'processed' })).result as number;
    const first = await slot();
    expect(first).toBeGreaterThanOrEqual(1_050);
    await vi.waitFor(async () => expect(await slot()).toBeGreaterThan(first));
    process.emit('SIGTERM');
    await served;
    await expect(slot()).rejects.toThrow(/ECONNREFUSED/);
  });

  it('streams the same blocks as a Yellowstone server on a given port', async () => {
    const written: string[] = [];
    const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    const served = serveSimulation(
      serveRequestOf({ ...DEFAULTS, port: '0', yellowstonePort: '0', pace: '100', past: '50' }),
      silent(new TransferMarket({ skipRate: 0 })),
    );
    await vi.waitFor(() => expect(written.length).toBeGreaterThan(0));
    spy.mockRestore();
    const url = /Yellowstone {2}(http:\/\/127\.0\.0\.1:\d+)/.exec(written.join(''))?.[1] ?? '';
    const port = Number(/JSON-RPC {3}http:\/\/127\.0\.0\.1:(\d+)/.exec(written.join(''))?.[1]);
    const ending = new AbortController();
    const blocks: { slot: number; blockhash: string }[] = [];
    for await (const item of quickStream(url)({ resumeSlot: () => null, signal: ending.signal })) {
      if (item.kind === 'block') blocks.push(item.block);
      if (blocks.length === 5) break;
    }
    ending.abort();
    for (const { slot, blockhash } of blocks) {
      const options = { maxSupportedTransactionVersion: 1, commitment: 'confirmed' };
      const answer = await call(port, 'getBlock', slot, options);
      expect(answer.result).toMatchObject({ blockhash });
    }
    process.emit('SIGTERM');
    await served;
  });

  it('reports an occupied port', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const served = serveSimulation(
      serveRequestOf({ ...DEFAULTS, port: String(port) }),
      silent(new TransferMarket()),
    );
    await expect(served).rejects.toThrow(`port ${port} (EADDRINUSE)`);
    await new Promise((resolve) => other.close(resolve));
  });
});
