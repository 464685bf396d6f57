import { Type } from 'typebox';
import {
  CONDITIONS_MAX,
  TRIGGER_FIELDS,
  TRIGGER_ID_LENGTH_MAX,
  TRIGGER_OPERATORS,
} from '../../model/trigger.ts';
import type { Address } from '../../model/units.ts';
import { ADDRESS_FORMAT } from '../parameters/compile-parameters.ts';
import { EXAMPLE } from './examples.ts';
import { AddressText, DecimalText, Instant, MaybeInstant, Nullable, Word } from './wire.ts';

const ConditionBody = Type.Object({
  field: Word(TRIGGER_FIELDS, 'Figure of the pool.'),
  operator: Word(TRIGGER_OPERATORS, 'Greater or less than; equal is neither.'),
  value: Type.String({
    pattern: '^[0-9]+([.][0-9]+)?$',
    description:
      'Threshold: a decimal number without sign or exponent, at most 30 digits and 18 behind the ' +
      'point; whole for counts.',
  }),
});

/** As a client names it. */
export const TriggerIdText = Type.String({
  minLength: 1,
  maxLength: TRIGGER_ID_LENGTH_MAX,
  description: 'Chosen by the client, one of a kind within its account.',
});

export const ConditionList = Type.Array(ConditionBody, {
  minItems: 1,
  maxItems: CONDITIONS_MAX,
  description: 'All of them must be true.',
});

/** An address of a request, parsed. */
export const PoolText = Type.Unsafe<Address>({
  ...AddressText,
  format: ADDRESS_FORMAT,
  pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$',
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
  status: Word(['active', 'removed'], 'Removed: only in the answer to its removal.'),
  created_at: Instant,
  updated_at: Instant,
};

/** The answer to an added, updated or removed trigger. */
export const TriggerBody = Type.Object(RECORD, {
  description: 'The trigger.',
  examples: [RECORD_EXAMPLE],
});

export const TriggerPageBody = Type.Object(
  {
    triggers: Type.Array(Type.Object(RECORD)),
    total: Type.Integer({ description: 'Triggers of the account.' }),
    page: Type.Integer(),
    per_page: Type.Integer(),
    pages: Type.Integer(),
  },
  {
    description: 'Oldest first.',
    examples: [{ triggers: [RECORD_EXAMPLE], total: 1, page: 1, per_page: 100, pages: 1 }],
  },
);

const Usd = Nullable(DecimalText('US dollars; null while less than 0.9 of the volume is priced.'));

const FiredPool = Type.Object({
  pair_address: AddressText,
  token_address: AddressText,
  sol_amount: Nullable(DecimalText('SOL in the pool; null for a pool without SOL.')),
  token_amount: Nullable(DecimalText('Tokens in the pool.')),
  number_of_buys: Type.Integer(),
  number_of_sells: Type.Integer(),
  buy_volume_usd: Usd,
  sell_volume_usd: Usd,
  total_volume_usd: Usd,
});

const Seq = Type.Integer({ description: 'Its place among all that the account is told.' });

const Fired = Type.Object({
  type: Word(['trigger_fired'], 'All conditions became true.'),
  trigger_id: Type.String(),
  fired_at: Instant,
  pool: FiredPool,
  slot: Type.Integer({ description: 'Slot that made them true.' }),
  retracted_at: MaybeInstant,
  seq: Seq,
});

const Retracted = Type.Object({
  type: Word(['trigger_retracted'], 'The slot of a firing was taken back: it does not count.'),
  trigger_id: Type.String(),
  fired_seq: Type.Integer({ description: 'seq of the firing.' }),
  slot: Type.Integer({ description: 'Slot that was taken back.' }),
  retracted_at: Instant,
  seq: Seq,
});

export const FiringsBody = Type.Object(
  {
    firings: Type.Array(Type.Union([Fired, Retracted]), { description: 'Oldest first.' }),
    gap: Nullable(
      Type.Object(
        { from_seq: Type.Integer(), to_seq: Type.Integer() },
        { description: 'Numbers after since that are not kept any more; null when all are.' },
      ),
    ),
    last_seq: Type.Integer({ description: 'Newest number of the account, 0 before any.' }),
  },
  {
    description: 'What the account was told after a number.',
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
