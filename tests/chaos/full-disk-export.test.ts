import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { StoreError } from '../../src/model/errors.ts';
import { EXPORT_FORMATS } from '../../src/model/export.ts';
import type { Service } from '../../src/service/app.ts';
import { apiInThread } from '../support/api-in-thread.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { fullDisk } from '../support/device-faults.ts';
import { finalSlots, openMarketService } from '../support/market-ingestion.ts';
import { simulatedSlots } from '../support/simulated-slots.ts';

const KEY = 'full-disk-export-secret';
const SPAN = 'from=2026-01-01&to=2026-01-02';
const disk = temporaryFolder();
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs', disk]).status === 0;
if (!mounted)
  process.stderr.write('A full disk is not tested: no small disk can be mounted here.\n');

interface Download {
  readonly status: number;
  readonly bytes: Buffer;
  /** Whether the end that the transfer announces has arrived. */
  readonly isWhole: boolean;
}

/** The error that the store reports of a full disk. */
const noSpace = () =>
  new StoreError('Reading trades failed: No space left on device.', { isTransient: true });

const openFiles = () => readdirSync('/proc/self/fd').length;
const filesIn = (folder: string) => readdirSync(folder, { recursive: true }).map(String).sort();

describe('an export through HTTP while the disk is full (F-15)', () => {
  const dataDir = join(mounted ? disk : temporaryFolder(), 'data');
  let service: Service;
  let app: Awaited<ReturnType<typeof apiInThread>>;

  beforeAll(async () => {
    service = await openMarketService(dataDir);
    service.store.keys.installBootstrap(KEY);
    await service.ingestion.ingest(finalSlots(simulatedSlots('full disk', 120)));
    app = await apiInThread(service);
    await app.listen({ port: 0, host: '127.0.0.1' });
  });

  afterAll(async () => {
    vi.restoreAllMocks();
    await app.close();
    await service.close();
    if (mounted) spawnSync('umount', ['-l', disk]);
  });

  async function download(path: string): Promise<Download> {
    const { port } = app.server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}${path}`;
    const headers = { 'x-api-key': KEY };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { headers, agent: false }, resolve).on('error', reject);
    });
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', () => undefined);
    await new Promise<void>((resolve) => response.once('close', () => resolve()));
    const { statusCode: status = 0, complete: isWhole } = response;
    return { status, bytes: Buffer.concat(chunks), isWhole };
  }

  const fileOf = (format: string) => `/v1/export/trades.${format}?${SPAN}`;

  test.skipIf(!mounted).each(EXPORT_FORMATS)(
    'as %s is what it was before, since it writes nothing',
    async (format) => {
      const before = await download(fileOf(format));
      expect([before.status, before.isWhole]).toEqual([200, true]);
      expect(before.bytes.length).toBeGreaterThan(10_000);
      const fault = fullDisk(disk);
      fault.begin();
      try {
        expect(await download(fileOf(format))).toEqual(before);
      } finally {
        fault.end();
      }
    },
  );

  test.each(EXPORT_FORMATS)('as %s is refused with 503 if nothing can be read', async (format) => {
    const reading = vi.spyOn(service.store.exports, 'portion').mockRejectedValue(noSpace());
    const { status, bytes, isWhole } = await download(fileOf(format));
    reading.mockRestore();
    expect([status, isWhole]).toEqual([503, true]);
    expect(JSON.parse(bytes.toString())).toEqual({
      code: 503,
      message: expect.stringMatching(/^The service cannot read or write its store/),
    });
    expect((await download(fileOf(format))).status).toBe(200);
  });

  test.each(EXPORT_FORMATS)(
    'as %s is cut off before its end if the disk fills up midway, and leaves nothing behind',
    async (format) => {
      const whole = await download(fileOf(format));
      const files = filesIn(dataDir);
      const descriptors = openFiles();
      const { exports } = service.store;
      const portion = exports.portion.bind(exports);
      // The first portion is read, and there seem to be more.
      const reading = vi
        .spyOn(exports, 'portion')
        .mockImplementation(async (query) =>
          query.after === null
            ? { ...(await portion(query)), next: ['more'] }
            : Promise.reject(noSpace()),
        );
      for (let times = 0; times < 10; times++) {
        const { status, bytes, isWhole } = await download(fileOf(format));
        // A client sees by the transfer that it is not the whole file, and by the file, too.
        expect([status, isWhole]).toEqual([200, false]);
        expect(bytes.length).toBeGreaterThan(0);
        expect(bytes.subarray(-200).includes('sha256')).toBe(false);
      }
      reading.mockRestore();
      expect(await download(fileOf(format))).toEqual(whole);
      expect(filesIn(dataDir)).toEqual(files);
      // Sockets are closed soon after their last byte.
      const isReleased = () => expect(openFiles()).toBeLessThanOrEqual(descriptors);
      await vi.waitFor(isReleased, { timeout: 120_000 });
    },
  );
});
