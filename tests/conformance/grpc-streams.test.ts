import {
  type ClientReadableStream,
  type Server,
  ServerCredentials,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import descriptor from 'protobufjs/ext/descriptor.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FailedKeys } from '../../src/api/http/failed-keys.ts';
import { createRateLimiter } from '../../src/api/http/rate-limit.ts';
import { AccountEvents } from '../../src/api/streams/account-events.ts';
import { createGrpcServer, KEYLESS_CALLS_MAX } from '../../src/api/streams/grpc/grpc-server.ts';
import { StreamLimit } from '../../src/api/streams/stream-limit.ts';
import { Topic } from '../../src/api/streams/topic.ts';
import { TopicHub } from '../../src/api/streams/topics/topic-hub.ts';
import { ProtobufWriter } from '../../src/lib/protobuf-writer.ts';
import { WRAPPED_SOL } from '../../src/model/program.ts';
import { OPERATOR } from '../../src/model/rule-change.ts';
import type { RuleHitListing } from '../../src/model/rule-listing.ts';
import type { SignalListing } from '../../src/model/signal-listing.ts';
import type { IndicatorBatch, NewTokenBlock, PoolBlock } from '../../src/model/streamed.ts';
import type { Lamports, PriceE18, RawAmount, Slot, UsdNano } from '../../src/model/units.ts';
import { buildToken } from '../support/build-records.ts';
import { buildRuleHit } from '../support/build-rule-hit.ts';
import { buildListing, SIGNAL_TIME_MS } from '../support/build-signal.ts';
import { buildFiring } from '../support/build-trigger.ts';
import {
  fakeApiDeps,
  fakeIndicators,
  fakePool,
  MINT,
  OTHER_MINT,
  OTHER_POOL,
  POOL,
  READ_KEY,
  SLOT,
  SLOT_TIME_MS,
  WALLET,
  WRITE_KEY,
} from '../support/fake-api-deps.ts';
import { GrpcReader, grpcClient, PROTO_FOLDER } from '../support/grpc-client.ts';

const TRIGGERS = {
  file: 'guardis/triggers/v1/triggers.proto',
  service: 'guardis.triggers.v1.TriggersService',
  method: 'StreamTriggers',
};
const MARKET = {
  file: 'guardis/marketdata/v1/market_data.proto',
  service: 'guardis.marketdata.v1.MarketDataService',
  method: 'StreamMarketData',
};
const INDICATORS = {
  file: 'enterprise/v1/indicators.proto',
  service: 'enterprise.v1.IndicatorsService',
  method: 'StreamIndicators',
};

const SIGNALS = {
  file: 'enterprise/v1/signals.proto',
  service: 'enterprise.v1.SignalStreamService',
  method: 'StreamSignals',
};
const NEW_TOKENS = {
  file: 'enterprise/v1/new_tokens.proto',
  service: 'enterprise.v1.NewTokenService',
  method: 'StreamNewTokens',
};
const RULE_HITS = {
  file: 'mintscope/v1/rule_hits.proto',
  service: 'mintscope.v1.RuleHitService',
  method: 'StreamRuleHits',
};
const SIGNALS_BY_AUTHOR = {
  file: 'mintscope/v1/signals.proto',
  service: 'mintscope.v1.SignalService',
  method: 'StreamSignals',
};
const ALL = [TRIGGERS, MARKET, INDICATORS, SIGNALS, NEW_TOKENS, RULE_HITS, SIGNALS_BY_AUTHOR];

/** The messages of CONTRACT §3 and our own: names in the order of their numbers, from 1 on. */
const MESSAGES = {
  'guardis.triggers.v1.StreamTriggersRequest': '',
  'guardis.triggers.v1.TriggerNotification': 'type trigger_id fired_at pool conditions',
  'guardis.triggers.v1.ComparedCondition': 'field operator value compared rule_id author',
  'guardis.triggers.v1.Pool':
    'pair_address token_address sol_amount token_amount number_of_buys number_of_sells ' +
    'buy_volume_usd sell_volume_usd total_volume_usd',
  'guardis.marketdata.v1.StreamMarketDataRequest': 'dex_names',
  'guardis.marketdata.v1.PoolBlockUpdate': 'block_number timestamp pools',
  'guardis.marketdata.v1.PoolSnapshot':
    'pair_address base_address quote_address percentage_of_liquidity_locked base_amount ' +
    'quote_amount sol_price_usd price price_usd number_of_buys number_of_sells buy_volume_usd ' +
    'sell_volume_usd total_volume_usd ath_token_price_usd liquidity_usd dex_name',
  'enterprise.v1.StreamIndicatorsRequest': '',
  'enterprise.v1.IndicatorUpdate': 'timestamp indicator',
  'enterprise.v1.CurrentIndicator':
    'pair_address token_address total_wallets organic_wallets organic_profitable_wallets ' +
    'organic_to_total_wallets_ratio bot_to_total_wallets_ratio ' +
    'profitable_organic_to_total_organic_ratio total_volume_usd organic_volume_usd ' +
    'bot_volume_ratio organic_volume_ratio profitable_volume profitable_volume_total_volume_ratio ' +
    'organic_mean_hold_seconds organic_mean_trade_frequency_seconds smart_money_score ' +
    'raw_smart_money_score smart_money_influx_10min smart_money_outflux_10min ' +
    'raw_smart_money_influx raw_smart_money_outflux smart_holders raw_holders ' +
    'smart_to_raw_holders_ratio price_usd status attempts created_at',
  'enterprise.v1.SignalStreamRequest': 'model_names',
  'enterprise.v1.SignalUpdate':
    'token_address pair_address image? name symbol signal_market_cap model_name timestamp',
  'enterprise.v1.StreamNewTokensRequest': '',
  'enterprise.v1.NewTokenUpdate': 'timestamp new_token_data token_supply_update',
  'enterprise.v1.NewTokenData': 'token metadata liquidity_event social_links image_hash?',
  'enterprise.v1.TokenInfo':
    'token_address creator_address total_supply name symbol decimals mint_authority_address? ' +
    'freeze_authority_address? creation_slot created_at',
  'mintscope.v1.StreamRuleHitsRequest': 'author rule_id token_address',
  'mintscope.v1.RuleHitUpdate': 'hit undo',
  'mintscope.v1.RuleHit':
    'row_id rule_id author kind label token_address pair_address created_at slot as_of_slot ' +
    'confidence reasons evidence price_usd signal_row_id? wallets signatures links',
  'mintscope.v1.Link': 'wallet_address related_address relationship strength via_address',
  'mintscope.v1.Feature': 'name value_json',
  'mintscope.v1.StreamSignalsRequest': 'authors model_names token_address',
  'mintscope.v1.SignalUpdate': 'signal undo slot',
  'mintscope.v1.Signal':
    'row_id token_address pair_address image? name symbol signal_market_cap liquidity_usd ' +
    'ath_market_cap_usd roi_percentage max_drawdown_percentage max_drawdown_market_cap version ' +
    'model_name rule_id author created_at',
} as const;

/** Fields that are not text. */
const TYPES: Readonly<Record<string, string>> = {
  conditions: 'ComparedCondition',
  fired_at: 'google.protobuf.Timestamp',
  timestamp: 'google.protobuf.Timestamp',
  created_at: 'google.protobuf.Timestamp',
  pool: 'Pool',
  pools: 'PoolSnapshot',
  indicator: 'CurrentIndicator',
  block_number: 'uint64',
  number_of_buys: 'int32',
  number_of_sells: 'int32',
  attempts: 'int32',
  total_wallets: 'int64',
  organic_wallets: 'int64',
  organic_profitable_wallets: 'int64',
  smart_holders: 'int64',
  raw_holders: 'int64',
  new_token_data: 'NewTokenData',
  token_supply_update: 'TokenSupplyUpdate',
  token: 'TokenInfo',
  metadata: 'TokenMetadata',
  liquidity_event: 'LiquidityEvent',
  social_links: 'SocialLink',
  image_hash: 'ImageHash',
  decimals: 'uint32',
  creation_slot: 'uint64',
  hit: 'RuleHit',
  undo: 'bool',
  row_id: 'uint64',
  slot: 'uint64',
  as_of_slot: 'uint64',
  signal_row_id: 'uint64',
  confidence: 'double',
  evidence: 'Feature',
  links: 'Link',
  strength: 'double',
  signal: 'Signal',
  version: 'uint32',
};
const LISTS = [
  ...['conditions', 'dex_names', 'pools', 'model_names', 'social_links', 'authors'],
  ...['reasons', 'evidence', 'wallets', 'signatures', 'links'],
];

function topicOf<Item>() {
  return new Topic<Item>({
    keptMs: 60_000,
    weightMax: 1_000_000,
    nowMs: () => 1,
    onWanted: () => undefined,
  });
}

const market = topicOf<PoolBlock>();
const indicators = topicOf<IndicatorBatch>();
const signals = topicOf<SignalListing>();
const newTokens = topicOf<NewTokenBlock>();
const hub: TopicHub = new TopicHub({
  nowMs: () => 1,
  currentSlot: () => SLOT,
  onWanted: (id) => queueMicrotask(() => hub.confirm(id, true)),
});
const limit = new StreamLimit(3);
const events = new AccountEvents({
  events: async () => ({ events: [], lost: null, lastNumber: 0 }),
});
let server: Server;
let port = 0;

beforeAll(async () => {
  const streams = {
    triggers: (accountId: string) => events.of(accountId),
    marketData: market,
    indicators,
    signals,
    newTokens,
  };
  server = createGrpcServer(
    { ...fakeApiDeps(), streams, hub },
    {
      rateLimiter: createRateLimiter({ perMinute: 600, burst: 100 }),
      streamLimit: limit,
      failedKeys: new FailedKeys(),
    },
  );
  port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
});

afterAll(() => {
  server.forceShutdown();
});

const read = (
  { file, service, method }: typeof TRIGGERS,
  request: object = {},
  key = READ_KEY,
  since?: string,
) =>
  new GrpcReader(grpcClient(port, file, service), method, {
    ...{ key, request },
    ...(since !== undefined && { since }),
  });

describe('the published proto files', () => {
  test.each(ALL.map(({ file }) => file))(
    'have the names and numbers of the contract: %s',
    async (file) => {
      const root = new protobuf.Root();
      root.resolvePath = (_, target) =>
        target.startsWith('google/') ? target : `${PROTO_FOLDER}/${target}`;
      await root.load(file, { keepCase: true });
      let checked = 0;
      for (const [name, fields] of Object.entries(MESSAGES)) {
        const message = root.lookup(name, protobuf.Type);
        if (!(message instanceof protobuf.Type)) continue;
        const names = fields === '' ? [] : fields.split(' ');
        const described = names.map((field, index) => ({
          name: field.replace('?', ''),
          id: index + 1,
          type: TYPES[field.replace('?', '')] ?? 'string',
          repeated: LISTS.includes(field),
          isOptional: field.endsWith('?'),
        }));
        const found = message.fieldsArray.map((field) => ({
          ...{ name: field.name, id: field.id, type: field.type, repeated: field.repeated },
          isOptional: field.options?.proto3_optional === true,
        }));
        expect([name, found]).toEqual([name, described]);
        checked++;
      }
      expect(checked).toBeGreaterThan(1);
    },
  );
});

describe('streams over gRPC', () => {
  test('send an account the events of its triggers', async () => {
    const reader = read(TRIGGERS);
    await reader.admitted;
    const firing = buildFiring({ accountId: 'account of reader', firedAtMs: 1_500 });
    events.push([
      { kind: 'fired', firing },
      { kind: 'fired', firing: buildFiring({ accountId: 'another' }) },
      {
        kind: 'retracted',
        retraction: {
          ...{ accountId: 'account of reader', number: 2, triggerId: 'busy pool' },
          ...{ slot: SLOT, firedNumber: 1, retractedAtMs: 2_000 },
        },
      },
    ]);
    expect(await reader.until(2)).toEqual([
      {
        type: 'trigger_fired',
        trigger_id: 'busy pool',
        fired_at: { seconds: '1', nanos: 500_000_000 },
        pool: {
          ...{ pair_address: POOL, token_address: MINT, sol_amount: '', token_amount: '' },
          ...{ number_of_buys: 0, number_of_sells: 0 },
          ...{ buy_volume_usd: '0.00', sell_volume_usd: '0.00', total_volume_usd: '0.00' },
        },
        conditions: [
          {
            ...{ field: 'number_of_buys', operator: 'gt', value: '10', compared: '11' },
            ...{ rule_id: '', author: '' },
          },
        ],
      },
      {
        type: 'trigger_retracted',
        trigger_id: 'busy pool',
        fired_at: { seconds: '2', nanos: 0 },
        pool: null,
        conditions: [],
      },
    ]);
    reader.close();
  });

  test('send the pools of a slot by their SOL side and their token side', async () => {
    const reader = read(MARKET, { dex_names: ['PumpSwap'] });
    await reader.admitted;
    const amount = (raw: bigint) => raw as RawAmount;
    const pool = fakePool({
      buyCount: 3,
      price: 500_000_000_000_000_000n as PriceE18,
      buyVolumeUsd: 12_345_000_000n as UsdNano,
      lockedLiquidity: { issuedRaw: amount(3n), lockedRaw: amount(2n) },
      reserves: {
        ...{ base: amount(1_500_000n), quote: amount(2_000_000_000n) },
        ...{ virtualBase: null, virtualQuote: null },
      },
    });
    const other = fakePool({ pool: OTHER_POOL, venue: 'pump' });
    const solUsd = 150_000_000_000_000_000_000n as PriceE18;
    const slot = 9_007_199_254_740_991 as Slot;
    market.push({ slot: SLOT, timeMs: null, solUsd, pools: [other] }, 1);
    market.push({ slot, timeMs: 1_700_000_000_000, solUsd, pools: [pool, other] }, 1);
    expect(await reader.until(1)).toEqual([
      {
        block_number: '9007199254740991',
        timestamp: { seconds: '1700000000', nanos: 0 },
        pools: [
          {
            ...{ pair_address: POOL, base_address: WRAPPED_SOL, quote_address: MINT },
            ...{ percentage_of_liquidity_locked: '66.67', base_amount: '2.000000000' },
            ...{ quote_amount: '1.500000', sol_price_usd: '150', price: '0.5', price_usd: '' },
            ...{ number_of_buys: 3, number_of_sells: 0, buy_volume_usd: '12.35' },
            ...{ sell_volume_usd: '0.00', total_volume_usd: '12.35', ath_token_price_usd: '' },
            ...{ liquidity_usd: '', dex_name: 'PumpSwap' },
          },
        ],
      },
    ]);
    reader.close();
  });

  test('send the figures of each pool of a minute', async () => {
    const reader = read(INDICATORS);
    await reader.admitted;
    const record = fakeIndicators({ totalWallets: 1_824, organicToTotalWalletsRatio: 0.6716 });
    indicators.push({ minuteMs: 60_000, records: [record, { ...record, pool: OTHER_POOL }] }, 2);
    const [first, second] = await reader.until(2);
    expect(first).toMatchObject({
      timestamp: { seconds: '60', nanos: 0 },
      indicator: {
        ...{ pair_address: POOL, token_address: MINT, total_wallets: '1824' },
        ...{ organic_to_total_wallets_ratio: '0.6716', organic_mean_hold_seconds: '' },
        ...{ price_usd: '', status: 'active', attempts: 0 },
        created_at: { seconds: String(SLOT_TIME_MS / 1_000), nanos: 0 },
      },
    });
    expect(second).toMatchObject({ indicator: { pair_address: OTHER_POOL } });
    reader.close();
  });

  test('send hits of rules of the account and of the operator, and what a fork takes back', async () => {
    const send = (hit: RuleHitListing, isUndone = false) =>
      hub.take({
        ...{ slot: hit.slot, timeMs: null, solUsd: null, finalSlot: null, isUndone },
        items: [{ topic: 'rule_hits', hit }],
      });
    const own = buildRuleHit({ mint: MINT, pool: POOL, kind: 'fraud', wallets: [WALLET] });
    const reader = read(RULE_HITS, { token_address: MINT });
    await reader.admitted;
    send(own);
    send(buildRuleHit({ mint: MINT, author: 'another' }));
    send(buildRuleHit({ mint: OTHER_MINT }));
    send(own, true);
    send(buildRuleHit({ rowId: 2, mint: MINT, author: OPERATOR, signalRowId: 7 }));
    const [first, second, third] = await reader.until(3);
    expect(first).toEqual({
      hit: {
        ...{ row_id: '1', rule_id: 'dip@1+0123456789abcdef', author: 'account', kind: 'fraud' },
        ...{ label: '', token_address: MINT, pair_address: POOL, slot: '20', as_of_slot: '19' },
        ...{ created_at: { seconds: '1200', nanos: 0 }, confidence: 0.75, price_usd: '2.5' },
        reasons: ['Organic wallets bought most.'],
        evidence: [{ name: 'window.return_5m', value_json: '-0.25' }],
        ...{ wallets: [WALLET], signatures: [], links: [] },
      },
      undo: false,
    });
    expect(second).toEqual({ ...first, undo: true });
    expect(third).toMatchObject({ hit: { author: 'operator', row_id: '2', signal_row_id: '7' } });
    reader.close();
    const operators = read(RULE_HITS, { author: 'operator' }, READ_KEY, await reader.place);
    expect(await operators.until(1)).toMatchObject([{ hit: { row_id: '2' } }]);
    operators.close();
    for (const request of [{ author: 'another' }, { rule_id: 'Dip' }, { token_address: '0OIl' }]) {
      const refused = await read(RULE_HITS, request).ended;
      expect(refused.code).toBe(status.INVALID_ARGUMENT);
    }
  });

  test('send signals of the requested models', async () => {
    const reader = read(SIGNALS, { model_names: ['organic_momentum'] });
    await reader.admitted;
    signals.push(buildListing({ model: 'smart_money_surge' }), 1);
    signals.push(buildListing({ symbol: null }), 1);
    expect(await reader.until(1)).toEqual([
      {
        ...{ token_address: MINT, pair_address: POOL, name: 'Example', symbol: '' },
        ...{ signal_market_cap: '100000.00', model_name: 'organic_momentum' },
        timestamp: { seconds: String(SIGNAL_TIME_MS / 1_000), nanos: 0 },
      },
    ]);
    reader.close();
  });

  test('send a token when its mint is created, and again when its supply changes', async () => {
    const reader = read(NEW_TOKENS);
    await reader.admitted;
    const amount = (raw: bigint) => raw as RawAmount;
    const created = buildToken(MINT, {
      ...{ creator: WALLET, name: 'Example', symbol: 'EXMP', supplyRaw: amount(1_500_000n) },
      ...{ mintAuthority: WALLET, creationSlot: 9 as Slot, createdAtMs: 2_000 },
      metadata: {
        ...{ updateAuthority: null, uri: 'https://example.org/t.json', tokenStandard: null },
        creators: [{ address: WALLET, verified: true, sharePercent: 100 }],
        ...{ primarySaleHappened: false, isMutable: true, sellerFeeBps: 0, editionNonce: 254 },
        collection: { verified: true, key: OTHER_MINT },
        uses: { useMethod: 'Single', remaining: 1n, total: 2n ** 64n - 1n },
        ...{ collectionDetails: { size: null }, programmableConfig: null },
      },
      liquidityEvent: {
        ...{ pool: POOL, quoteMint: WRAPPED_SOL, lamports: 0n as Lamports, valueUsd: null },
        ...{ baseRaw: amount(1_000_000n), slot: 9 as Slot, timeMs: 2_000 },
      },
    });
    const burnt = buildToken(OTHER_MINT, { supplyRaw: amount(500_000n) });
    newTokens.push({ slot: 9 as Slot, timeMs: 2_500, created: [created], supplies: [burnt] }, 1);
    const at = { seconds: '2', nanos: 500_000_000 };
    expect(await reader.until(2)).toEqual([
      {
        timestamp: at,
        payload: 'new_token_data',
        new_token_data: {
          token: {
            ...{ token_address: MINT, creator_address: WALLET, total_supply: '1.500000' },
            ...{ name: 'Example', symbol: 'EXMP', decimals: 6, mint_authority_address: WALLET },
            _mint_authority_address: 'mint_authority_address',
            ...{ creation_slot: '9', created_at: { seconds: '2', nanos: 0 } },
          },
          metadata: {
            ...{ uri: 'https://example.org/t.json', _uri: 'uri' },
            creators: [{ address: WALLET, verified: true, share: 100 }],
            ...{ primary_sale_happened: false, _primary_sale_happened: 'primary_sale_happened' },
            ...{ is_mutable: true, _is_mutable: 'is_mutable' },
            ...{ edition_nonce: 254, _edition_nonce: 'edition_nonce' },
            ...{ collection: `{"verified":true,"key":"${OTHER_MINT}"}`, _collection: 'collection' },
            uses: '{"use_method":"Single","remaining":"1","total":"18446744073709551615"}',
            ...{ _uses: 'uses', collection_details: '{"size":null}' },
            _collection_details: 'collection_details',
            ...{ seller_fee_basis_points: 0, _seller_fee_basis_points: 'seller_fee_basis_points' },
          },
          liquidity_event: {
            ...{ pair_address: POOL, initial_liquidity_solana_amount: '0.000000000' },
            ...{ initial_liquidity_token_amount: '1.000000', initial_liquidity_value_usd: '' },
            initial_liquidity_add_slot_number: '9',
            initial_liquidity_add_slot_timestamp: { seconds: '2', nanos: 0 },
            block_time_at: { seconds: '2', nanos: 0 },
          },
          social_links: [],
        },
      },
      {
        timestamp: at,
        payload: 'token_supply_update',
        token_supply_update: { token_address: OTHER_MINT, total_supply: '0.500000', slot: '9' },
      },
    ]);
    reader.close();
  });

  test('continue after a sequence number, and state at the start where they begin', async () => {
    const before = signals.newest();
    const first = read(SIGNALS);
    expect(await first.place).toBe(String(before));
    first.close();
    signals.push(buildListing({ name: 'while away' }), 1);
    const second = read(SIGNALS, {}, READ_KEY, String(before));
    expect(await second.place).toBe(String(before));
    expect(await second.until(1)).toMatchObject([{ name: 'while away' }]);
    second.close();
  });

  test.each([
    ['that is no longer kept', '3', status.OUT_OF_RANGE],
    ['that is negative', '-1', status.INVALID_ARGUMENT],
    ['that is not an integer', '1e3', status.INVALID_ARGUMENT],
    ['beyond safe integers', '9999999999999999', status.INVALID_ARGUMENT],
  ])('refuse a sequence number %s', async (_, since, code) => {
    const reader = read(SIGNALS, {}, READ_KEY, since);
    expect(await reader.ended).toMatchObject({ code });
    reader.close();
  });

  test('end at the last complete sequence number when a message is missing after it', async () => {
    const reader = read(MARKET);
    await reader.admitted;
    const block = { slot: 1 as Slot, timeMs: null, solUsd: null, pools: [fakePool()] };
    market.push(block, 1);
    await reader.until(1);
    const place = market.newest();
    market.skip();
    market.push(block, 1);
    const end = await reader.ended;
    expect([end.code, end.metadata.get('x-seq')]).toEqual([status.OUT_OF_RANGE, [String(place)]]);
    expect(reader.messages).toHaveLength(1);
    reader.close();
  });

  test('refuse an unknown model, and the control', async () => {
    for (const name of ['nope', 'random_minute']) {
      const reader = read(SIGNALS, { model_names: [name] });
      expect(await reader.ended).toMatchObject({ code: status.INVALID_ARGUMENT });
      reader.close();
    }
  });

  test.each([
    ['without a key', {}, '', status.UNAUTHENTICATED],
    ['with a wrong key', {}, 'tik_wrong', status.UNAUTHENTICATED],
    ['with a key that may not read', {}, WRITE_KEY, status.PERMISSION_DENIED],
    ['with an unknown program', { dex_names: ['Nope'] }, READ_KEY, status.INVALID_ARGUMENT],
  ])('refuse a call %s', async (_, request, key, code) => {
    const reader = read(MARKET, request, key);
    expect(await reader.ended).toMatchObject({ code });
    reader.close();
  });

  test('refuse more open calls than a key may have, and release ended ones', async () => {
    const readers = [read(MARKET), read(MARKET), read(MARKET)];
    await Promise.all(readers.map(({ admitted }) => admitted));
    const refused = read(MARKET);
    expect(await refused.ended).toMatchObject({ code: status.RESOURCE_EXHAUSTED });
    for (const reader of [...readers, refused]) reader.close();
    while (limit.size > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(market.readers).toBe(0);
  });

  test('drop a client that stops reading', async () => {
    const reader = read(MARKET);
    await reader.admitted;
    reader.stream.pause();
    const pools = Array.from({ length: 500 }, () => fakePool());
    for (let slot = 1; slot < 200 && market.readers > 0; slot++) {
      market.push({ slot: slot as Slot, timeMs: null, solUsd: null, pools }, 1);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(market.readers).toBe(0);
    reader.stream.resume();
    const end = await reader.ended;
    expect(end).toMatchObject({ code: status.RESOURCE_EXHAUSTED });
    // Everything up to that sequence number was sent.
    expect(Number(end.metadata.get('x-seq')[0])).toBeGreaterThan(0);
    reader.close();
  });
});

describe('health and reflection', () => {
  test('report each service as serving', async () => {
    const client = grpcClient(port, 'grpc/health/v1/health.proto', 'grpc.health.v1.Health');
    const check = (service: string) =>
      new Promise((resolve) => {
        const unary = client as unknown as Record<
          'Check',
          (request: object, done: (error: { code: number } | null, answer: unknown) => void) => void
        >;
        unary.Check({ service }, (error, answer) => resolve(error?.code ?? answer));
      });
    for (const service of ['', ...ALL.map((each) => each.service)]) {
      expect(await check(service)).toEqual({ status: 'SERVING' });
    }
    expect(await check('no.such.Service')).toBe(status.NOT_FOUND);
    client.close();
  });

  test('may be watched without a key by a limited number of calls', async () => {
    const client = grpcClient(port, 'grpc/health/v1/health.proto', 'grpc.health.v1.Health');
    const calls = client as unknown as Record<
      'Watch',
      (request: object) => ClientReadableStream<unknown>
    >;
    const watch = () => {
      const call = calls.Watch({ service: '' });
      const first = new Promise<unknown>((resolve) => {
        call.on('data', resolve);
        call.on('error', (error: ServiceError) => resolve(error.code));
      });
      return { call, first };
    };
    const serving = { status: 'SERVING' };
    const watches = Array.from({ length: KEYLESS_CALLS_MAX }, watch);
    const answers = await Promise.all(watches.map(({ first }) => first));
    expect(answers).toEqual(answers.map(() => serving));
    expect(await watch().first).toBe(status.RESOURCE_EXHAUSTED);
    for (const { call } of watches) call.cancel();
    // A cancelled call is released as soon as the server learns of it.
    await expect.poll(() => watch().first).toEqual(serving);
    client.close();
  });

  test('list the services and describe each with all required files', async () => {
    const service = 'grpc.reflection.v1.ServerReflection';
    const client = grpcClient(port, 'grpc/reflection/v1/reflection.proto', service);
    const ask = (request: object) =>
      new Promise<Record<string, unknown>>((resolve) => {
        const bidi = client as unknown as Record<
          'ServerReflectionInfo',
          () => NodeJS.EventEmitter & { write(message: object): void; end(): void }
        >;
        const call = bidi.ServerReflectionInfo();
        call.on('data', resolve);
        call.write(request);
        call.end();
      });
    const { list_services_response: list } = await ask({ list_services: '' });
    const names = (list as { service: { name: string }[] }).service.map(({ name }) => name);
    expect(names).toEqual([
      INDICATORS.service,
      NEW_TOKENS.service,
      SIGNALS.service,
      'grpc.health.v1.Health',
      service,
      MARKET.service,
      TRIGGERS.service,
      RULE_HITS.service,
      SIGNALS_BY_AUTHOR.service,
    ]);
    for (const { service: symbol, method } of ALL) {
      const { file_descriptor_response: answer } = await ask({
        file_containing_symbol: `${symbol}.${method}`,
      });
      const { file_descriptor_proto: bytes } = answer as { file_descriptor_proto: Buffer[] };
      const files = bytes.map((each) => descriptor.FileDescriptorProto.decode(each));
      const byName = new Set(files.map((file) => (file as unknown as { name: string }).name));
      for (const file of files) {
        for (const needed of (file as unknown as { dependency: string[] }).dependency) {
          expect(byName).toContain(needed);
        }
      }
      // A FileDescriptorSet is a list of files under field 1, in the order received.
      const set = new ProtobufWriter();
      for (const each of bytes) set.bytes(1, each);
      const root = protobuf.Root.fromDescriptor(Buffer.from(set.done())).resolveAll();
      expect(root.lookupService(symbol).methods[method]?.responseStream).toBe(true);
    }
    expect(await ask({ file_containing_symbol: 'no.such.Thing' })).toMatchObject({
      error_response: { error_code: status.NOT_FOUND },
    });
    const byName = await ask({ file_by_filename: 'google/protobuf/timestamp.proto' });
    expect(byName).toHaveProperty('file_descriptor_response');
    client.close();
  });
});
