import { describe, expect, test } from 'vitest';
import { loadNativeClient } from './native-client.ts';

const TOKEN = 'secret-token-3141';
const ENDPOINT = { url: 'https://node.example:443/', token: TOKEN, messageBytesMax: 77 };

interface Written {
  readonly opened: unknown[];
  readonly requests: Buffer[];
  isClosed: boolean;
}

/** A package whose reads return the given values in order. */
function fakePackage(reads: (() => Promise<Buffer | null>)[]) {
  const written: Written = { opened: [], requests: [], isClosed: false };
  const stream = {
    read: () => reads.shift()?.() ?? new Promise<Buffer>(() => undefined),
    writeRaw: async (request: Buffer) => void written.requests.push(request),
    close: () => {
      written.isClosed = true;
    },
  };
  const GrpcClient = {
    new: async (...parameters: unknown[]) => {
      written.opened.push(parameters);
      return {
        subscribe: async (request: Buffer) => {
          written.requests.push(request);
          return stream;
        },
      };
    },
  };
  return { written, load: async () => ({ GrpcClient }) };
}

async function openStream(reads: (() => Promise<Buffer | null>)[]) {
  const { written, load } = fakePackage(reads);
  const loading = await loadNativeClient(ENDPOINT, load);
  if (loading.kind !== 'loaded') throw new Error(loading.message);
  expect(loading.client.origin).toBe('node.example');
  return { written, stream: await loading.client.open(Uint8Array.of(1, 2)) };
}

describe('the native client', () => {
  test('says what to do when the package is not installed', async () => {
    const loading = await loadNativeClient(ENDPOINT, async () => {
      throw new Error('Cannot find package\nRequire stack');
    });
    expect(loading).toMatchObject({ kind: 'unavailable' });
    expect(loading).toMatchObject({
      message:
        '@triton-one/yellowstone-grpc/napi cannot be loaded (Cannot find package): run "npm install @triton-one/yellowstone-grpc@7.0.1", or use the client "grpc-js".',
    });
  });

  test('refuses a package of another shape', async () => {
    for (const shape of [null, {}, { GrpcClient: {} }]) {
      const loading = await loadNativeClient(ENDPOINT, async () => shape);
      expect(loading).toMatchObject({ kind: 'unavailable' });
    }
  });

  test('passes on address, token, limit and requests, and returns messages as bytes', async () => {
    const bytes = Buffer.of(9);
    const { written, stream } = await openStream([async () => bytes, async () => null]);
    expect(written.opened).toEqual([[ENDPOINT.url, TOKEN, { grpcMaxDecodingMessageSize: 77 }]]);
    stream.write(Uint8Array.of(3));
    expect(written.requests).toEqual([Buffer.of(1, 2), Buffer.of(3)]);
    expect(await stream.read()).toEqual({ kind: 'update', bytes });
    expect(await stream.read()).toMatchObject({ kind: 'ended', status: { code: 0 } });
  });

  test('reads the code from an error message, and shows no token', async () => {
    const { stream } = await openStream([
      async () => {
        throw new Error(`status: OutOfRange, message: "broadcast from 7", token ${TOKEN}`);
      },
    ]);
    const read = await stream.read();
    expect(read).toMatchObject({ kind: 'ended', status: { code: 11 } });
    expect(JSON.stringify(read)).not.toContain(TOKEN);
  });

  test('ends the stream when it cannot be opened', async () => {
    const load = async () => ({
      GrpcClient: {
        new: async () => {
          throw new Error('transport error');
        },
      },
    });
    const loading = await loadNativeClient(ENDPOINT, load);
    if (loading.kind !== 'loaded') throw new Error(loading.message);
    const stream = await loading.client.open(Uint8Array.of());
    stream.write(Uint8Array.of());
    const status = { code: 2, message: 'transport error' };
    expect(await stream.read()).toEqual({ kind: 'ended', status });
    stream.close();
  });

  test('ends a pending read when it is closed', async () => {
    const { written, stream } = await openStream([]);
    const read = stream.read();
    stream.close();
    expect(await read).toMatchObject({ kind: 'ended', status: { code: 1 } });
    expect(written.isClosed).toBe(true);
  });
});
