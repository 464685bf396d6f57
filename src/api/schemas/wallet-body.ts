import { Type } from 'typebox';
import { ADDRESS_CLASSES } from '../../model/address-registry.ts';
import { EXAMPLE } from './examples.ts';
import { AddressText, DecimalText, FRESHNESS_HEADERS, MaybeInstant, Nullable } from './wire.ts';

const AddressKind = (description: string) =>
  Type.Unsafe<(typeof ADDRESS_CLASSES)[number] | 'hub' | null>({
    type: ['string', 'null'],
    enum: [...ADDRESS_CLASSES, 'hub', null],
    description,
  });

const Evidence = Type.Object({
  measure: Type.String({ description: 'Name of the measure.' }),
  value: DecimalText('Measured value.'),
  threshold: DecimalText('Threshold of the rule.'),
});

const Term = Type.Object({
  term: Type.String(),
  feature: Type.String({ description: 'Human-readable name of the feature.' }),
  value: Nullable(DecimalText('Standardised value; null if there is not enough data.')),
  weight: DecimalText('Weight of the term in the score.'),
  contribution: DecimalText('Contribution to the score before it is mapped to the range 0 to 1.'),
});

const Automation = Type.Object(
  {
    label: Type.Unsafe<'organic' | 'bot'>({ type: 'string', enum: ['organic', 'bot'] }),
    score: DecimalText('Likelihood of automation, from 0 to 1.'),
    rule: Nullable(
      Type.String({
        description: 'Hard rule that classifies the wallet as a bot; null if none applies.',
      }),
    ),
    rule_held_seconds: Nullable(DecimalText('Seconds since the rule first applied.')),
    evidence: Type.Array(Evidence, { description: 'Evidence for the rule.' }),
    since_slot: Type.Integer({ description: 'Slot since which the label has applied.' }),
    since: MaybeInstant,
    terms: Type.Array(Term, { description: 'Terms of the score.' }),
    trades: Type.Integer(),
    first_trade_slot: Type.Integer(),
    first_trade_at: MaybeInstant,
    last_trade_slot: Type.Integer(),
    last_trade_at: MaybeInstant,
  },
  { description: 'Whether the wallet is automated, and why; null for a wallet that never traded.' },
);

const Skill = Type.Object(
  {
    is_smart: Type.Boolean(),
    score: DecimalText('Skill score, from 0 to 1.'),
    win_rate_bound: DecimalText('Lower confidence bound of the win rate.'),
    shrunk_return: DecimalText('Mean return, shrunk towards zero.'),
    concentration: DecimalText('Degree to which profit comes from few tokens.'),
    win_part: DecimalText('Score component for the win rate.'),
    return_part: DecimalText('Score component for returns.'),
    profit_part: DecimalText('Score component for profit.'),
    concentration_factor: DecimalText('Factor by which concentration reduces the score.'),
    episodes: DecimalText('Closed positions, weighted by age.'),
    wins: DecimalText('Profitable closed positions, weighted by age.'),
    profit_usd: DecimalText('Profit in US dollars, weighted by age.'),
    excluded_episodes: Type.Integer({ description: 'Closed positions excluded from the score.' }),
    last_episode_at: MaybeInstant,
  },
  { description: 'Trading skill and its components; null until a position has been closed.' },
);

const Funding = Type.Object(
  {
    funder_address: AddressText,
    funder_kind: AddressKind('Known class of the funder; null for an ordinary wallet.'),
    solana_amount: DecimalText('Amount in SOL.'),
    slot: Type.Integer(),
    funded_at: MaybeInstant,
  },
  { description: 'First SOL transfer received; null if none was seen.' },
);

const Position = Type.Object({
  token_address: AddressText,
  symbol: Nullable(Type.String()),
  balance: Nullable(DecimalText('Whole tokens held; null if the decimals are unknown.')),
  unknown_basis_balance: Nullable(DecimalText('Part of the balance whose cost is unknown.')),
  cost_usd: DecimalText('Cost of the rest of the balance, in US dollars.'),
  average_price_usd: Nullable(DecimalText('Cost per token; null without tokens of known cost.')),
  price_usd: Nullable(DecimalText('Price of the token; null if unknown.')),
  value_usd: Nullable(DecimalText('Value of the whole balance at that price, in US dollars.')),
  realised_usd: DecimalText('Realised profit or loss, in US dollars.'),
  unrealised_usd: Nullable(
    DecimalText('Unrealised profit or loss of the tokens of known cost, in US dollars.'),
  ),
  buys: Type.Integer(),
  sells: Type.Integer(),
  first_buy_at: MaybeInstant,
  last_trade_at: MaybeInstant,
});

const example = {
  wallet_address: EXAMPLE.wallet,
  kind: null,
  automation: {
    label: 'organic',
    score: '0.0821',
    rule: null,
    rule_held_seconds: null,
    evidence: [],
    since_slot: EXAMPLE.slot,
    since: EXAMPLE.instant,
    terms: [
      {
        term: 'gap_regularity',
        feature: 'how even the gaps between trades are',
        value: '1.2000',
        weight: '1.5000',
        contribution: '-0.3000',
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
    score: '0.7245',
    win_rate_bound: '0.5510',
    shrunk_return: '0.3120',
    concentration: '0.2000',
    win_part: '0.6100',
    return_part: '0.5400',
    profit_part: '0.8000',
    concentration_factor: '1.0000',
    episodes: '18.5000',
    wins: '12.2500',
    profit_usd: '4210.55',
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
  positions: [
    {
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
    },
  ],
  position_count: 1,
};

/** Body of a wallet: holdings, classification, and the reasons for it. */
export const WalletBody = Type.Object(
  {
    wallet_address: AddressText,
    kind: AddressKind('Known class of the address; null for an ordinary wallet.'),
    automation: Type.Union([Automation, Type.Null()]),
    skill: Type.Union([Skill, Type.Null()]),
    first_funding: Type.Union([Funding, Type.Null()]),
    positions: Type.Array(Position, { description: 'Newest positions first, at most 200.' }),
    position_count: Type.Integer({ description: 'Total number of positions.' }),
  },
  { description: 'The wallet.', headers: FRESHNESS_HEADERS, examples: [example] },
);
