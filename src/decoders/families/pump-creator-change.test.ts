import { describe, expect, it } from 'vitest';
import { concat, hex, key, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { decodeDraft } from '../../../tests/support/decode-draft.ts';
import { CAT, PUMP, selfEvent } from '../../../tests/support/pump-drafts.ts';

const CHANGES = {
  set_creator: ['fe94ff70cf8eaaa5', 'ed347b25f5fb48d2'],
  set_metaplex_creator: ['8a60aed93055c5f6', '8ecb06207f69bfa2'],
  migrate_bonding_curve_creator: ['577c34bf3426d6e8', '9ba768dcd56cf303'],
  admin_set_creator: ['4519ab8e39ef0d04', '4045c0681d1e196b'],
  admin_cto: ['7d7ed6864de5bc59', '6e7ce262aaff1178'],
} as const;

const SECOND = address('second creator');
const time = u64(1_791_530_008n);
const curve = concat(key(CAT.mint), key(CAT.curve));
const fromTo = (from: string, to: string) => concat(key(address(from)), key(address(to)));

describe('a change of the receiver of creator fees', () => {
  it.each([
    ['set_creator', concat(time, curve, key(SECOND))],
    ['set_metaplex_creator', concat(time, curve, key(address('metadata')), key(SECOND))],
    [
      'migrate_bonding_curve_creator',
      concat(time, curve, key(address('sharing')), fromTo('first', 'second creator')),
    ],
    [
      'admin_set_creator',
      concat(time, key(address('admin')), curve, fromTo('first', 'second creator')),
    ],
    // The rest of the newest event: flags, rates, and amounts paid out in between.
    [
      'admin_cto',
      concat(
        time,
        key(address('admin')),
        curve,
        fromTo('first', 'second creator'),
        new Uint8Array(2 + 16 + 1 + 8 + 1),
      ),
    ],
  ] as const)('is read from the event of %s', (name, fields) => {
    expect(decode(name, fields)).toEqual({
      status: 'event',
      events: [
        {
          kind: 'creatorChange',
          outerIx: 0,
          innerIx: -1,
          venue: 'pump',
          mint: CAT.mint,
          pool: CAT.curve,
          feeRecipient: SECOND,
        },
      ],
    });
  });

  it('to the same account is ignored', () => {
    const fields = concat(time, key(address('admin')), curve, fromTo('first', 'first'));
    expect(decode('admin_set_creator', fields)).toEqual({ status: 'ignored' });
  });

  it('without an event is ignored', () => {
    expect(decode('set_creator', null)).toEqual({ status: 'ignored' });
  });

  it('is malformed when the rest of its event is truncated', () => {
    const keys = concat(time, key(address('admin')), curve, fromTo('first', 'second creator'));
    expect(decode('admin_cto', concat(keys, new Uint8Array(27)))).toEqual({
      status: 'malformed',
      reason: 'AdminCtoEvent ends inside its fields',
    });
  });

  it('is malformed when its event is truncated', () => {
    const fields = concat(time, curve, key(SECOND));
    expect(decode('set_creator', fields.subarray(0, -1))).toEqual({
      status: 'malformed',
      reason: 'SetCreatorEvent ends inside its fields',
    });
  });
});

function decode(name: keyof typeof CHANGES, fields: Uint8Array | null) {
  const [instruction, event] = CHANGES[name];
  const inner = fields === null ? [] : [selfEvent(event, fields)];
  return decodeDraft({
    signers: [CAT.alice],
    instructions: [{ program: PUMP, data: hex(instruction), inner }],
  });
}
