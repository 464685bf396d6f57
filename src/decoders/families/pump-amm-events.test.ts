import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concat, hex } from '../../../tests/support/borsh-bytes.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { encodeEvent, type IdlValue, readIdl } from '../../../tests/support/idl.ts';
import { firstTradeFields, tradeFields } from '../../../tests/support/pump-amm-drafts.ts';
import { hasTestData, testData } from '../../../tests/support/test-data.ts';
import { SYSTEM_PROGRAM } from '../../model/program.ts';
import type { Address } from '../../model/units.ts';
import { SELF_EVENT_TAG } from '../transaction/discriminator.ts';
import { readEvent } from '../transaction/self-event.ts';
import { readTradedPool, readTradeEvent } from './pump-amm-events.ts';
import { pumpAmmLayout } from './pump-amm-layout.ts';

type EventName = keyof typeof pumpAmmLayout.events;
type CreatorEvent = Readonly<Record<'base_mint' | 'pool' | 'coin_creator', Address>>;
type CreatorsEvent = Readonly<
  Record<'base_mint' | 'pool' | 'old_coin_creator' | 'new_coin_creator', Address>
>;
type Values = Readonly<Record<string, string | boolean>>;

const TAG = hex(SELF_EVENT_TAG);
const IDLS = ['pump_amm.2025-07', 'pump_amm.official', 'pump_amm.2026-10.idl'];

/** Events of recorded transactions that the decoder reads, with their published decodings. */
const VECTORS = hasTestData ? readVectors() : [];

describe.skipIf(!hasTestData)('recorded events of PumpSwap', () => {
  test('are five trades and burns and two boosts', () => {
    expect(VECTORS.map(({ event }) => event)).toEqual([
      'InitBoostEvent',
      'InitBoostEvent',
      'BuyEvent',
      'BoostBuyAndBurnEvent',
      'BuyEvent',
      'SellEvent',
      'BuyEvent',
    ]);
  });

  test.each(VECTORS)('of $id: $event is read as published', ({ event, data, decoded }) => {
    expect(read(event, data)).toEqual(expectedOf(event, decoded));
  });

  test.each(VECTORS)('of $id: $event encodes to the bytes of its interface', (vector) => {
    const idl = readIdl('pump_amm.2026-10.idl');
    const fields = idl.events.find(({ name }) => name === vector.event)?.fields ?? [];
    const values: Record<string, IdlValue> = {};
    for (const { name, type } of fields) {
      const value = vector.decoded[name];
      if (value === undefined) throw new Error(`no value of ${name}`);
      const isNumber = type === 'u64' || type === 'i64' || type === 'i128';
      values[name] = isNumber && typeof value === 'string' ? BigInt(value) : value;
    }
    expect(vector.data.subarray(16)).toEqual(encodeEvent(idl, vector.event, values));
  });

  test.each(VECTORS)('of $id: $event requires its last byte and allows more', ({ event, data }) => {
    expect(read(event, data.subarray(0, -1))).toBeNull();
    expect(read(event, concat(data, new Uint8Array(300).fill(255)))).toEqual(read(event, data));
  });
});

describe.skipIf(!hasTestData)('trades encoded by a published interface', () => {
  test.each(IDLS)('of %s have net and gross by size, regardless of the field names', (file) => {
    const idl = readIdl(file);
    const bought = (quoteIn: bigint, userIn: bigint) => {
      const values = { quote_amount_in: quoteIn, user_quote_amount_in: userIn };
      return readTradeEvent(eventData('BuyEvent', encodeEvent(idl, 'BuyEvent', values)), true);
    };
    expect(bought(1_000n, 1_030n)).toMatchObject({ netQuote: 1_000n, grossQuote: 1_030n });
    expect(bought(1_030n, 1_000n)).toMatchObject({ netQuote: 1_000n, grossQuote: 1_030n });
    const values = { quote_amount_out: 1_000n, user_quote_amount_out: 970n, lp_fee: 7n };
    const sale = eventData('SellEvent', encodeEvent(idl, 'SellEvent', values));
    expect(readTradeEvent(sale, false)).toMatchObject({
      netQuote: 970n,
      grossQuote: 1_000n,
      lpFee: 7n,
      areFeesKept: false,
    });
  });
});

describe.skipIf(!hasTestData)('other events, encoded by the published interface', () => {
  const keys = { base_mint: address('coin'), pool: address('its pool') };

  test('report a sweep and its bucket', () => {
    const values = { ...keys, amount: 5_051_648n, bucket: 1n };
    const data = encoded('SweepPoolFeeEvent', values);
    const layout = pumpAmmLayout.events.SweepPoolFeeEvent;
    const { amount, bucket } = readEvent(layout, data) ?? {};
    expect({ amount, bucket }).toEqual({ amount: 5_051_648n, bucket: 1 });
    expect(readEvent(layout, data.subarray(0, -1))).toBeNull();
  });

  test.each(['AdminCtoPoolEvent', 'MigratePoolCoinCreatorEvent'] as const)(
    'report the creators before and after: %s',
    (name) => {
      const creators = { old_coin_creator: address('old'), new_coin_creator: address('new') };
      const data = encoded(name, { ...keys, ...creators });
      const { base_mint, pool, old_coin_creator, new_coin_creator } =
        readEvent<CreatorsEvent>(pumpAmmLayout.events[name], data) ?? {};
      expect({ base_mint, pool, old_coin_creator, new_coin_creator }).toEqual({
        ...keys,
        ...creators,
      });
    },
  );

  test.each(['SetBondingCurveCoinCreatorEvent', 'SetMetaplexCoinCreatorEvent'] as const)(
    'report only the new creator: %s',
    (name) => {
      const values = { ...keys, coin_creator: address('new') };
      const event = readEvent<CreatorEvent>(pumpAmmLayout.events[name], encoded(name, values));
      const { base_mint, pool, coin_creator } = event ?? {};
      expect({ base_mint, pool, coin_creator }).toEqual(values);
      expect(event).not.toHaveProperty('old_coin_creator');
    },
  );

  function encoded(name: EventName, values: Readonly<Record<string, IdlValue>>): Uint8Array {
    return eventData(name, encodeEvent(readIdl('pump_amm.2026-10.idl'), name, values));
  }
});

describe('a trade event of PumpSwap', () => {
  const values = { quoteAmount: 1_000n, userQuoteAmount: 1_030n };

  test('of the first layout has no creator fee, buy-backs or virtual reserves', () => {
    const event = readTradeEvent(eventData('BuyEvent', firstTradeFields(values)), true);
    expect(event).toMatchObject({ creatorFee: 0n, buybackFee: 0n, virtualQuoteBefore: 0n });
  });

  test('keeps its fees when the protocol fee goes to the zero key', () => {
    const kept = { ...values, protocolRecipient: SYSTEM_PROGRAM };
    const areKept = (fields: Uint8Array) =>
      readTradeEvent(eventData('SellEvent', fields), false)?.areFeesKept;
    expect(areKept(tradeFields(kept, false))).toBe(true);
    expect(areKept(tradeFields(values, false))).toBe(false);
  });

  test('reads virtual reserves below zero', () => {
    const fields = tradeFields({ ...values, virtualQuote: -(2n ** 100n) }, true);
    expect(readTradeEvent(eventData('BuyEvent', fields), true)).toMatchObject({
      virtualQuoteBefore: -(2n ** 100n),
    });
  });

  test('names its pool', () => {
    const data = eventData('BuyEvent', firstTradeFields({ ...values, pool: address('its pool') }));
    expect(readTradedPool(data)).toBe(address('its pool'));
    expect(readTradedPool(data.subarray(0, 16 + 14 * 8 + 31))).toBeNull();
  });

  test('never throws on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), fc.boolean(), (bytes, isBuy) => {
        const event = readTradeEvent(bytes, isBuy);
        return event === null || event.grossQuote >= event.netQuote;
      }),
    );
  });
});

function read(event: string, data: Uint8Array) {
  const { BoostBuyAndBurnEvent, InitBoostEvent } = pumpAmmLayout.events;
  if (event === 'BoostBuyAndBurnEvent') {
    const burn = readEvent(BoostBuyAndBurnEvent, data);
    return (
      burn && {
        quoteAmountUsed: burn.quote_amount_in_used,
        baseAmountBurned: burn.base_amount_burned,
        virtualQuote: burn.virtual_quote_reserves,
      }
    );
  }
  if (event === 'InitBoostEvent') {
    const boost = readEvent(InitBoostEvent, data);
    return (
      boost && {
        virtualQuote: boost.virtual_quote_reserves,
        quoteReservesAfter: boost.real_quote_reserves_after,
      }
    );
  }
  return readTradeEvent(data, event === 'BuyEvent');
}

/** The expected result in the reader's names, from values in the interface's names. */
function expectedOf(event: string, decoded: Values) {
  const amount = (name: string) => BigInt(String(decoded[name]));
  if (event === 'BoostBuyAndBurnEvent') {
    return {
      quoteAmountUsed: amount('quote_amount_in_used'),
      baseAmountBurned: amount('base_amount_burned'),
      virtualQuote: amount('virtual_quote_reserves'),
    };
  }
  if (event === 'InitBoostEvent') {
    return {
      virtualQuote: amount('virtual_quote_reserves'),
      quoteReservesAfter: amount('real_quote_reserves_after'),
    };
  }
  const isBuy = event === 'BuyEvent';
  const quotes = isBuy
    ? [amount('quote_amount_in'), amount('user_quote_amount_in')]
    : [amount('user_quote_amount_out'), amount('quote_amount_out')];
  const [netQuote, grossQuote] = quotes.toSorted((one, other) => (one < other ? -1 : 1));
  return {
    isBuy,
    baseAmount: amount(isBuy ? 'base_amount_out' : 'base_amount_in'),
    netQuote,
    grossQuote,
    lpFee: amount('lp_fee'),
    protocolFee: amount('protocol_fee'),
    creatorFee: amount('coin_creator_fee'),
    buybackFee: amount('buyback_fee'),
    areFeesKept: decoded.protocol_fee_recipient === SYSTEM_PROGRAM,
    virtualQuoteBefore: amount('virtual_quote_reserves'),
  };
}

function eventData(name: EventName, fields: Uint8Array): Uint8Array {
  return concat(TAG, hex(pumpAmmLayout.events[name].discriminator), fields);
}

function readVectors() {
  const file = readFileSync(resolve(testData, 'pump-2026-10-vectors.json'), 'utf8');
  const { vectors } = JSON.parse(file) as {
    vectors: { id: string; events: { event: string; base64: string; decoded: Values }[] }[];
  };
  return vectors.flatMap(({ id, events }) =>
    events
      .filter(({ event }) => event in pumpAmmLayout.events)
      .map(({ event, base64, decoded }) => {
        const data = concat(TAG, Uint8Array.from(Buffer.from(base64, 'base64')));
        return { id, event, data, decoded };
      }),
  );
}
