import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { ApiError } from '../../model/errors.ts';
import {
  AddressParameter,
  ChoiceParameter,
  Defaulted,
  InstantParameter,
  IntegerParameter,
} from '../schemas/parameters.ts';
import { compileRequestPart } from './compile-request-part.ts';

const MINT = address('mint');
const validate = compileRequestPart(
  Type.Object({
    start: Type.Optional(InstantParameter({ description: 'Start.' })),
    interval: Defaulted(
      ChoiceParameter(['1m', '5m'], { description: 'i', default: '5m', invalidStatus: 422 }),
    ),
    page: Defaulted(IntegerParameter({ description: 'Page.', minimum: 1, maximum: 9, default: 1 })),
    token_address: AddressParameter({ description: 'Mint.', example: MINT }),
  }),
  'query',
);
const refused = (status: 400 | 422, message: string) => ({ error: new ApiError(status, message) });

describe('compiled parameters', () => {
  test('replace texts with values and fill in defaults', () => {
    expect(validate({ token_address: MINT, start: '1970-01-02', page: '3' })).toEqual({
      value: { token_address: MINT, start: 86_400_000, page: 3, interval: '5m' },
    });
  });

  test('refuse unknown ones before all other faults, and read nothing from them', () => {
    const refusal = refused(400, 'pag is not a parameter of this endpoint; did you mean page?');
    expect(validate({ token_address: MINT, pag: '3' })).toEqual(refusal);
    expect(validate({ interval: '2m', pag: '3' })).toEqual(refusal);
    const raw = JSON.parse(`{"token_address":"${MINT}","__proto__":"1","constructor":["2"]}`);
    expect(validate(raw)).toHaveProperty('error.status', 400);
    expect(({} as Record<string, unknown>).page).toBeUndefined();
  });

  test('accept any parameter with the prefix x-, and pass it on to nobody', () => {
    const { value } = validate({ token_address: MINT, 'x-page': '3' }) as { value: object };
    expect(value).toMatchObject({ page: 1 });
  });

  test.each([
    ['a missing one before a wrong one', { page: '0' }, 400, 'token_address is required.'],
    [
      'a repeated one before a wrong one',
      { token_address: 'x', page: ['1', '1'] },
      400,
      'page is given more than once.',
    ],
    ['an empty one', { token_address: '' }, 400, 'token_address is empty.'],
    [
      'a 400 before a 422 that is written earlier',
      { start: 'soon', token_address: 'x' },
      400,
      'token_address must be the base58 text of a 32-byte address.',
    ],
    [
      'a 422 once no 400 is left',
      { interval: '2m', token_address: MINT },
      422,
      'interval must be one of 1m, 5m.',
    ],
  ] as const)('refuse %s', (_what, raw, status, message) => {
    expect(validate({ ...raw })).toEqual(refused(status, message));
  });

  test('throw for a schema that cannot be enforced', () => {
    const unbounded = Type.Object({ limit: Type.Integer() });
    expect(() => compileRequestPart(unbounded, 'query')).toThrow(TypeError);
    const anything = Type.Object({ name: Type.String() });
    expect(() => compileRequestPart(anything, 'query')).toThrow(TypeError);
  });
});
