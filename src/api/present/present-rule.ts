import { Type } from 'typebox';
import { formatRounded } from '../../lib/decimal.ts';
import type { FindingPosition } from '../../model/finding-page.ts';
import { RULE_AUTHORS } from '../../model/rule-change.ts';
import {
  HIT_KINDS,
  HIT_LINKS_MAX,
  HIT_SIGNATURES_MAX,
  HIT_WALLETS_MAX,
  type HitLink,
  ruleIdOf,
  type ShownFeature,
} from '../../model/rule-hit.ts';
import type { HitPage } from '../../model/rule-hit-page.ts';
import type { CountedRule, ListedRule, RuleHitListing } from '../../model/rule-listing.ts';
import { PERCENT_SCALE } from '../../model/signal.ts';
import type { OutcomeListing } from '../../model/signal-listing.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';
import { RelationshipWord } from './evidence-body.ts';
import { AUTHOR_OF_RULE, authorOf } from './rule-author.ts';
import {
  address,
  decimalOf,
  flag,
  instant,
  integer,
  list,
  nullable,
  number,
  plain,
  price,
  text,
  unionNull,
  usd,
  word,
} from './wire-kinds.ts';
import { type Wire, wireRecord } from './wire-record.ts';

const percent = decimalOf<bigint>((percentE9) => formatRounded(percentE9, PERCENT_SCALE, 4));

const RuleRecord = wireRecord<ListedRule>()({
  rule_id: [text, ruleIdOf, '`name@version+hash`.'],
  name: [text, 'name'],
  version: [integer, 'version'],
  author: [word(RULE_AUTHORS), authorOf, AUTHOR_OF_RULE],
  kind: [text, 'kind', 'fraud, signal, alert or label.'],
  scope: [text, 'scope', 'What it is judged on: pool_minute, case or cluster.'],
  title: [text, 'title'],
  hash: [text, 'hash', 'SHA-256 of the content, whatever its layout.'],
  is_judged: [flag, 'isJudged', 'False until the next slot has taken it up.'],
  content: [text, 'content', 'The rule as JSON, with sorted keys.'],
});

export const presentRule = RuleRecord.present;

const CountedRuleRecord = wireRecord<CountedRule>()({
  ...RuleRecord.fields,
  hit_count: [integer, 'hitCount', 'Hits of all versions of this name.'],
});

export const presentCountedRule = CountedRuleRecord.present;

const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const RULE_EXAMPLE: Wire<typeof RuleRecord> = {
  rule_id: 'quiet-accumulation@1+9f86d081884c7d65',
  name: 'quiet-accumulation',
  version: 1,
  author: 'account',
  kind: 'alert',
  scope: 'pool_minute',
  title: 'Many buy while the price stands still',
  hash: HASH,
  is_judged: false,
  content: '{"kind":"alert","name":"quiet-accumulation","version":1}',
};

export const RuleBody = Type.Object(RuleRecord.schema.properties, {
  description: 'The rule.',
  examples: [RULE_EXAMPLE],
});

export const RulesBody = Type.Object(
  { rules: Type.Array(CountedRuleRecord.schema) },
  {
    description: 'Rules of the account, then those of the operator, each by name.',
    headers: FRESHNESS_HEADERS,
    examples: [{ rules: [{ ...RULE_EXAMPLE, hit_count: 12 }] }],
  },
);

const Feature = wireRecord<ShownFeature>()({
  name: [text, 'name'],
  value: [
    plain(
      Type.Union([
        Type.Number(),
        Type.Boolean(),
        Type.String(),
        Type.Array(Type.Number()),
        Type.Null(),
      ]),
    ),
    ({ value }) =>
      Array.isArray(value) ? [...value] : (value as number | boolean | string | null),
    'Null if unknown.',
  ],
});

const Outcome = wireRecord<OutcomeListing>()({
  ath_market_cap_usd: [usd, 'athMarketCapUsd'],
  roi_percentage: [percent, 'roiE9', 'From the signal to the highest price since, in percent.'],
  max_drawdown_percentage: [percent, 'maxDrawdownE9'],
});

const Link = wireRecord<HitLink>()({
  wallet_address: [address, 'one'],
  related_address: [address, 'other'],
  relationship: [plain(RelationshipWord), 'relationship'],
  strength: [number, 'strength', 'Strength of all indications for this pair, from 0 to 1.'],
  via_address: [
    nullable(address),
    'via',
    'The address behind both, such as a common funder; null without one.',
  ],
});

/** A hit, in lists, streams and webhooks. */
export const HitRecord = wireRecord<RuleHitListing>()({
  row_id: [integer, 'rowId', 'Number of the hit, rising.'],
  rule_id: [text, ruleIdOf, '`name@version+hash` of the rule that passed.'],
  author: [word(RULE_AUTHORS), authorOf],
  kind: [word(HIT_KINDS), 'kind'],
  label: [nullable(text), 'label', 'For kind label, else null.'],
  token_address: [address, 'mint'],
  pair_address: [address, 'pool'],
  created_at: [instant, 'createdAtMs'],
  slot: [
    integer,
    'slot',
    'The slot that ended the minute; its own data is not used. For kind fraud the slot at whose end the case was judged.',
  ],
  as_of_slot: [integer, 'asOfSlot', 'The features are as of this slot.'],
  confidence: [number, 'confidence', 'From 0 to 1.'],
  reasons: [list(text), 'reasons'],
  evidence: [list(Feature), 'evidence', 'The features that the rule names as evidence.'],
  price_usd: [nullable(price), 'priceUsd', 'US dollars; null if unknown.'],
  signal_row_id: [nullable(integer), 'signalRowId', 'For kind signal: its number among signals.'],
  outcome: [unionNull(Outcome), 'outcome', 'For kind signal, as of now.'],
  wallets: [
    list(address),
    'wallets',
    `For kind fraud: the members of the cluster that passed, or wallets of the groups whose figures the rule reads, at most ${HIT_WALLETS_MAX}. Else empty.`,
  ],
  signatures: [
    list(text),
    'signatures',
    `For kind fraud: transactions of these wallets, at most ${HIT_SIGNATURES_MAX}. Else empty.`,
  ],
  links: [
    list(Link),
    'links',
    `For the scope cluster: what joins its members, strongest first, at most ${HIT_LINKS_MAX}. Else empty.`,
  ],
});

export const presentHit = HitRecord.present;

/** One hit, as a file that is verified has it. */
export const HitBody = HitRecord.schema;

const HIT_EXAMPLE: Wire<typeof HitRecord> = {
  row_id: 12,
  rule_id: 'quiet-accumulation@1+9f86d081884c7d65',
  author: 'account',
  kind: 'alert',
  label: null,
  token_address: EXAMPLE.mint,
  pair_address: EXAMPLE.pool,
  created_at: EXAMPLE.instant,
  slot: EXAMPLE.slot,
  as_of_slot: EXAMPLE.slot - 1,
  confidence: 0.7,
  reasons: ['Organic wallets bought most.'],
  evidence: [{ name: 'window.organic_buyers_5m', value: 14 }],
  price_usd: '0.01',
  signal_row_id: null,
  outcome: null,
  wallets: [],
  signatures: [],
  links: [],
};

/** Hits beside what a list has otherwise; absent unless they are asked for. */
export function RuleHits(description: string) {
  return Type.Optional(Type.Array(HitRecord.schema, { description }));
}

export function presentHits(hits: readonly RuleHitListing[]): Wire<typeof HitRecord>[] {
  return hits.map((hit) => presentHit(hit, undefined));
}

/** `write` writes the cursor of the next page. */
export const HitPageBody = wireRecord<HitPage, (next: FindingPosition) => string>()(
  {
    hits: [list(HitRecord), 'hits', 'Newest first.'],
    next_cursor: [
      nullable(text),
      ({ next }, write) => next && write(next),
      'Cursor of the next page; null on the last page.',
    ],
  },
  {
    description: 'One page of hits.',
    headers: FRESHNESS_HEADERS,
    examples: [{ hits: [HIT_EXAMPLE], next_cursor: null }],
  },
);

export const HitsBody = Type.Object(
  { hits: Type.Array(HitRecord.schema, { description: 'Newest first.' }) },
  {
    description: 'Hits of the rule.',
    headers: FRESHNESS_HEADERS,
    examples: [{ hits: [HIT_EXAMPLE] }],
  },
);
