import { Type } from 'typebox';
import type { PoolFigures } from '../../model/pool-figures.ts';
import { RULE_AUTHORS } from '../../model/rule-change.ts';
import type {
  Comparison,
  Condition,
  HitComparison,
  HitCondition,
  Trigger,
  TriggerEvent,
  TriggerTarget,
} from '../../model/trigger.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { ConditionBody } from '../schemas/trigger-body.ts';
import { Nullable, Word } from '../schemas/wire.ts';
import { formatTokens } from './format-wire.ts';
import { PAGE_FIELDS } from './page.ts';
import {
  address,
  decimal,
  described,
  instant,
  integer,
  list,
  maybeInstant,
  nullable,
  oneOf,
  sol,
  text,
  unionNull,
  usd,
  word,
} from './wire-kinds.ts';
import { type Wire, type WireKind, wireRecord } from './wire-record.ts';

type Status = 'active' | 'removed';

const TargetPool = wireRecord<TriggerTarget>()({ pair_address: [address, 'address'] });
const TargetToken = wireRecord<TriggerTarget>()({ token_address: [address, 'address'] });

const target = oneOf<TriggerTarget>()({ pool: TargetPool, token: TargetToken });

/** A condition on a figure has no rule. */
const condition: WireKind<Condition | HitCondition, typeof ConditionBody> = {
  schema: ConditionBody,
  present: (one) => {
    const { field, operator, value } = one;
    return 'rule' in one
      ? { field, operator, value, rule_id: one.rule, author: one.author }
      : { field, operator, value };
  },
};

/** A trigger as returned to its account. */
const TriggerRecord = wireRecord<Trigger, Status>()({
  trigger_id: [text, 'triggerId'],
  pair_address: [
    nullable(address),
    ({ target: { kind, address: pool } }) => (kind === 'pool' ? pool : null),
    'The pool of the trigger; null for a trigger of a token.',
  ],
  conditions: [list(condition), ({ conditions, hits = [] }) => [...conditions, ...hits]],
  status: [
    word(['active', 'removed']),
    (_, status) => status,
    'removed appears only in the response of the removal.',
  ],
  created_at: [instant, 'createdAtMs'],
  updated_at: [instant, 'updatedAtMs'],
  target: [
    described(
      target,
      'The pool, or the token whose primary pool the conditions are compared with.',
    ),
    'target',
  ],
});

export function presentTrigger(trigger: Trigger, status: Status = 'active') {
  return TriggerRecord.present(trigger, status);
}

const TRIGGER_EXAMPLE: Wire<typeof TriggerRecord> = {
  trigger_id: EXAMPLE.trigger,
  pair_address: EXAMPLE.pool,
  conditions: [{ field: 'sol_amount', operator: 'gt', value: '50' }],
  status: 'active',
  created_at: EXAMPLE.instant,
  updated_at: EXAMPLE.instant,
  target: { pair_address: EXAMPLE.pool },
};

/** Response to adding, updating or removing a trigger. */
export const TriggerBody = Type.Object(TriggerRecord.schema.properties, {
  description: 'The trigger.',
  examples: [TRIGGER_EXAMPLE],
});

export const TriggerPageBody = Type.Object(
  {
    triggers: Type.Array(TriggerRecord.schema),
    total: Type.Integer({ description: 'Number of triggers of the account.' }),
    ...PAGE_FIELDS,
  },
  {
    description: 'One page of triggers, oldest first.',
    examples: [{ triggers: [TRIGGER_EXAMPLE], total: 1, page: 1, per_page: 100, pages: 1 }],
  },
);

const volume = described(
  nullable(usd),
  'US dollars; null while less than 90 % of the volume is priced.',
);

/** The pool of a firing, nine keys in the order of CONTRACT §3. */
export const FiredPool = wireRecord<PoolFigures>()({
  pair_address: [address, 'pool'],
  token_address: [address, 'tokenMint'],
  sol_amount: [
    nullable(sol),
    'solLamports',
    'SOL in the pool; null if SOL is not one of its tokens.',
  ],
  token_amount: [
    nullable(decimal),
    ({ tokenRaw, tokenDecimals }) => formatTokens(tokenRaw, tokenDecimals),
    'Tokens in the pool, in whole tokens.',
  ],
  number_of_buys: [integer, 'buyCount'],
  number_of_sells: [integer, 'sellCount'],
  buy_volume_usd: [volume, 'buyVolumeUsd'],
  sell_volume_usd: [volume, 'sellVolumeUsd'],
  total_volume_usd: [volume, 'totalVolumeUsd'],
});

type EventOf<Kind extends TriggerEvent['kind']> = Extract<TriggerEvent, { kind: Kind }>;

const seq = described(integer, 'Sequence number among all trigger events of the account.');

const COMPARED =
  'All conditions with the figures that were compared; null for firings of earlier versions.';

const ComparedCondition = wireRecord<Comparison | HitComparison>()({
  field: [text, 'field'],
  operator: [text, 'operator'],
  value: [text, 'value', 'The threshold.'],
  compared: [nullable(text), 'compared', 'The exact figure that was compared with it.'],
});

const ComparedHit = Type.Object({
  ...ComparedCondition.schema.properties,
  rule_id: Type.Optional(
    Type.String({ description: 'For rule_hit_confidence: `name@version+hash` of the hit.' }),
  ),
  author: Type.Optional(Word(RULE_AUTHORS, 'For rule_hit_confidence: whose rule it is.')),
});

const compared: WireKind<Comparison | HitComparison, typeof ComparedHit> = {
  schema: ComparedHit,
  present: (one) => {
    const figure = ComparedCondition.present(one);
    return 'ruleId' in one ? { ...figure, rule_id: one.ruleId, author: one.author } : figure;
  },
};

const Fired = wireRecord<EventOf<'fired'>>()({
  type: [word(['trigger_fired']), () => 'trigger_fired' as const, 'All conditions became true.'],
  trigger_id: [text, ({ firing }) => firing.triggerId],
  fired_at: [instant, ({ firing }) => firing.firedAtMs],
  pool: [FiredPool, ({ firing }) => firing.figures],
  slot: [integer, ({ firing }) => firing.slot, 'Slot in which the conditions became true.'],
  retracted_at: [maybeInstant, ({ firing }) => firing.retractedAtMs],
  conditions: [described(unionNull(list(compared)), COMPARED), ({ firing }) => firing.comparisons],
  seq: [seq, ({ firing }) => firing.number],
});

const Retracted = wireRecord<EventOf<'retracted'>>()({
  type: [
    word(['trigger_retracted']),
    () => 'trigger_retracted' as const,
    'The slot of a firing was reverted; the firing is void.',
  ],
  trigger_id: [text, ({ retraction }) => retraction.triggerId],
  fired_seq: [integer, ({ retraction }) => retraction.firedNumber, 'seq of the retracted firing.'],
  slot: [integer, ({ retraction }) => retraction.slot, 'The reverted slot.'],
  retracted_at: [instant, ({ retraction }) => retraction.retractedAtMs],
  seq: [seq, ({ retraction }) => retraction.number],
});

/** A trigger event, as sent on streams and listed in firings. */
const Event = oneOf<TriggerEvent>()({ fired: Fired, retracted: Retracted });

export const FiredEventBody = Fired.schema;
export const RetractedEventBody = Retracted.schema;
export const TriggerEventBody = Event.schema;

export function presentTriggerEvent(event: TriggerEvent) {
  return Event.present(event, undefined);
}

export const FiringsBody = Type.Object(
  {
    firings: Type.Array(Event.schema, { description: 'Oldest first.' }),
    gap: Nullable(
      Type.Object(
        { from_seq: Type.Integer(), to_seq: Type.Integer() },
        { description: 'Sequence numbers after since that are no longer retained; null if none.' },
      ),
    ),
    last_seq: Type.Integer({
      description: 'Newest sequence number of the account; 0 before the first event.',
    }),
  },
  {
    description: 'Trigger events of the account after since.',
    examples: [
      {
        firings: [
          {
            type: 'trigger_fired',
            trigger_id: EXAMPLE.trigger,
            fired_at: EXAMPLE.instant,
            pool: {
              pair_address: EXAMPLE.pool,
              token_address: EXAMPLE.mint,
              sol_amount: '85.512000000',
              token_amount: '206900000.000000',
              number_of_buys: 412,
              number_of_sells: 290,
              buy_volume_usd: '51207.11',
              sell_volume_usd: '38010.90',
              total_volume_usd: '89218.01',
            },
            slot: EXAMPLE.slot,
            retracted_at: null,
            conditions: [{ field: 'sol_amount', operator: 'gt', value: '50', compared: '85.512' }],
            seq: 41,
          },
        ],
        gap: null,
        last_seq: 41,
      },
    ],
  },
);
