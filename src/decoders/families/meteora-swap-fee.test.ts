import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { concat, u64 } from '../../../tests/support/borsh-bytes.ts';
import { swapEvent } from '../../../tests/support/build-facts.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { hasTestData, testData } from '../../../tests/support/test-data.ts';
import { asRawAmount } from '../../model/units.ts';
import { snakeCase } from '../idl/program-interface.ts';
import { borshRecord } from '../transaction/borsh-record.ts';
import {
  type MeteoraSwapFee,
  meteoraSwapFee,
  swapAmounts,
  withMeteoraFee,
} from './meteora-swap-fee.ts';

const BYTES_BEFORE_RESULT = 5;
const RESULT = borshRecord({ ...swapAmounts, trading_fee: 'u64', protocol_fee: 'u64' });
const FEE = asRawAmount(10n);

describe('the fee in a Meteora swap event', () => {
  test('is the difference of the input amounts', () => {
    expect(read(event(1_000n, 990n, 8n, 2n))).toEqual({ isOnInput: true, raw: FEE });
  });

  test('is the sum of its shares when it was kept from the output', () => {
    expect(read(event(1_000n, 1_000n, 8n, 2n))).toEqual({ isOnInput: false, raw: FEE });
  });

  test('is not read from an event that ends inside the last share', () => {
    expect(read(event(1_000n, 990n, 8n, 2n).subarray(0, -1))).toBeNull();
  });

  test("is in quote when a buyer paid it in or it was deducted from a seller's output", () => {
    const onInput = { isOnInput: true, raw: FEE };
    const onOutput = { isOnInput: false, raw: FEE };
    expect([feeOf('buy', onInput), feeOf('sell', onOutput)]).toEqual([FEE, FEE]);
    expect([feeOf('sell', onInput), feeOf('buy', onOutput)]).toEqual([null, null]);
    expect(feeOf('buy', null)).toBeNull();
  });
});

describe.skipIf(!hasTestData)('the swap result in the published interfaces', () => {
  const amounts = [
    'included_fee_input_amount',
    'excluded_fee_input_amount',
    'amount_left',
    'output_amount',
    'next_sqrt_price',
  ];
  const ofPools = ['trading_fee', 'protocol_fee', 'partner_fee', 'referral_fee'];
  const ofCurves = ['trading_fee', 'protocol_fee', 'referral_fee'];

  test('has the input amounts first and the shares of the fee last', () => {
    const pools: Declared[] = readJson('meteora_damm_v2').types;
    const curves: Declared[] = readJson('meteora_dbc').program.definedTypes;
    expect(fieldsOfResult(pools)).toEqual([...amounts, ...ofPools]);
    expect(fieldsOfResult(curves)).toEqual([...amounts, ...ofCurves]);
  });
});

interface Declared {
  readonly name: string;
  readonly type: { readonly fields?: readonly { readonly name: string }[] };
}

function fieldsOfResult(types: readonly Declared[]): string[] | undefined {
  const result = types.find(({ name }) => name.toLowerCase() === 'swapresult2');
  return result?.type.fields?.map(({ name }) => snakeCase(name));
}

function readJson(file: string) {
  return JSON.parse(readFileSync(resolve(testData, 'idl', `${file}.json`), 'utf8'));
}

/** An event with two shares, after a leftover, an output and a price that differ from all else. */
function event(inputWithFee: bigint, inputWithoutFee: bigint, ...shares: readonly bigint[]) {
  const result = [inputWithFee, inputWithoutFee, 3n, 77n, 5n, 6n, ...shares];
  return concat(new Uint8Array(BYTES_BEFORE_RESULT), ...result.map(u64));
}

function read(data: Uint8Array) {
  const result = RESULT.read(data, BYTES_BEFORE_RESULT);
  return result && meteoraSwapFee(result, result.trading_fee, result.protocol_fee);
}

function feeOf(side: 'buy' | 'sell', fee: MeteoraSwapFee | null) {
  const swap = swapEvent({ trader: address('wallet'), side, baseRaw: 40n, quoteRaw: 30n });
  return withMeteoraFee(swap, fee).feeQuoteRaw;
}
