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
  measure: Type.String({ description: 'What was measured.' }),
  value: DecimalText('What it came to.'),
  threshold: DecimalText('What the rule asks for.'),
});

const Term = Type.Object({
  term: Type.String(),
  feature: Type.String({ description: 'What is measured, in words.' }),
  value: Nullable(DecimalText('Null while too little was seen to say.')),
  weight: DecimalText('Weight in the score.'),
  contribution: DecimalText('What it adds to the score before it is squeezed into 0 to 1.'),
});

const Automation = Type.Object(
  {
    label: Type.Unsafe<'organic' | 'bot'>({ type: 'string', enum: ['organic', 'bot'] }),
    score: DecimalText('How much it looks like a bot, from 0 to 1.'),
    rule: Nullable(Type.String({ description: 'The hard rule that holds; null where none does.' })),
    rule_held_seconds: Nullable(DecimalText('For how long the rule has held.')),
    evidence: Type.Array(Evidence, { description: 'Of the rule.' }),
    since_slot: Type.Integer({ description: 'The label has been this since then.' }),
    since: MaybeInstant,
    terms: Type.Array(Term, { description: 'Of the score.' }),
    trades: Type.Integer(),
    first_trade_slot: Type.Integer(),
    first_trade_at: MaybeInstant,
    last_trade_slot: Type.Integer(),
    last_trade_at: MaybeInstant,
  },
  { description: 'Person or bot, and why; null for a wallet that never traded.' },
);

const Skill = Type.Object(
  {
    is_smart: Type.Boolean(),
    score: DecimalText('From 0 to 1.'),
    win_rate_bound: DecimalText('Lower bound of the win rate.'),
    shrunk_return: DecimalText('Mean return, shrunk towards none.'),
    concentration: DecimalText('How much of the profit comes from few tokens.'),
    win_part: DecimalText('Part of the score for wins.'),
    return_part: DecimalText('Part of the score for returns.'),
    profit_part: DecimalText('Part of the score for profit.'),
    concentration_factor: DecimalText('What concentration leaves of the score.'),
    episodes: DecimalText('Closed positions, each weighted by its age.'),
    wins: DecimalText('Those that made money, weighted alike.'),
    profit_usd: DecimalText('US dollars, weighted alike.'),
    excluded_episodes: Type.Integer({ description: 'Closed positions that do not count.' }),
    last_episode_at: MaybeInstant,
  },
  { description: 'How good a trader it is, and why; null while no position was closed.' },
);

const Funding = Type.Object(
  {
    funder_address: AddressText,
    funder_kind: AddressKind('What the funder is known to be; null for a wallet.'),
    solana_amount: DecimalText('SOL.'),
    slot: Type.Integer(),
    funded_at: MaybeInstant,
  },
  { description: 'First SOL it was given; null while none was seen.' },
);

const Position = Type.Object({
  token_address: AddressText,
  symbol: Nullable(Type.String()),
  balance: Nullable(DecimalText('Whole tokens held; null while the decimals are unknown.')),
  unknown_basis_balance: Nullable(DecimalText('Part of it of which the cost is unknown.')),
  cost_usd: DecimalText('Cost of the rest, in US dollars.'),
  average_price_usd: Nullable(DecimalText('Cost per token; null without a token of known cost.')),
  price_usd: Nullable(DecimalText('Price of the token; null while unknown.')),
  value_usd: Nullable(DecimalText('All that is held at that price.')),
  realised_usd: DecimalText('Result of what was sold, in US dollars.'),
  unrealised_usd: Nullable(
    DecimalText('What the tokens of known cost are worth above their cost.'),
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

/** Body of a wallet: what it holds, what it is taken for, and why. */
export const WalletBody = Type.Object(
  {
    wallet_address: AddressText,
    kind: AddressKind('What the address is known to be; null for an ordinary wallet.'),
    automation: Type.Union([Automation, Type.Null()]),
    skill: Type.Union([Skill, Type.Null()]),
    first_funding: Type.Union([Funding, Type.Null()]),
    positions: Type.Array(Position, { description: 'Newest first, at most 200.' }),
    position_count: Type.Integer({ description: 'Of all positions.' }),
  },
  { description: 'The wallet.', headers: FRESHNESS_HEADERS, examples: [example] },
);
