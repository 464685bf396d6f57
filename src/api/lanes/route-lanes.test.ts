import { afterEach, expect, test, vi } from 'vitest';
import {
  fakeApiDeps,
  MINT,
  OTHER_MINT,
  POOL,
  READ_KEY,
  SLOT,
} from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer } from '../../../tests/support/fake-api-server.ts';
import { createServer } from '../server/server.ts';
import { AccountLane } from './account-lane.ts';
import { createAccountLanes, LANE_NAMES } from './lanes.ts';
import { laneOf } from './route-lanes.ts';

/** However busy the machine is. */
const PATIENT = { timeout: 120_000 };

const app = { close: async () => undefined as unknown };
afterEach(() => app.close());

test('every kind of path has the lane of its data source', () => {
  const paths = [
    '/v1/token/:token_address',
    '/v1/tokens',
    '/v1/signals/statistics',
    '/v1/socials/posts',
  ];
  expect(paths.map(laneOf)).toEqual(['current', 'query', 'statistics', 'export']);
  expect(['/v1/triggers/ws', '/livez', '/docs/*'].map(laneOf)).toEqual([null, null, null]);
  const streams = ['/v1/stream', '/v1/stream/sse', '/v1/stream/ticket', '/v1/session'];
  expect(streams.map(laneOf)).toEqual([null, null, null, null]);
  expect(laneOf('/v1/what-nobody-has-listed')).toBe('query');
});

test('a handler runs in its lane, and leaves it once it has answered', async () => {
  const lanes = createAccountLanes();
  const running: number[] = [];
  const { tokens, ...deps } = fakeApiDeps();
  const find: typeof tokens.find = (mint) => {
    running.push(lanes.current.running, lanes.query.running);
    return tokens.find(mint);
  };
  const server = createServer(
    { ...deps, tokens: { ...tokens, find } },
    { version: '1', rateLimitPerMinute: 600, rateLimitBurst: 100, openOps: false, lanes },
  );
  app.close = () => server.close();
  const mint = 'So11111111111111111111111111111111111111112';
  const headers = { 'x-api-key': READ_KEY };
  await server.inject({ url: `/v1/market/ohlc?token_address=${mint}`, headers });
  expect(running).toEqual([0, 1]);
  expect([lanes.current.running, lanes.query.running]).toEqual([0, 0]);
});

test.each([
  [`/v1/token/${MINT}`, 'current'],
  [`/v1/token/${MINT}/holders`, 'query'],
  [`/v1/indicators/current?pair_address=${POOL}`, 'current'],
] as const)('a read of %s as of a slot does not run in the lane %s', async (path, name) => {
  const lanes = createAccountLanes();
  const running: number[][] = [];
  const { past, tokens, pools } = fakeApiDeps();
  const noted = <Reads extends object>(reads: Reads): Reads =>
    new Proxy(reads, {
      get(target, method) {
        running.push([lanes.past.running, lanes[name].running]);
        return target[method as keyof Reads];
      },
    });
  const server = fakeApiServer(
    { past: noted(past), tokens: noted(tokens), pools: noted(pools) },
    { lanes },
  );
  app.close = () => server.close();
  const headers = { 'x-api-key': READ_KEY };
  await server.inject({ url: path, headers });
  const asOfSlot = `${path.includes('?') ? '&' : '?'}as_of_slot=${SLOT}`;
  await server.inject({ url: `${path}${asOfSlot}`, headers });
  expect(running).toEqual([
    [0, 1],
    [1, 0],
  ]);
});

test('a waiting request for a small answer is dropped when its client disconnects', async () => {
  const current = new AccountLane({
    ...{ runningMax: 1, openPerAccountMax: 1, waitingPerAccountMax: 9, waitMs: 60_000 },
  });
  const { promise, resolve } = Promise.withResolvers<null>();
  const read: string[] = [];
  const { tokens } = fakeApiDeps();
  const find: typeof tokens.find = (mint) => {
    read.push(mint);
    return promise;
  };
  const server = fakeApiServer(
    { tokens: { ...tokens, find, withHolders: find as typeof tokens.withHolders } },
    { lanes: { ...createAccountLanes(), current } },
  );
  app.close = () => server.close();
  const origin = await server.listen({ host: '127.0.0.1', port: 0 });
  const leaving = new AbortController();
  const ask = (mint: string, signal?: AbortSignal) =>
    fetch(`${origin}/v1/token/${mint}`, {
      headers: { 'x-api-key': READ_KEY },
      ...(signal && { signal }),
    });
  const first = ask(MINT);
  await vi.waitFor(() => expect(read).toEqual([MINT]), PATIENT);
  const left = expect(ask(OTHER_MINT, leaving.signal)).rejects.toThrow();
  await vi.waitFor(() => expect(current.waiting).toBe(1), PATIENT);
  leaving.abort();
  await left;
  await vi.waitFor(() => expect(current.waiting).toBe(0), PATIENT);
  resolve(null);
  await first;
  expect([read, current.refusals.gone]).toEqual([[MINT], 1]);
});

test('a handler runs for the account of its key, and a large answer counts until it is received', async () => {
  const lanes = createAccountLanes();
  const asked: unknown[] = [];
  for (const name of LANE_NAMES) {
    const run = lanes[name].run.bind(lanes[name]);
    vi.spyOn(lanes[name], 'run').mockImplementation((accountId, work, answer) => {
      asked.push([name, accountId, answer?.isHeld === true]);
      return run(accountId, work, answer);
    });
  }
  const server = createServer(fakeApiDeps(), {
    version: '1',
    rateLimitPerMinute: 600,
    rateLimitBurst: 100,
    openOps: false,
    lanes,
  });
  app.close = () => server.close();
  const mint = 'So11111111111111111111111111111111111111112';
  const headers = { 'x-api-key': READ_KEY };
  await server.inject({ url: `/v1/market/ohlc?token_address=${mint}`, headers });
  await server.inject({ url: `/v1/token/${mint}`, headers });
  const account = fakeApiDeps().keys.authenticate(READ_KEY)?.accountId;
  expect(account).toBeTypeOf('string');
  expect(asked).toEqual([
    ['query', account, true],
    ['current', account, false],
  ]);
});
