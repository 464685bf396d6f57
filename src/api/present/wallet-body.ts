import { Type } from 'typebox';
import { ADDRESS_CLASSES } from '../../model/address-registry.ts';
import { averagePriceOf, holdingOf, unrealisedOf, worthOf } from '../../model/position-worth.ts';
import type {
  WalletAutomation,
  WalletFunding,
  WalletPosition,
  WalletRecord,
  WalletSkill,
} from '../../model/wallet-record.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';
import { formatTokens } from './format-wire.ts';
import {
  address,
  decimal,
  flag,
  integer,
  list,
  maybeInstant,
  nullable,
  plain,
  price,
  rounded,
  sol,
  text,
  unionNull,
  usd,
  word,
} from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

const statistic = rounded(4);

const addressClass = plain(
  Type.Unsafe<(typeof ADDRESS_CLASSES)[number] | 'hub' | null>({
    type: ['string', 'null'],
    enum: [...ADDRESS_CLASSES, 'hub', null],
  }),
);

const Evidence = wireRecord<WalletAutomation['evidence'][number]>()({
  measure: [text, 'measure', 'Name of the measure.'],
  value: [statistic, 'value', 'Measured value.'],
  threshold: [statistic, 'threshold', 'Threshold of the rule.'],
});

const STARTS_AT = 'Value from which on the term counts.';
const FULL_AT = 'Value from which on the term counts with its whole weight.';

const Term = wireRecord<WalletAutomation['terms'][number]>()({
  term: [text, 'term'],
  feature: [text, 'feature', 'Human-readable name of the feature.'],
  why: [text, 'why', 'Why the feature says something about automation.'],
  value: [nullable(statistic), 'value', 'Measured value; null if there is not enough data.'],
  starts_at: [statistic, 'from', STARTS_AT],
  full_at: [statistic, 'to', FULL_AT],
  weight: [statistic, 'weight', 'Weight of the term in the score.'],
  contribution: [
    statistic,
    'contribution',
    'Contribution to the score before it is mapped to the range 0 to 1.',
  ],
});

const Automation = wireRecord<WalletAutomation>()(
  {
    label: [word(['organic', 'bot']), 'class'],
    score: [statistic, 'score', 'Likelihood of automation, from 0 to 1.'],
    rule: [
      nullable(text),
      'rule',
      'Hard rule that classifies the wallet as a bot; null if none applies.',
    ],
    rule_meaning: [
      nullable(text),
      'ruleMeaning',
      'What the rule detects and why, in words; null if none applies.',
    ],
    rule_held_at: [maybeInstant, 'ruleHeldMs', 'When a hard rule last held; null for never.'],
    evidence: [list(Evidence), 'evidence', 'Evidence for the rule.'],
    since_slot: [integer, 'sinceSlot', 'Slot since which the label has applied.'],
    since: [maybeInstant, 'sinceMs'],
    base: [statistic, 'baseLogit', 'What the contributions of the terms are added to.'],
    terms: [list(Term), 'terms', 'Terms of the score.'],
    trades: [integer, 'trades'],
    first_trade_slot: [integer, 'firstSlot'],
    first_trade_at: [maybeInstant, 'firstMs'],
    last_trade_slot: [integer, 'lastSlot'],
    last_trade_at: [maybeInstant, 'lastMs'],
  },
  { description: 'Whether the wallet is automated, and why; null for a wallet that never traded.' },
);

const SkillTerm = wireRecord<WalletSkill['terms'][number]>()({
  term: [text, 'term'],
  feature: [text, 'feature', 'Human-readable name of the feature.'],
  value: [statistic, 'value', 'Measured value.'],
  weight: [statistic, 'weight', 'Weight of the term in the merit.'],
  contribution: [statistic, 'contribution', 'The weight times the value.'],
});

const Skill = wireRecord<WalletSkill>()(
  {
    is_smart: [flag, 'isSmart'],
    score: [
      statistic,
      'score',
      'Percentile of the merit among people with as many closed positions, from 0 to 100, as of the last one: 100 · (peers_below + 20 / (1 + exp(-10 · merit))) / (peers + 20). 0 without a position that counts.',
    ],
    peers: [statistic, 'peers', 'People with as many closed positions, by their last one.'],
    peers_below: [
      statistic,
      'peersBelow',
      'Those of them with a lower merit; those with nearly the same merit count in part.',
    ],
    merit: [statistic, 'merit', 'Sum of the contributions of the terms.'],
    terms: [list(SkillTerm), 'terms', 'What the merit is made of.'],
    skill_mean: [
      statistic,
      'skillMean',
      'Mean return beyond that of similar purchases by others, as a natural logarithm, drawn towards zero: excess / (episodes + 10).',
    ],
    skill_deviation: [
      statistic,
      'skillDeviation',
      'Standard deviation of single such returns: √((10 + excess_squares - excess · skill_mean) / (episodes + 10)).',
    ],
    skill_bound: [
      statistic,
      'skillBound',
      'Lower 90 % bound of the mean: skill_mean - 1.2816 · skill_deviation / √(episodes + 10). Above zero, luck alone is an unlikely explanation.',
    ],
    bound_without_best: [
      statistic,
      'boundWithoutBest',
      'The same bound after best_weight of episodes, best_weight · best_excess of excess and best_weight · best_excess² of excess_squares are taken out.',
    ],
    log_profit_factor: [
      statistic,
      'logProfitFactor',
      'Natural logarithm of (gains_usd + c) / (losses_usd + c), where c = 5 · (gains_usd + losses_usd) / episodes.',
    ],
    episodes: [statistic, 'episodes', 'Closed positions, weighted by age (half-life 30 days).'],
    wins: [statistic, 'wins', 'Profitable closed positions, weighted by age.'],
    returns: [
      statistic,
      'returns',
      'Sum of the returns, as natural logarithms within ± 3, weighted by age.',
    ],
    excess: [
      statistic,
      'excess',
      'Sum of the returns less those that others had with purchases of the same hour, age and market cap of the token, weighted by age.',
    ],
    excess_squares: [
      statistic,
      'excessSquares',
      'Sum of the squares of these differences, weighted by age.',
    ],
    best_excess: [statistic, 'bestExcess', 'The highest of these differences.'],
    best_weight: [statistic, 'bestWeight', 'Weight by age of the position it is of.'],
    gains_usd: [rounded(2), 'gainsUsd', 'Profits in US dollars, weighted by age.'],
    losses_usd: [rounded(2), 'lossesUsd', 'Losses in US dollars, from zero, weighted by age.'],
    profit_usd: [
      rounded(2),
      ({ gainsUsd, lossesUsd }) => gainsUsd - lossesUsd,
      'Profits less losses.',
    ],
    excluded_episodes: [integer, 'excludedEpisodes', 'Closed positions excluded from the score.'],
    last_episode_at: [maybeInstant, 'lastEpisodeMs'],
  },
  { description: 'Trading skill and how it is computed; null until a position has been closed.' },
);

const Funding = wireRecord<WalletFunding>()(
  {
    funder_address: [address, 'funder'],
    funder_kind: [
      addressClass,
      'funderClass',
      'Known class of the funder; null for an ordinary wallet.',
    ],
    solana_amount: [sol, 'lamports', 'Amount in SOL.'],
    slot: [integer, 'slot'],
    funded_at: [maybeInstant, 'timeMs'],
  },
  { description: 'First SOL transfer received; null if none was seen.' },
);

/** A position of a wallet. */
export const PositionBody = wireRecord<WalletPosition>()({
  token_address: [address, 'mint'],
  symbol: [nullable(text), 'symbol'],
  balance: [
    nullable(decimal),
    (position) => formatTokens(holdingOf(position), position.decimals),
    'Whole tokens held; null if the decimals are unknown.',
  ],
  unknown_basis_balance: [
    nullable(decimal),
    ({ unknownBasisRaw, decimals }) => formatTokens(unknownBasisRaw, decimals),
    'Part of the balance whose cost is unknown.',
  ],
  cost_usd: [usd, 'costUsd', 'Cost of the rest of the balance, in US dollars.'],
  average_price_usd: [
    nullable(price),
    averagePriceOf,
    'Cost per token; null without tokens of known cost.',
  ],
  price_usd: [nullable(price), 'priceUsd', 'Price of the token; null if unknown.'],
  value_usd: [
    nullable(usd),
    (position) => worthOf(holdingOf(position), position),
    'Value of the whole balance at that price, in US dollars.',
  ],
  realised_usd: [usd, 'realisedUsd', 'Realised profit or loss, in US dollars.'],
  unrealised_usd: [
    nullable(usd),
    unrealisedOf,
    'Unrealised profit or loss of the tokens of known cost, in US dollars.',
  ],
  buys: [integer, 'buys'],
  sells: [integer, 'sells'],
  first_buy_at: [maybeInstant, 'firstBuyMs'],
  last_trade_at: [maybeInstant, 'lastTradeMs'],
});

/** A position in examples. */
export const POSITION_EXAMPLE = {
  token_address: EXAMPLE.mint,
  symbol: 'EXMP',
  balance: '1000.000000',
  unknown_basis_balance: '0.000000',
  cost_usd: '30.00',
  average_price_usd: '0.03',
  price_usd: '0.05',
  value_usd: '50.00',
  realised_usd: '12.40',
  unrealised_usd: '20.00',
  buys: 2,
  sells: 1,
  first_buy_at: EXAMPLE.instant,
  last_trade_at: EXAMPLE.instant,
} as const;

const BODY_EXAMPLE = {
  wallet_address: EXAMPLE.wallet,
  kind: null,
  automation: {
    label: 'organic',
    score: '0.0821',
    rule: null,
    rule_meaning: null,
    rule_held_at: null,
    evidence: [],
    since_slot: EXAMPLE.slot,
    since: EXAMPLE.instant,
    base: '-2.0000',
    terms: [
      {
        term: 'gap_regularity',
        feature: '1 less the standard deviation of ln(gap)',
        why: 'Trades of timers are evenly spaced; trades of people come in bursts.',
        value: '0.6500',
        starts_at: '0.5000',
        full_at: '0.8000',
        weight: '1.5000',
        contribution: '0.7500',
      },
    ],
    trades: 42,
    first_trade_slot: EXAMPLE.slot,
    first_trade_at: EXAMPLE.instant,
    last_trade_slot: EXAMPLE.slot,
    last_trade_at: EXAMPLE.instant,
  },
  skill: {
    is_smart: true,
    score: '96.3849',
    peers: '400.0000',
    peers_below: '385.0000',
    merit: '0.4681',
    terms: [
      {
        term: 'skill_bound',
        feature:
          'lower 90 % bound of the mean return beyond that of other people with similar purchases',
        value: '0.1677',
        weight: '0.2500',
        contribution: '0.0419',
      },
      {
        term: 'without_best',
        feature: 'the same bound without the best position',
        value: '0.1277',
        weight: '0.2500',
        contribution: '0.0319',
      },
      {
        term: 'profit_factor',
        feature: 'natural logarithm of profits over losses, each plus five average results',
        value: '0.7885',
        weight: '0.5000',
        contribution: '0.3942',
      },
    ],
    skill_mean: '0.3750',
    skill_deviation: '1.0232',
    skill_bound: '0.1677',
    bound_without_best: '0.1277',
    log_profit_factor: '0.7885',
    episodes: '30.0000',
    wins: '10.0000',
    returns: '6.0000',
    excess: '15.0000',
    excess_squares: '37.5000',
    best_excess: '2.0000',
    best_weight: '1.0000',
    gains_usd: '6000.00',
    losses_usd: '2000.00',
    profit_usd: '4000.00',
    excluded_episodes: 1,
    last_episode_at: EXAMPLE.instant,
  },
  first_funding: {
    funder_address: EXAMPLE.creator,
    funder_kind: 'cex',
    solana_amount: '2.500000000',
    slot: EXAMPLE.slot,
    funded_at: EXAMPLE.instant,
  },
  positions: [POSITION_EXAMPLE],
  position_count: 1,
} as const;

/** Body of a wallet: holdings, classification, and the reasons for it. */
export const WalletBody = wireRecord<WalletRecord>()(
  {
    wallet_address: [address, 'address'],
    kind: [
      addressClass,
      'addressClass',
      'Known class of the address; null for an ordinary wallet.',
    ],
    automation: [unionNull(Automation), 'automation'],
    skill: [unionNull(Skill), 'skill'],
    first_funding: [unionNull(Funding), 'firstFunding'],
    positions: [list(PositionBody), 'positions', 'Newest positions first, at most 200.'],
    position_count: [integer, 'positionCount', 'Total number of positions.'],
  },
  { description: 'The wallet.', headers: FRESHNESS_HEADERS, examples: [BODY_EXAMPLE] },
);
