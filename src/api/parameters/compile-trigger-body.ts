import { ApiError } from '../../model/errors.ts';
import {
  CONDITIONS_MAX,
  type Condition,
  TRIGGER_FIELDS,
  TRIGGER_ID_LENGTH_MAX,
  TRIGGER_OPERATORS,
} from '../../model/trigger.ts';
import { isCount, isThreshold } from '../../model/trigger-threshold.ts';
import { parseAddress, parseChoice, parseText, refusal } from './parse-parameter.ts';

export type Validator = (raw: unknown) => { value: unknown } | { error: Error };
export type Fields = Readonly<Record<string, unknown>>;

const TRIGGER_ID = { name: 'trigger_id', status: 400 } as const;

/** Validates the body of a new trigger. Unknown fields are ignored. */
export const newTriggerBody = validator((body) => {
  const given = requireFields(body, ['trigger_id', 'pair_address', 'conditions']);
  const triggerId = requireText(given, 'trigger_id');
  const pool = requireText(given, 'pair_address');
  const conditions = readShapes(given.conditions);
  return {
    trigger_id: parseText(triggerId, TRIGGER_ID_LENGTH_MAX, TRIGGER_ID),
    pair_address: parseAddress(pool, { name: 'pair_address', status: 400 }),
    conditions: conditions.map(readCondition),
  };
});

/** Validates the body of a trigger update. */
export const triggerUpdateBody = validator((body) => {
  const given = requireFields(body, ['trigger_id', 'conditions']);
  const triggerId = requireText(given, 'trigger_id');
  const conditions = readShapes(given.conditions);
  return {
    trigger_id: parseText(triggerId, TRIGGER_ID_LENGTH_MAX, TRIGGER_ID),
    conditions: conditions.map(readCondition),
  };
});

/** Validates the trigger ID of a removal; empty if the body was omitted or dropped by a proxy. */
export const triggerRemovalBody = validator((body) => {
  if (body === null || body === undefined) return {};
  const given = requireFields(body, []);
  if (given.trigger_id === undefined) return {};
  const triggerId = requireText(given, 'trigger_id');
  return { trigger_id: parseText(triggerId, TRIGGER_ID_LENGTH_MAX, TRIGGER_ID) };
});

/** Wraps a function that reads a body and may throw ApiError. */
export function validator(read: (body: unknown) => unknown): Validator {
  return (raw) => {
    try {
      return { value: read(raw) };
    } catch (error) {
      if (error instanceof ApiError) return { error };
      throw error;
    }
  };
}

export function requireFields(body: unknown, names: readonly string[]): Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError(400, 'The request body must be a JSON object.');
  }
  const fields = ownFields(body);
  for (const name of names) {
    if (fields[name] === undefined) throw new ApiError(400, `${name} is required.`);
  }
  return fields;
}

/** Copies own properties only: the body may use any property name. */
function ownFields(body: object): Fields {
  return Object.assign(Object.create(null), body);
}

export function requireText(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw new ApiError(400, `${name} must be a string.`);
  return value;
}

interface ConditionText {
  readonly field: string;
  readonly operator: string;
  readonly value: string;
}

/** Checks the shape of all conditions before the meaning of any. */
function readShapes(conditions: unknown): readonly ConditionText[] {
  if (!Array.isArray(conditions)) throw new ApiError(400, 'conditions must be an array.');
  if (conditions.length < 1 || conditions.length > CONDITIONS_MAX) {
    throw new ApiError(400, `conditions must be 1 to ${CONDITIONS_MAX} objects.`);
  }
  return conditions.map((condition: unknown, index) => {
    const path = `conditions[${index}]`;
    if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) {
      throw new ApiError(400, `${path} must be an object.`);
    }
    const fields = ownFields(condition);
    const read = (name: keyof ConditionText) => {
      const value = fields[name];
      if (typeof value === 'string') return value;
      const wrong = value === undefined ? 'is required' : 'must be a string';
      throw new ApiError(400, `${path}.${name} ${wrong}.`);
    };
    return { field: read('field'), operator: read('operator'), value: read('value') };
  });
}

function readCondition(text: ConditionText, index: number): Condition {
  const named = (name: string) => ({ name: `conditions[${index}].${name}`, status: 422 }) as const;
  const field = parseChoice(text.field, TRIGGER_FIELDS, named('field')) as Condition['field'];
  const operator = parseChoice(text.operator, TRIGGER_OPERATORS, named('operator'));
  if (!isThreshold(field, text.value)) {
    const expected = isCount(field) ? 'a whole number' : 'a decimal number';
    throw refusal(named('value'), `${expected} without sign or exponent, ${DIGITS}`);
  }
  return { field, operator: operator as Condition['operator'], value: text.value };
}

const DIGITS = 'with at most 30 digits and 18 fraction digits';
