import { Type } from 'typebox';
import { TRIGGER_FIELDS, TRIGGER_OPERATORS } from '../../model/trigger.ts';
import { Word } from './wire.ts';

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

export const UNKNOWN_TRIGGER = 'This account has no such trigger.';
