import { describe, expect, test } from 'vitest';
import { asLamports, asRawAmount, asUsdNano, type Lamports } from '../../model/units.ts';
import {
  flag,
  instant,
  integer,
  list,
  nullable,
  oneOf,
  rounded,
  sol,
  text,
  tokens,
  usd,
  word,
} from './wire-kinds.ts';
import { presentersOf, wireRecord } from './wire-record.ts';

interface Deposit {
  readonly lamports: Lamports | null;
  readonly atMs: number;
}

const DepositBody = wireRecord<Deposit>()(
  {
    at: [instant, 'atMs', 'When it arrived.'],
    sol_amount: [nullable(sol), 'lamports'],
    is_large: [flag, ({ lamports }) => lamports !== null && lamports > 10n ** 9n],
  },
  { description: 'A deposit.' },
);

describe('a record on the wire', () => {
  test('is presented field by field in the order of its table', () => {
    const deposit = { lamports: asLamports(2_500_000_000n), atMs: 0, other: true };
    expect(JSON.stringify(DepositBody.present(deposit))).toBe(
      '{"at":"1970-01-01T00:00:00.000Z","sol_amount":"2.500000000","is_large":true}',
    );
    expect(DepositBody.present({ ...deposit, lamports: null }).sol_amount).toBeNull();
  });

  test('has a schema with the kinds and descriptions of its table', () => {
    expect(JSON.parse(JSON.stringify(DepositBody.schema))).toEqual({
      type: 'object',
      description: 'A deposit.',
      required: ['at', 'sol_amount', 'is_large'],
      properties: {
        at: { type: 'string', format: 'date-time', description: 'When it arrived.' },
        sol_amount: { type: ['string', 'null'], pattern: '^-?[0-9]+([.][0-9]+)?$' },
        is_large: { type: 'boolean' },
      },
    });
  });

  test('passes its context on to the records nested in it', () => {
    const Holder = wireRecord<{ raw: ReturnType<typeof asRawAmount> }, number | null>()({
      balance: [tokens, 'raw'],
      decimals: [nullable(integer), (_, decimals) => decimals],
    });
    const Page = wireRecord<
      { holders: readonly { raw: ReturnType<typeof asRawAmount> }[] },
      number
    >()({
      holders: [list(Holder), 'holders'],
      first: [nullable(Holder), ({ holders }) => holders[0] ?? null],
    });
    const presented = { balance: '1.50', decimals: 2 };
    expect(Page.present({ holders: [{ raw: asRawAmount(150n) }] }, 2)).toEqual({
      holders: [presented],
      first: presented,
    });
    expect(Page.present({ holders: [] }, 2)).toEqual({ holders: [], first: null });
  });

  test('can be extended by more fields', () => {
    const Larger = wireRecord<Deposit & { readonly note: string }>()({
      ...DepositBody.fields,
      note: [text, 'note'],
      refund: [nullable(integer), () => null],
    });
    expect(Larger.present({ lamports: null, atMs: 1, note: '"' })).toEqual({
      at: '1970-01-01T00:00:00.001Z',
      sol_amount: null,
      is_large: false,
      note: '"',
      refund: null,
    });
  });

  test('presents single fields on request', () => {
    const { at, is_large } = presentersOf(DepositBody);
    const deposit = { lamports: asLamports(1n), atMs: 60_000 };
    expect([at(deposit), is_large(deposit)]).toEqual(['1970-01-01T00:01:00.000Z', false]);
  });

  test('is one of several by its kind', () => {
    type Event = { readonly kind: 'in'; readonly ratio: number } | { readonly kind: 'out' };
    const Event = oneOf<Event>()({
      in: wireRecord<Extract<Event, { kind: 'in' }>>()({ ratio: [rounded(2), 'ratio'] }),
      out: wireRecord<Extract<Event, { kind: 'out' }>>()({ type: [word(['out']), 'kind'] }),
    });
    expect(Event.present({ kind: 'in', ratio: 0.125 }, undefined)).toEqual({ ratio: '0.13' });
    expect(Event.present({ kind: 'out' }, undefined)).toEqual({ type: 'out' });
  });

  test('takes no value of another unit or type', () => {
    const record = wireRecord<Deposit>();
    // @ts-expect-error: lamports are not US dollars.
    record({ value_usd: [nullable(usd), 'lamports'] });
    // @ts-expect-error: the amount may be null.
    record({ sol_amount: [sol, ({ lamports }) => lamports] });
    // @ts-expect-error: a deposit has no such property.
    record({ slot: [integer, 'slot'] });
    // @ts-expect-error: the decimals are missing.
    record({ balance: [tokens, () => null] });
    // @ts-expect-error: an example of another form.
    record({ at: [instant, 'atMs'] }, { examples: [{ at: 0 }] });
    expect(usd.present(asUsdNano(1_005_000_000n), undefined)).toBe('1.01');
  });
});
