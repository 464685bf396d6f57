import { ServerCredentials, status } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildListing, SIGNAL_TIME_MS } from '../../../../tests/support/build-signal.ts';
import {
  ADMIN_KEY,
  fakeApiDeps,
  MINT,
  OTHER_MINT,
  POOL,
  READ_KEY,
  WRITE_KEY,
} from '../../../../tests/support/fake-api-deps.ts';
import { GrpcReader, grpcClient } from '../../../../tests/support/grpc-client.ts';
import { OPERATOR } from '../../../model/rule-change.ts';
import type { RuleSignalListing, StreamedSignal } from '../../../model/signal-listing.ts';
import { asSlot } from '../../../model/units.ts';
import { FailedKeys } from '../../http/failed-keys.ts';
import { createRateLimiter } from '../../http/rate-limit.ts';
import { SignalBody } from '../../present/present-signal.ts';
import { RuleSignal } from '../../present/signals-body.ts';
import { StreamLimit } from '../stream-limit.ts';
import { createGrpcServer } from './grpc-server.ts';

const IMAGE = 'https://example.org/t.png';
const STREAMS_MAX = 2;

const fakes = fakeApiDeps();
const deps = {
  ...fakes,
  offchain: {
    ...fakes.offchain,
    imageOf: (mint: string) => (mint === OTHER_MINT ? IMAGE : null),
  },
};
const streamLimit = new StreamLimit(STREAMS_MAX);
const server = createGrpcServer(deps, {
  rateLimiter: createRateLimiter({ perMinute: 600, burst: 100 }),
  streamLimit,
  failedKeys: new FailedKeys(),
});
let port = 0;

beforeAll(async () => {
  port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
});

const readers: GrpcReader[] = [];

/** A call that is closed is released as soon as the server learns of it. */
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.close();
  await expect.poll(() => streamLimit.size).toBe(0);
  expect(deps.hub.subscriptions).toBe(0);
});

afterAll(() => server.forceShutdown());

function call(request: object = {}, key = READ_KEY, since?: string): GrpcReader {
  const client = grpcClient(port, 'mintscope/v1/signals.proto', 'mintscope.v1.SignalService');
  const reader = new GrpcReader(client, 'StreamSignals', {
    ...{ key, request },
    ...(since !== undefined && { since }),
  });
  readers.push(reader);
  return reader;
}

let lastSlot = 20;

/** Applies, or takes back, a slot that gave these signals. */
function take(signals: readonly StreamedSignal[], slot = ++lastSlot, isUndone = false): number {
  deps.hub.take({
    ...{ slot: asSlot(slot), timeMs: SIGNAL_TIME_MS, solUsd: null, finalSlot: null, isUndone },
    items: signals.map((signal) => ({ topic: 'signals', signal })),
  });
  // Reads include the slot: calls that begin after this are not sent it.
  deps.hub.published();
  return slot;
}

function ofRule(rowId: number, author: string, mint = MINT): RuleSignalListing {
  const { model: _, ...figures } = buildListing({ rowId, version: 2, mint });
  return { ...figures, rule: { author, name: 'dip', version: 2, hash: 'abcdef01'.repeat(8) } };
}

const OF_MODEL = buildListing({ rowId: 1, mint: MINT, pool: POOL });
const OWN = ofRule(2, 'account of reader');
const OF_OPERATOR = ofRule(3, OPERATOR);
const OF_OTHERS = ofRule(4, 'account of administrator');
const OF_OTHER_TOKEN = ofRule(5, 'account of reader', OTHER_MINT);
const OF_OTHER_MODEL = buildListing({ rowId: 6, mint: MINT, model: 'smart_money_surge' });
const ALL = [OF_MODEL, OWN, OF_OPERATOR, OF_OTHERS, OF_OTHER_TOKEN, OF_OTHER_MODEL];
/** A last one for each author, after which nothing of an earlier slot is still on its way. */
const ENDS = [
  buildListing({ rowId: 90, mint: MINT }),
  ofRule(91, 'account of reader'),
  ofRule(92, OPERATOR),
];

interface Sent {
  readonly undo: boolean;
  readonly slot: string;
  readonly signal: Readonly<Record<string, unknown>>;
}

const sentTo = (reader: GrpcReader) => reader.messages as unknown as readonly Sent[];
const rowsOf = (messages: readonly Sent[]) =>
  messages.map(({ signal, undo }) => (undo ? -1 : 1) * Number(signal.row_id));

/** What a call receives of a slot with signals of everybody, without the ends after it. */
async function rowsFor(request: object, key = READ_KEY): Promise<readonly number[]> {
  const reader = call(request, key);
  await reader.admitted;
  take(ALL);
  take(ENDS);
  while (!rowsOf(sentTo(reader)).some((row) => row >= 90)) {
    await reader.until(reader.messages.length + 1);
  }
  return rowsOf(sentTo(reader)).filter((row) => row < 90);
}

describe('signals by author over gRPC', () => {
  test.each<[string, object, readonly number[]]>([
    ['the models by default', {}, [1, 6]],
    ['the models', { authors: ['built_in'] }, [1, 6]],
    ['the account', { authors: ['account'] }, [2, 5]],
    ['the operator', { authors: ['operator'] }, [3]],
    ['all authors', { authors: ['operator', 'built_in', 'account', 'built_in'] }, [1, 2, 3, 5, 6]],
    ['a token', { authors: ['account', 'operator'], token_address: MINT }, [2, 3]],
    [
      'a model, which no rule is',
      { authors: ['built_in', 'account'], model_names: ['organic_momentum'] },
      [1],
    ],
  ])('are those of %s, and never those of another account', async (_, request, expected) => {
    expect(await rowsFor(request)).toEqual(expected);
  });

  test('are those of the account of the key, whichever scopes it has', async () => {
    expect(await rowsFor({ authors: ['account', 'operator'] }, ADMIN_KEY)).toEqual([3, 4]);
  });

  test('have the figures and the origin of the signal, the slot, and a field for each key of the topic', async () => {
    const reader = call({ authors: ['built_in', 'account', 'operator'] });
    await reader.admitted;
    const slot = take([{ ...OF_MODEL, symbol: null }, OF_OPERATOR, OF_OTHER_TOKEN]);
    await reader.until(3);
    const [ofModel, ofOperator, ofOtherToken] = sentTo(reader);
    const figures = {
      ...{ token_address: MINT, pair_address: POOL, name: 'Example', symbol: 'EXMP' },
      ...{ signal_market_cap: '100000.00', liquidity_usd: '25000.00' },
      ...{ ath_market_cap_usd: '150000.00', roi_percentage: '50.0000' },
      ...{ max_drawdown_percentage: '10.0000', max_drawdown_market_cap: '90000.00' },
      created_at: { seconds: String(SIGNAL_TIME_MS / 1_000), nanos: 0 },
    };
    expect(ofModel).toEqual({
      ...{ undo: false, slot: String(slot) },
      signal: {
        ...{ ...figures, row_id: '1', symbol: '', version: 1 },
        ...{ model_name: 'organic_momentum', rule_id: '', author: '' },
      },
    });
    const rule = { version: 2, model_name: '', rule_id: 'dip@2+abcdef01abcdef01' };
    expect(ofOperator?.signal).toEqual({ ...figures, ...rule, row_id: '3', author: 'operator' });
    expect(ofOtherToken?.signal).toMatchObject({ ...rule, author: 'account', image: IMAGE });
    const { _image: _, ...fields } = ofOtherToken?.signal ?? {};
    const keys = [SignalBody, RuleSignal].flatMap(({ schema }) => Object.keys(schema.properties));
    expect(new Set(Object.keys(fields))).toEqual(new Set(keys));
  });

  test('are taken back with the slot that a fork abandons, and resumed in their order', async () => {
    const request = { authors: ['built_in', 'account'] };
    const first = call(request);
    await first.admitted;
    const slot = take(ALL);
    take(ALL, slot, true);
    await first.until(8);
    const messages = sentTo(first);
    // What was applied last is taken back first, with the data that it was sent with.
    expect(rowsOf(messages)).toEqual([1, 2, 5, 6, -6, -5, -2, -1]);
    expect(messages[6]).toEqual({ ...messages[1], undo: true });
    const place = await first.place;
    first.close();
    const second = call(request, READ_KEY, place);
    await second.until(8);
    expect(rowsOf(sentTo(second))).toEqual([1, 2, 5, 6, -6, -5, -2, -1]);
  });

  test.each([
    ['an unknown author', { authors: ['account', 'accounts'] }, 'authors'],
    ['an account by its name', { authors: ['account of administrator'] }, 'authors'],
    ['authors in one text', { authors: ['built_in,account'] }, 'authors'],
    ['an empty author', { authors: [''] }, 'authors'],
    ['an unknown model', { model_names: ['nope'] }, 'model_names'],
    ['the control', { model_names: ['random_minute'] }, 'model_names'],
    ['what is no address', { token_address: '0OIl' }, 'token_address'],
  ])('are refused for %s, with the name of the field', async (_, request, field) => {
    const reader = call(request);
    const { code, details } = await reader.ended;
    expect([code, details]).toEqual([status.INVALID_ARGUMENT, expect.stringContaining(field)]);
  });

  test.each([
    ['without a key', '', status.UNAUTHENTICATED],
    ['with a key that may not read', WRITE_KEY, status.PERMISSION_DENIED],
  ])('are refused %s', async (_, key, code) => {
    const reader = call({ authors: ['operator'] }, key);
    expect(await reader.ended).toMatchObject({ code });
  });

  test('count among the streams that an account may have open', async () => {
    const open = Array.from({ length: STREAMS_MAX }, () => call({ authors: ['account'] }));
    await Promise.all(open.map(({ admitted }) => admitted));
    const refused = call({ authors: ['operator'] });
    expect(await refused.ended).toMatchObject({ code: status.RESOURCE_EXHAUSTED });
  });
});
