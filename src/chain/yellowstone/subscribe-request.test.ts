import { describe, expect, test } from 'vitest';
import { decodeMessage } from '../../../tests/support/protobuf-messages.ts';
import { asSlot } from '../../model/units.ts';
import { encodePing, encodeSubscribe } from './subscribe-request.ts';

const decode = (bytes: Uint8Array) => decodeMessage('SubscribeRequest', bytes);
const NOTHING = { slots: {}, transactions: {}, blocks: {}, blocksMeta: {} };

describe('encodeSubscribe', () => {
  test('requests whole confirmed blocks without accounts and entries', () => {
    expect(decode(encodeSubscribe({ mode: 'blocks', fromSlot: null }))).toMatchObject({
      ...NOTHING,
      slots: { mintscope: {} },
      blocks: {
        mintscope: {
          accountInclude: [],
          includeTransactions: true,
          includeAccounts: false,
          includeEntries: false,
        },
      },
      commitment: 1,
    });
  });

  test('requests every transaction, including votes and failures, and the counts to verify them', () => {
    const request = decode(encodeSubscribe({ mode: 'transactions', fromSlot: null }));
    expect(request).toMatchObject({
      ...NOTHING,
      slots: { mintscope: {} },
      transactions: {
        mintscope: { accountInclude: [], accountExclude: [], accountRequired: [] },
      },
      blocksMeta: { mintscope: {} },
      commitment: 1,
    });
    // The filter itself is empty: vote and failed are not set at all.
    const hex = Buffer.from(encodeSubscribe({ mode: 'transactions', fromSlot: null })).toString(
      'hex',
    );
    expect(hex).toContain(`1a0d0a09${Buffer.from('mintscope').toString('hex')}1200`);
  });

  test('requests a replay from a slot, zero included, only when there is one', () => {
    const encode = (fromSlot: number | null) =>
      encodeSubscribe({ mode: 'blocks', fromSlot: fromSlot === null ? null : asSlot(fromSlot) });
    expect(decode(encode(412_000_001))).toMatchObject({ fromSlot: '412000001' });
    // Field 11 with the value 0.
    expect([...encode(0).subarray(-2)]).toEqual([0x58, 0]);
    expect([...encode(0).subarray(0, -2)]).toEqual([...encode(null)]);
  });
});

describe('encodePing', () => {
  test('contains its number and no filter', () => {
    expect(decode(encodePing(7))).toMatchObject({ ...NOTHING, ping: { id: 7 } });
  });
});
