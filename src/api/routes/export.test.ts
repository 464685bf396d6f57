import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  asOfFakeSlot,
  fakeApiDeps,
  MINT,
  OTHER_POOL,
  POOL,
  READ_KEY,
  SLOT,
  WRITE_KEY,
} from '../../../tests/support/fake-api-deps.ts';
import {
  fakeApiServer,
  getAsReader,
  sendAs,
  sharedApiServer,
} from '../../../tests/support/fake-api-server.ts';
import { ApiError } from '../../model/errors.ts';
import {
  EXPORT_FORMATS,
  EXPORT_KINDS,
  type ExportFormat,
  type ExportPortion,
  type PortionQuery,
} from '../../model/export.ts';
import { asSlot } from '../../model/units.ts';
import type { ExportReads } from '../deps.ts';

const SPAN = 'from=2025-01-15&to=2025-01-16T12:00:00Z';
const POINT = { throughSlot: SLOT, epoch: 3 };

/** Portions of one row each, or of `bytes`, without end if `count` is infinite. */
function portionsOf(count: number, bytes?: number) {
  const asked: PortionQuery[] = [];
  const exports: ExportReads = {
    begin: async () => asOfFakeSlot({ point: POINT, columns: ['slot', 'name'], empty: null }),
    portion: async (query) => {
      asked.push(query);
      const index = Number(query.after?.[0] ?? 0);
      const slot = asSlot(500 - index);
      const line = bytes === undefined ? `${slot},"Zoë"\n` : 'x'.repeat(bytes);
      return {
        ...{ bytes: Buffer.from(line), rows: 1, firstSlot: slot, lastSlot: slot },
        next: index + 1 < count ? [String(index + 1)] : null,
      };
    },
  };
  return { exports, asked };
}

const listening: FastifyInstance[] = [];

afterEach(async () => {
  for (const server of listening.splice(0)) await server.close();
});

/** A request to a server that listens, so that the client may read slowly. */
async function open(server: FastifyInstance, file = 'trades.csv'): Promise<IncomingMessage> {
  if (server.server.listening === false) {
    await server.listen({ port: 0, host: '127.0.0.1' });
    listening.push(server);
  }
  const { port } = server.server.address() as AddressInfo;
  const request = get({
    ...{ host: '127.0.0.1', port, path: `/v1/export/${file}?${SPAN}`, agent: false },
    headers: { 'x-api-key': READ_KEY },
  });
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return response;
}

describe.each(EXPORT_KINDS)('GET /v1/export/%s.csv', (kind) => {
  const url = `/v1/export/${kind}.csv`;

  test('is the rows of all portions, and what they are as its last line', async () => {
    const { exports, asked } = portionsOf(3);
    const response = await getAsReader(
      fakeApiServer({ exports }),
      `${url}?${SPAN}&token_address=${MINT}`,
    );
    const rows = 'slot,name\n500,"Zoë"\n499,"Zoë"\n498,"Zoë"\n';
    const manifest = {
      ...{ kind, token_address: MINT, pair_address: null },
      ...{ from: '2025-01-15', to: '2025-01-16T12:00:00Z', as_of_slot: SLOT },
      ...{ rows: 3, first_slot: 498, last_slot: 500 },
      sha256: createHash('sha256').update(rows).digest('hex'),
      ...{ gaps: [], gaps_total: 0 },
    };
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe(`${rows}# ${JSON.stringify(manifest)}\n`);
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${kind}.csv"`,
      'x-slot': String(SLOT),
      'x-complete': 'true',
    });
    const span = { fromMs: Date.UTC(2025, 0, 15), toMs: Date.UTC(2025, 0, 16, 12) };
    const query = { kind, format: 'csv', mint: MINT, pool: null, authors: null, ...span, ...POINT };
    expect(asked).toEqual([null, ['1'], ['2']].map((after) => ({ ...query, after })));
  });

  test('before the first stored slot has no rows', async () => {
    const { body } = await getAsReader(sharedApiServer(), `${url}?${SPAN}`);
    expect(body).toMatch(/^slot\n# \{.*"rows":0,"first_slot":null,"last_slot":null,.*\}\n$/);
  });

  test.each([
    ['', 400],
    ['?from=2025-01-15', 400],
    [`?${SPAN}&token_address=x`, 400],
    [`?${SPAN}&token=${MINT}`, 400],
    ['?from=2025-01-15&to=soon', 422],
    ['?from=2025-01-15&to=2025-01-15', 422],
    ['?from=2025-01-16&to=2025-01-15', 422],
    ['?from=2024-01-01&to=2025-01-01T00:00:01Z', 422],
    [`?${SPAN}&token_address=So11111111111111111111111111111111111111112`, 404],
  ])('%s is refused with %d', async (query, status) => {
    const response = await getAsReader(sharedApiServer(), `${url}${query}`);
    expect([response.statusCode, response.json().code]).toEqual([status, status]);
  });

  test('answers with the common error if the file cannot begin', async () => {
    // A Parquet file cannot be written without its schema.
    const exports: ExportReads = {
      begin: async () => asOfFakeSlot({ point: null, columns: ['slot'], empty: null }),
      portion: async () => Promise.reject(new Error('not reached')),
    };
    const parquet = url.replace('.csv', '.parquet');
    const response = await getAsReader(fakeApiServer({ exports }), `${parquet}?${SPAN}`);
    expect(response.statusCode).toBe(500);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.headers['content-disposition']).toBeUndefined();
    expect(response.json()).toEqual({ code: 500, message: 'Internal server error.' });
  });

  test('needs a key with the scope read, and is not sent to HEAD', async () => {
    const server = sharedApiServer();
    expect((await sendAs(server, 'GET', `${url}?${SPAN}`)).statusCode).toBe(401);
    expect((await sendAs(server, 'GET', `${url}?${SPAN}`, WRITE_KEY)).statusCode).toBe(403);
    expect((await sendAs(server, 'HEAD', `${url}?${SPAN}`, READ_KEY)).statusCode).toBe(405);
  });
});

describe('the author of an export', () => {
  test.each(EXPORT_FORMATS)('of signals as %s is an account that the key is of', async (format) => {
    const reads = format === 'csv' ? portionsOf(2).exports : parquetPortions(2);
    const asked: PortionQuery[] = [];
    const portion: ExportReads['portion'] = (query) => {
      asked.push(query);
      return reads.portion(query);
    };
    const exports = { ...reads, portion };
    const url = `/v1/export/signals.${format}?${SPAN}`;
    const server = fakeApiServer({ exports });
    const response = await getAsReader(server, `${url}&author=operator,account`);
    expect(response.statusCode).toBe(200);
    expect(response.body).toContain('"author":"operator,account"');
    const authors = { isBuiltIn: false, ofRules: ['account of reader', 'operator'] };
    expect(asked.map((one) => one.authors)).toEqual([authors, authors]);
  });

  test('is refused for an account that is named, and where rules have no rows', async () => {
    const server = fakeApiServer();
    const url = `/v1/export/signals.csv?${SPAN}`;
    const named = await getAsReader(server, `${url}&author=account%20of%20writer`);
    expect(named.statusCode).toBe(422);
    for (const kind of EXPORT_KINDS.filter((one) => one !== 'signals')) {
      const other = await getAsReader(server, `/v1/export/${kind}.csv?${SPAN}&author=account`);
      expect([kind, other.statusCode]).toEqual([kind, 400]);
    }
  });

  test('is built_in by default, in a file without the columns of rules', async () => {
    const { asked, exports } = portionsOf(1);
    const server = fakeApiServer({ exports });
    const url = `/v1/export/signals.csv?${SPAN}`;
    const plain = await getAsReader(server, url);
    expect((await getAsReader(server, `${url}&author=built_in`)).body).toBe(plain.body);
    expect(asked.map(({ authors }) => authors)).toEqual([null, null]);
  });
});

/** Portions of two rows each, as files of their own. */
function parquetPortions(count: number) {
  const rowsFrom = (slots: readonly number[]) =>
    new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: 'slot', data: slots.map(BigInt), type: 'INT64', offsetIndex: false },
          {
            name: 'name',
            data: slots.map((slot) => `Zoë ${slot}`),
            type: 'STRING',
            offsetIndex: false,
          },
        ],
      }),
    );
  const exports: ExportReads = {
    begin: async () =>
      asOfFakeSlot({ point: POINT, columns: ['slot', 'name'], empty: rowsFrom([]) }),
    portion: async ({ after }) => {
      const index = Number(after?.[0] ?? 0);
      const slots = [10 * index, 10 * index + 1];
      return {
        ...{ bytes: rowsFrom(slots), rows: 2 },
        ...{ firstSlot: asSlot(10 * index), lastSlot: asSlot(10 * index + 1) },
        next: index + 1 === count ? null : [String(index + 1)],
      };
    },
  };
  return exports;
}

/** A megabyte in each portion, without end. */
function endless(format: ExportFormat) {
  if (format === 'csv') return portionsOf(Number.POSITIVE_INFINITY, 1_000_000);
  // Bytes that Snappy makes no shorter.
  const data = [randomBytes(1_000_000)];
  const columnData = [{ name: 'noise', data, type: 'BYTE_ARRAY' as const, offsetIndex: false }];
  const bytes = new Uint8Array(parquetWriteBuffer({ columnData }));
  const asked: PortionQuery[] = [];
  const exports: ExportReads = {
    begin: async () => asOfFakeSlot({ point: POINT, columns: ['noise'], empty: bytes }),
    portion: async (query) => {
      asked.push(query);
      return { bytes, rows: 1, firstSlot: asSlot(1), lastSlot: asSlot(1), next: ['1'] };
    },
  };
  return { exports, asked };
}

describe.each(EXPORT_KINDS)('GET /v1/export/%s.parquet', (kind) => {
  const url = `/v1/export/${kind}.parquet?${SPAN}`;

  test('is one file with the rows of all portions, and the manifest in its metadata', async () => {
    const response = await getAsReader(fakeApiServer({ exports: parquetPortions(3) }), url);
    const file = Uint8Array.from(response.rawPayload);
    expect(await parquetReadObjects({ file: file.buffer })).toEqual(
      [0, 1, 10, 11, 20, 21].map((slot) => ({ slot: BigInt(slot), name: `Zoë ${slot}` })),
    );
    const { key_value_metadata: entries, row_groups: groups } = parquetMetadata(file.buffer);
    expect(groups).toHaveLength(3);
    const trailer = Buffer.from(file).readUInt32LE(file.length - 8) + 8;
    const sha256 = createHash('sha256').update(file.subarray(0, -trailer)).digest('hex');
    expect(entries?.map(({ key, value = '' }) => [key, JSON.parse(value)])).toEqual([
      [
        'mintscope',
        {
          ...{ kind, token_address: null, pair_address: null },
          ...{ from: '2025-01-15', to: '2025-01-16T12:00:00Z', as_of_slot: SLOT },
          ...{ rows: 6, first_slot: 0, last_slot: 21, sha256, gaps: [], gaps_total: 0 },
        },
      ],
    ]);
    expect(response.headers).toMatchObject({
      'content-type': 'application/vnd.apache.parquet',
      'content-disposition': `attachment; filename="${kind}.parquet"`,
    });
  });

  test('before the first stored slot is a file without rows', async () => {
    const { data } = await parquetPortions(1).begin({} as never);
    const exports = {
      ...parquetPortions(1),
      begin: async () => asOfFakeSlot({ ...data, point: null }),
    };
    const { rawPayload } = await getAsReader(fakeApiServer({ exports }), url);
    expect(await parquetReadObjects({ file: Uint8Array.from(rawPayload).buffer })).toEqual([]);
  });

  test('whose later read fails is cut off before its metadata', async () => {
    const exports = parquetPortions(Number.POSITIVE_INFINITY);
    const portion: ExportReads['portion'] = async (query) => {
      if (query.after?.[0] === '2') throw new ApiError(503, 'The store is busy.');
      return await exports.portion(query);
    };
    const response = await open(
      fakeApiServer({ exports: { ...exports, portion } }),
      `${kind}.parquet`,
    );
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    await new Promise((resolve) => response.on('close', resolve));
    expect(response.complete).toBe(false);
    expect(() => parquetMetadata(Uint8Array.from(Buffer.concat(chunks)).buffer)).toThrow();
  });
});

describe('an export', () => {
  test.each([
    [`trades.csv?${SPAN}&pair_address=${POOL}`, 200],
    [`trades.csv?${SPAN}&pair_address=${POOL}&token_address=${MINT}`, 200],
    [`trades.csv?${SPAN}&pair_address=${OTHER_POOL}&token_address=${MINT}`, 404],
    [`trades.csv?${SPAN}&pair_address=So11111111111111111111111111111111111111112`, 404],
    [`findings.csv?${SPAN}&pair_address=${POOL}`, 200],
    [`swaps.csv?${SPAN}`, 404],
    [`trades.json?${SPAN}`, 404],
  ])('%s answers %d', async (path, status) => {
    expect((await getAsReader(sharedApiServer(), `/v1/export/${path}`)).statusCode).toBe(status);
  });

  test('lists the gaps that may touch its span, the newest first', async () => {
    const { chain } = fakeApiDeps();
    const gap = (from: number, afterMs: number) => ({
      ...{ from: asSlot(from), to: asSlot(from + 1), reason: 'lost', sinceMs: 0, tries: 1 },
      ...{ afterMs, beforeMs: afterMs + 1_000 },
    });
    const noon = Date.UTC(2025, 0, 15, 12);
    const gaps = [gap(10, noon - 86_400_000), gap(20, noon), gap(30, noon + 60_000)];
    const coverage = async () => ({ ...(await chain.coverage()), gaps });
    const server = fakeApiServer({ chain: { ...chain, coverage }, ...portionsOf(1) });
    const { body } = await getAsReader(server, `/v1/export/trades.csv?${SPAN}`);
    const listed = [30, 20].map((from) => ({ from_slot: from, to_slot: from + 1 }));
    expect(body).toContain(`"gaps":${JSON.stringify(listed)},"gaps_total":2}`);
  });

  test('whose first read fails is refused', async () => {
    const busy = async (): Promise<ExportPortion> => {
      throw new ApiError(503, 'The store is busy.');
    };
    const { exports } = portionsOf(1);
    const server = fakeApiServer({ exports: { ...exports, portion: busy } });
    const response = await getAsReader(server, `/v1/export/trades.csv?${SPAN}`);
    expect([response.statusCode, response.json().message]).toEqual([503, 'The store is busy.']);
  });

  test('whose later read fails is cut off without a manifest', async () => {
    const { exports } = portionsOf(3);
    const portion: ExportReads['portion'] = async (query) => {
      if (query.after?.[0] === '2') throw new ApiError(503, 'The store is busy.');
      return await exports.portion(query);
    };
    const response = await open(fakeApiServer({ exports: { ...exports, portion } }));
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    await new Promise((resolve) => response.on('close', resolve));
    expect(response.complete).toBe(false);
    expect(Buffer.concat(chunks).toString()).not.toContain('#');
  });

  /** A busy machine sends slowly. */
  const PATIENT = { timeout: 120_000 };

  test.each(EXPORT_FORMATS)(
    'as %s reads no further than the client does, and no more once it has left',
    async (format) => {
      const { exports, asked } = endless(format);
      const response = await open(fakeApiServer({ exports }), `trades.${format}`);
      // The socket's buffers take a few megabytes; then nothing is read until the client reads.
      await vi.waitFor(async () => {
        const before = asked.length;
        await new Promise((resolve) => setTimeout(resolve, 200));
        expect(asked.length).toBe(before);
      }, PATIENT);
      expect(asked.length).toBeLessThan(30);
      const unread = asked.length;
      response.on('data', () => undefined);
      await vi.waitFor(() => expect(asked.length).toBeGreaterThan(unread + 30), PATIENT);
      response.destroy();
      await vi.waitFor(async () => {
        const before = asked.length;
        await new Promise((resolve) => setTimeout(resolve, 100));
        expect(asked.length).toBe(before);
      }, PATIENT);
    },
    90_000,
  );

  test('counts as open until its client has left: a third of an account waits', async () => {
    const { exports } = portionsOf(Number.POSITIVE_INFINITY, 1_000_000);
    const server = fakeApiServer({ exports });
    const first = await open(server);
    const second = await open(server, 'candles.csv');
    let isThirdOpen = false;
    const third = open(server, 'signals.csv').then((response) => {
      isThirdOpen = true;
      return response;
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(isThirdOpen).toBe(false);
    first.destroy();
    (await third).destroy();
    second.destroy();
    expect(isThirdOpen).toBe(true);
  });
});
