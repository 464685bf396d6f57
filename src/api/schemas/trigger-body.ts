import { Type } from 'typebox';
import { TRIGGER_FIELDS, TRIGGER_OPERATORS } from '../../model/trigger.ts';
import { EXAMPLE } from './examples.ts';
import { AddressText, DecimalText, Instant, MaybeInstant, Nullable, Word } from './wire.ts';

export const ConditionBody = Type.Object({
  field: Word(TRIGGER_FIELDS, 'Pool figure to compare.'),
  operator: Word(TRIGGER_OPERATORS, 'gt: greater than; lt: less than. Equal values match neither.'),
  value: Type.String({
    pattern: '^[0-9]+([.][0-9]+)?$',
    description:
      'Threshold: a decimal number without sign or exponent, at most 30 digits and 18 fraction ' +
      'digits. Must be a whole number for counts.',
  }),
});

const CONDITIONS_EXAMPLE = [{ field: 'sol_amount', operator: 'gt', value: '85.5' }] as const;

const RECORD_EXAMPLE = {
  trigger_id: 'deep pool',
  pair_address: EXAMPLE.pool,
  conditions: CONDITIONS_EXAMPLE,
  status: 'active',
  created_at: EXAMPLE.instant,
  updated_at: EXAMPLE.instant,
};

const RECORD = {
  trigger_id: Type.String(),
  pair_address: AddressText,
  conditions: Type.Array(ConditionBody),
  status: Word(['active', 'removed'], 'removed appears only in the response of the removal.'),
  created_at: Instant,
  updated_at: Instant,
};

/** Response to adding, updating or removing a trigger. */
export const TriggerBody = Type.Object(RECORD, {
  description: 'The trigger.',
  examples: [RECORD_EXAMPLE],
});

export const TriggerPageBody = Type.Object(
  {
    triggers: Type.Array(Type.Object(RECORD)),
    total: Type.Integer({ description: 'Number of triggers of the account.' }),
    page: Type.Integer(),
    per_page: Type.Integer(),
    pages: Type.Integer(),
  },
  {
    description: 'One page of triggers, oldest first.',
    examples: [{ triggers: [RECORD_EXAMPLE], total: 1, page: 1, per_page: 100, pages: 1 }],
  },
);

const Usd = Nullable(DecimalText('US dollars; null while less than 90 % of the volume is priced.'));

const FiredPool = Type.Object({
  pair_address: AddressText,
  token_address: AddressText,
  sol_amount: Nullable(DecimalText('SOL in the pool; null if SOL is not one of its tokens.')),
  token_amount: Nullable(DecimalText('Tokens in the pool, in whole tokens.')),
  number_of_buys: Type.Integer(),
  number_of_sells: Type.Integer(),
  buy_volume_usd: Usd,
  sell_volume_usd: Usd,
  total_volume_usd: Usd,
});

const Seq = Type.Integer({
  description: 'Sequence number among all trigger events of the account.',
});

const Fired = Type.Object({
  type: Word(['trigger_fired'], 'All conditions became true.'),
  trigger_id: Type.String(),
  fired_at: Instant,
  pool: FiredPool,
  slot: Type.Integer({ description: 'Slot in which the conditions became true.' }),
  retracted_at: MaybeInstant,
  seq: Seq,
});

const Retracted = Type.Object({
  type: Word(['trigger_retracted'], 'The slot of a firing was reverted; the firing is void.'),
  trigger_id: Type.String(),
  fired_seq: Type.Integer({ description: 'seq of the retracted firing.' }),
  slot: Type.Integer({ description: 'The reverted slot.' }),
  retracted_at: Instant,
  seq: Seq,
});

export const FiringsBody = Type.Object(
  {
    firings: Type.Array(Type.Union([Fired, Retracted]), { description: 'Oldest first.' }),
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
            trigger_id: 'deep pool',
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
            seq: 41,
          },
        ],
        gap: null,
        last_seq: 41,
      },
    ],
  },
);

export const UNKNOWN_TRIGGER = 'This account has no such trigger.';
