import { describe, expect, test } from 'vitest';
import {
  asOfFakeSlot,
  fakeApiDeps,
  MINT,
  OTHER_MINT,
  SLOT,
  SLOT_TIME_MS,
  WALLET,
} from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader } from '../../../tests/support/fake-api-server.ts';
import { asLamports, asPriceE18, asRawAmount, asUsdNano } from '../../model/units.ts';
import type { WalletPosition, WalletRecord } from '../../model/wallet-record.ts';

const AT = '2025-01-15T14:32:08.000Z';
const usd = (cents: bigint) => asUsdNano(cents * 10_000_000n);

/** 10 tokens held, 4 of them without a known cost, the others bought for 30 dollars. */
const position: WalletPosition = {
  mint: MINT,
  symbol: 'CAT',
  decimals: 6,
  heldRaw: asRawAmount(6_000_000n),
  unknownBasisRaw: asRawAmount(4_000_000n),
  costUsd: usd(3_000n),
  realisedUsd: usd(-125n),
  hasKnownCost: true,
  priceUsd: asPriceE18(7n * 10n ** 18n),
  buys: 3,
  sells: 1,
  firstBuyMs: SLOT_TIME_MS,
  lastTradeMs: null,
};

const wallet: WalletRecord = {
  address: WALLET,
  addressClass: null,
  automation: {
    class: 'bot',
    kinds: ['market_maker'],
    score: 0.91,
    rule: 'h1',
    ruleMeaning: 'Pairs.',
    ruleHeldMs: SLOT_TIME_MS,
    evidence: [{ measure: 'pairs', value: 12, threshold: 10 }],
    sinceSlot: SLOT,
    sinceMs: SLOT_TIME_MS,
    baseLogit: -2,
    terms: [
      {
        ...{ term: 'gaps', feature: 'how even gaps are', why: 'Timers.', value: null },
        ...{ from: 0.5, to: 0.8, weight: 1.5, contribution: 0 },
      },
      {
        ...{ term: 'sizes', feature: 'how even buys are', why: 'Programs.', value: 0.25 },
        ...{ from: 0.2, to: 0.4, weight: -2, contribution: -0.5 },
      },
    ],
    trades: 42,
    firstSlot: SLOT,
    firstMs: SLOT_TIME_MS,
    lastSlot: SLOT,
    lastMs: SLOT_TIME_MS,
  },
  tokenJudgements: [
    {
      ...{ token: WALLET, rule: 'volume_swarm', kind: 'volume_swarm', meaning: 'One of ten.' },
      sinceSlot: SLOT,
      evidence: [{ measure: 'share_of_established_traders', value: 0.0051, threshold: 0.02 }],
    },
  ],
  skill: {
    isSmart: true,
    score: 0.7245,
    ...{ peers: 400, peersBelow: 385.25, merit: 0.25 },
    terms: [
      {
        ...{ term: 'skill_bound', feature: 'bound of the mean', value: 0.5 },
        ...{ weight: 0.5, contribution: 0.25 },
      },
    ],
    ...{ skillMean: 0.75, skillDeviation: 1.5, skillBound: 0.5, boundWithoutBest: -0.125 },
    logProfitFactor: 1.25,
    episodes: 18.5,
    wins: 12.25,
    ...{ returns: -6, excess: 15, excessSquares: 37.5, bestExcess: 2, bestWeight: 0.5 },
    ...{ gainsUsd: 6_210.555, lossesUsd: 2_000 },
    excludedEpisodes: 1,
    lastEpisodeMs: SLOT_TIME_MS,
  },
  firstFunding: {
    funder: OTHER_MINT,
    funderClass: 'cex',
    lamports: asLamports(2_500_000_000n),
    slot: SLOT,
    timeMs: SLOT_TIME_MS,
  },
  positions: [position],
  positionCount: 900,
};

async function read(record: WalletRecord | null) {
  const server = fakeApiServer({
    wallets: {
      ...fakeApiDeps().wallets,
      find: async (address) => asOfFakeSlot(address === WALLET ? record : null),
    },
  });
  return await getAsReader(server, `/v1/wallets/${WALLET}`);
}

describe('GET /v1/wallets/{address}', () => {
  test('returns holdings, classification and its reasons, keys in order', async () => {
    const response = await read(wallet);
    expect(response.headers['x-slot']).toBe(String(SLOT));
    expect(response.body).toBe(
      JSON.stringify({
        wallet_address: WALLET,
        kind: null,
        automation: {
          label: 'bot',
          kinds: ['market_maker'],
          score: '0.9100',
          rule: 'h1',
          rule_meaning: 'Pairs.',
          rule_held_at: AT,
          evidence: [{ measure: 'pairs', value: '12.0000', threshold: '10.0000' }],
          since_slot: SLOT,
          since: AT,
          base: '-2.0000',
          terms: [
            {
              term: 'gaps',
              feature: 'how even gaps are',
              why: 'Timers.',
              value: null,
              starts_at: '0.5000',
              full_at: '0.8000',
              weight: '1.5000',
              contribution: '0.0000',
            },
            {
              term: 'sizes',
              feature: 'how even buys are',
              why: 'Programs.',
              value: '0.2500',
              starts_at: '0.2000',
              full_at: '0.4000',
              weight: '-2.0000',
              contribution: '-0.5000',
            },
          ],
          trades: 42,
          first_trade_slot: SLOT,
          first_trade_at: AT,
          last_trade_slot: SLOT,
          last_trade_at: AT,
        },
        token_rules: [
          {
            token_address: WALLET,
            rule: 'volume_swarm',
            kind: 'volume_swarm',
            meaning: 'One of ten.',
            since_slot: SLOT,
            evidence: [
              { measure: 'share_of_established_traders', value: '0.0051', threshold: '0.0200' },
            ],
          },
        ],
        skill: {
          is_smart: true,
          score: '0.7245',
          peers: '400.0000',
          peers_below: '385.2500',
          merit: '0.2500',
          terms: [
            {
              term: 'skill_bound',
              feature: 'bound of the mean',
              value: '0.5000',
              weight: '0.5000',
              contribution: '0.2500',
            },
          ],
          skill_mean: '0.7500',
          skill_deviation: '1.5000',
          skill_bound: '0.5000',
          bound_without_best: '-0.1250',
          log_profit_factor: '1.2500',
          episodes: '18.5000',
          wins: '12.2500',
          returns: '-6.0000',
          excess: '15.0000',
          excess_squares: '37.5000',
          best_excess: '2.0000',
          best_weight: '0.5000',
          gains_usd: '6210.56',
          losses_usd: '2000.00',
          profit_usd: '4210.56',
          excluded_episodes: 1,
          last_episode_at: AT,
        },
        first_funding: {
          funder_address: OTHER_MINT,
          funder_kind: 'cex',
          solana_amount: '2.500000000',
          slot: SLOT,
          funded_at: AT,
        },
        positions: [
          {
            token_address: MINT,
            symbol: 'CAT',
            balance: '10.000000',
            unknown_basis_balance: '4.000000',
            cost_usd: '30.00',
            // 30 dollars for 6 tokens.
            average_price_usd: '5',
            price_usd: '7',
            value_usd: '70.00',
            realised_usd: '-1.25',
            // 6 tokens at 7 dollars, less 30.
            unrealised_usd: '12.00',
            buys: 3,
            sells: 1,
            first_buy_at: AT,
            last_trade_at: null,
          },
        ],
        position_count: 900,
      }),
    );
  });

  test('returns null for unknown values, and no average price without tokens', async () => {
    const bare: WalletRecord = {
      ...wallet,
      addressClass: 'market_maker',
      automation: null,
      skill: null,
      firstFunding: null,
      positions: [
        { ...position, heldRaw: asRawAmount(0n), costUsd: usd(0n), priceUsd: null },
        { ...position, decimals: null },
      ],
    };
    expect((await read(bare)).json()).toMatchObject({
      kind: 'market_maker',
      automation: null,
      skill: null,
      first_funding: null,
      positions: [
        { average_price_usd: null, price_usd: null, value_usd: null, unrealised_usd: null },
        { balance: null, unknown_basis_balance: null, average_price_usd: null, value_usd: null },
      ],
    });
  });

  test.each([
    [`/v1/wallets/${MINT}`, 404, 'This wallet is not known.'],
    ['/v1/wallets/x', 400, 'address must be the base58 text of a 32-byte address.'],
    ['/v1/wallets/', 400, 'address is empty.'],
  ])('answers for %s', async (path, code, message) => {
    const server = fakeApiServer({
      wallets: { ...fakeApiDeps().wallets, find: async () => asOfFakeSlot(null) },
    });
    expect((await getAsReader(server, path)).json()).toEqual({ code, message });
  });
});
