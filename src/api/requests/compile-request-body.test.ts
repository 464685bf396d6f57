import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../model/errors.ts';
import { ChoiceParameter, TextParameter } from '../schemas/parameters.ts';
import { compileRequestPart } from './compile-request-part.ts';

const validate = compileRequestPart(
  Type.Object({
    status: ChoiceParameter(['up', 'down'], { description: 'Way.', invalidStatus: 422 }),
    note: Type.Optional(TextParameter({ description: 'Why.', maxLength: 3, invalidStatus: 422 })),
  }),
  'body',
);
const refused = (status: 400 | 422, message: string) => ({ error: new ApiError(status, message) });

describe('A-05 compiled bodies', () => {
  test('contain only fields of the schema', () => {
    const raw = JSON.parse('{"status":"up","note":"é😀x","more":[1],"toString":1}');
    expect(validate(raw)).toEqual({ value: { status: 'up', note: 'é😀x' } });
  });

  test.each([[undefined], [null], [[]], ['up'], [1]])('must be objects, not %j', (raw) => {
    expect(validate(raw)).toEqual(refused(400, 'The request body must be a JSON object.'));
  });

  test.each([
    [{}, 400, 'status is required.'],
    [{ status: null }, 400, 'status must be a string.'],
    [{ status: ['up'] }, 400, 'status must be a string.'],
    [{ status: 'sideways', note: 1 }, 400, 'note must be a string.'],
    [{ status: 'sideways' }, 422, 'status must be one of up, down.'],
    [{ status: '' }, 422, 'status must be one of up, down.'],
    [{ status: 'up', note: '' }, 422, 'note must be a text of 1 to 3 characters.'],
    [{ status: 'up', note: 'four' }, 422, 'note must be a text of 1 to 3 characters.'],
    [{ status: 'up', note: 'a\u0000' }, 422, 'note must be a text of 1 to 3 characters.'],
    [{ status: 'up', note: '\ud800' }, 422, 'note must be a text of 1 to 3 characters.'],
  ] as const)('that are wrong are refused: %j', (raw, status, message) => {
    expect(validate(raw)).toEqual(refused(status, message));
  });

  test('do not read prototype properties', () => {
    expect(validate(Object.create({ status: 'up' }))).toEqual(refused(400, 'status is required.'));
  });
});
