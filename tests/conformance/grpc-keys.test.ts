import { status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAILURES_PER_MINUTE_MAX, FailedKeys } from '../../src/api/http/failed-keys.ts';
import { createRateLimiter } from '../../src/api/http/rate-limit.ts';
import type { BoundedGrpcServer } from '../../src/api/streams/grpc/bounded-grpc-server.ts';
import { createGrpcServer } from '../../src/api/streams/grpc/grpc-server.ts';
import { StreamLimit } from '../../src/api/streams/stream-limit.ts';
import { bindGrpc } from '../../src/bridge/listen.ts';
import { fakeApiDeps, READ_KEY, WRITE_KEY } from '../support/fake-api-deps.ts';
import { GrpcReader, grpcClient } from '../support/grpc-client.ts';

const FILE = 'guardis/marketdata/v1/market_data.proto';
const SERVICE = 'guardis.marketdata.v1.MarketDataService';
const METHOD = 'StreamMarketData';
const VERSIONED = { 'x-api-version': '1.2.3', 'x-simulated': 'true' };

let server: BoundedGrpcServer;
let port = 0;

beforeAll(async () => {
  server = createGrpcServer(
    // The time stands still, so that the count of wrong keys does.
    { ...fakeApiDeps(), nowMs: () => 1_700_000_000_000 },
    {
      rateLimiter: createRateLimiter({ perMinute: 600, burst: 100 }),
      streamLimit: new StreamLimit(),
      failedKeys: new FailedKeys(),
      service: VERSIONED,
    },
  );
  port = await bindGrpc(server, '127.0.0.1', { port: 0, tlsCertFile: null, tlsKeyFile: null });
});

afterAll(() => server.forceShutdown());

type Given = readonly (readonly [name: string, text: string])[];

function call(given: Given): GrpcReader {
  return new GrpcReader(grpcClient(port, FILE, SERVICE), METHOD, { given });
}

/** The status of a call that is refused, or `admitted`. */
async function outcomeOf(given: Given): Promise<status | 'admitted'> {
  const reader = call(given);
  const outcome = await Promise.race([
    reader.admitted.then(() => 'admitted' as const),
    reader.ended.then(({ code }) => code),
  ]);
  reader.close();
  return outcome;
}

describe('the key of a call', () => {
  test.each<[string, Given]>([
    ['x-api-key', [['x-api-key', READ_KEY]]],
    ['authorization', [['authorization', `Bearer ${READ_KEY}`]]],
    ['authorization in small letters', [['authorization', `bearer ${READ_KEY}`]]],
    [
      'x-api-key, beside the authorization of a proxy',
      [
        ['x-api-key', READ_KEY],
        ['authorization', 'Bearer other'],
      ],
    ],
  ])('is read from %s', async (_where, given) => {
    expect(await outcomeOf(given)).toBe('admitted');
  });

  test.each<[string, Given, status]>([
    ['there is none', [], status.UNAUTHENTICATED],
    ['its scheme is another', [['authorization', `Basic ${READ_KEY}`]], status.UNAUTHENTICATED],
    ['it has no scheme', [['authorization', READ_KEY]], status.UNAUTHENTICATED],
    // A client of Node cannot repeat this name; a proxy would join its values like this.
    [
      'there are two',
      [['authorization', `Bearer ${READ_KEY}, Bearer ${READ_KEY}`]],
      status.UNAUTHENTICATED,
    ],
    [
      'x-api-key is repeated',
      [
        ['x-api-key', READ_KEY],
        ['x-api-key', READ_KEY],
      ],
      status.UNAUTHENTICATED,
    ],
    [
      'x-api-key is wrong, whatever authorization is',
      [
        ['x-api-key', 'other'],
        ['authorization', `Bearer ${READ_KEY}`],
      ],
      status.UNAUTHENTICATED,
    ],
    ['its scope is another', [['authorization', `Bearer ${WRITE_KEY}`]], status.PERMISSION_DENIED],
  ])('is refused if %s', async (_why, given, code) => {
    expect(await outcomeOf(given)).toBe(code);
  });

  test('of a stream that continues is checked where it was given', async () => {
    const reader = call([['authorization', `Bearer ${READ_KEY}`]]);
    let hasEnded = false;
    void reader.ended.then(() => {
      hasEnded = true;
    });
    await reader.admitted;
    // The key of an open stream is checked every 2.5 seconds.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(hasEnded).toBe(false);
    reader.close();
  });
});

describe('the version of the API', () => {
  test('is in the initial metadata of a call that is admitted', async () => {
    const reader = call([['x-api-key', READ_KEY]]);
    expect((await reader.initial).getMap()).toMatchObject(VERSIONED);
    reader.close();
  });

  test.each<[string, Given]>([
    ['without a key', []],
    ['without the scope', [['x-api-key', WRITE_KEY]]],
    [
      'with a wrong position',
      [
        ['x-api-key', READ_KEY],
        ['x-since', '-'],
      ],
    ],
  ])('is in the metadata of a call that is refused %s', async (_why, given) => {
    const reader = call(given);
    expect((await reader.ended).metadata.getMap()).toMatchObject(VERSIONED);
    reader.close();
  });
});

test('wrong keys in authorization count as guesses, and those of other schemes do not', async () => {
  const outcomes = async (text: string, count: number) => {
    const given: Given = [['authorization', text]];
    const sent = Array.from({ length: count }, () => outcomeOf(given));
    return new Set(await Promise.all(sent));
  };
  const refused = new Set([status.UNAUTHENTICATED]);
  expect(await outcomes('Basic guess', 2 * FAILURES_PER_MINUTE_MAX)).toEqual(refused);
  expect(await outcomes('Bearer guess', 2 * FAILURES_PER_MINUTE_MAX)).toContain(
    status.RESOURCE_EXHAUSTED,
  );
});
