import { Type } from 'typebox';
import { ADDRESS_CLASSES } from '../../model/address-registry.ts';
import {
  averagePriceOf,
  holdingOf,
  realisedOf,
  unrealisedOf,
  worthOf,
} from '../../model/position-worth.ts';
import { WALLET_KINDS } from '../../model/wallet-kind.ts';
import type {
  WalletAutomation,
  WalletFunding,
  WalletPosition,
  WalletRecord,
} from '../../model/wallet-record.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';
import { formatTokens } from './format-wire.ts';
import { TokenJudgementBody } from './token-judgement-body.ts';
import { SKILL_EXAMPLE, Skill } from './wallet-skill-body.ts';
import {
  address,
  decimal,
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
    kinds: [
      list(word(WALLET_KINDS)),
      'kinds',
      'Kinds of program that the wallet is, in single tokens too; empty if none is known.',
    ],
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
  realised_usd: [
    nullable(usd),
    realisedOf,
    'Realised profit or loss, in US dollars; null if no token ever had a known cost, as of those that were received.',
  ],
  unrealised_usd: [
    nullable(usd),
    unrealisedOf,
    'Unrealised profit or loss of the tokens of known cost, in US dollars; null if none ever had one, and without a price.',
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
    kinds: ['sniper'],
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
  token_rules: [
    {
      token_address: EXAMPLE.mint,
      rule: 'launch_sniper',
      kind: 'sniper',
      meaning:
        'Bought at most two slots after the launch without having created the token. Nobody reads ' +
        'a name and signs within 800 ms.',
      since_slot: EXAMPLE.slot,
      evidence: [{ measure: 'slots_after_launch', value: '1.0000', threshold: '2.0000' }],
    },
  ],
  skill: SKILL_EXAMPLE,
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
    token_rules: [
      list(TokenJudgementBody),
      'tokenJudgements',
      'Rules that make the wallet a bot in single tokens, of the 50 most recent such tokens.',
    ],
    skill: [unionNull(Skill), 'skill'],
    first_funding: [unionNull(Funding), 'firstFunding'],
    positions: [list(PositionBody), 'positions', 'Newest positions first, at most 200.'],
    position_count: [integer, 'positionCount', 'Total number of positions.'],
  },
  { description: 'The wallet.', headers: FRESHNESS_HEADERS, examples: [BODY_EXAMPLE] },
);
