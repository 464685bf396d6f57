import { Type } from 'typebox';
import {
  CONDITIONS_MAX,
  TRIGGER_FIELDS,
  TRIGGER_ID_LENGTH_MAX,
  TRIGGER_OPERATORS,
} from '../../model/trigger.ts';
import type { Address } from '../../model/units.ts';
import { ADDRESS_FORMAT } from '../parameters/compile-parameters.ts';
import { AddressText, Word } from './wire.ts';

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

/** trigger_id in a request. */
export const TriggerIdText = Type.String({
  minLength: 1,
  maxLength: TRIGGER_ID_LENGTH_MAX,
  description: 'Client-chosen ID, unique within the account.',
});

export const ConditionList = Type.Array(ConditionBody, {
  minItems: 1,
  maxItems: CONDITIONS_MAX,
  description: 'Conditions. The trigger fires when all of them are true.',
});

/** Address in a request, parsed. */
export const PoolText = Type.Unsafe<Address>({
  ...AddressText,
  format: ADDRESS_FORMAT,
  pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$',
});

export const UNKNOWN_TRIGGER = 'This account has no such trigger.';
