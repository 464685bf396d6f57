import type { Address } from '../../model/units.ts';
import { type DecodeResult, events, IGNORED, malformed } from '../legs/decoder.ts';
import type { ProgramCall } from '../legs/program-decoder.ts';
import { anchorEvent, type TypedEvent } from '../transaction/anchor-layout.ts';
import { readSelfEvent } from '../transaction/self-event.ts';

const CURVE = { mint: 'pubkey', bonding_curve: 'pubkey' } as const;
const CHANGE = { old_creator: 'pubkey', new_creator: 'pubkey' } as const;

/** Events that change the receiver of a curve's creator fees. */
export const creatorEventLayouts = {
  SetCreatorEvent: anchorEvent('SetCreatorEvent', {
    timestamp: 'i64',
    ...CURVE,
    creator: 'pubkey',
  }),
  SetMetaplexCreatorEvent: anchorEvent('SetMetaplexCreatorEvent', {
    timestamp: 'i64',
    ...CURVE,
    metadata: 'pubkey',
    creator: 'pubkey',
  }),
  MigrateBondingCurveCreatorEvent: anchorEvent('MigrateBondingCurveCreatorEvent', {
    timestamp: 'i64',
    ...CURVE,
    sharing_config: 'pubkey',
    ...CHANGE,
  }),
  AdminSetCreatorEvent: anchorEvent('AdminSetCreatorEvent', {
    timestamp: 'i64',
    admin_set_creator_authority: 'pubkey',
    ...CURVE,
    ...CHANGE,
  }),
  AdminCtoEvent: anchorEvent('AdminCtoEvent', {
    timestamp: 'i64',
    authority: 'pubkey',
    ...CURVE,
    ...CHANGE,
    is_holder_reward: 'bool',
    is_cashback_coin: 'bool',
    old_creator_fee_bps: 'u64',
    new_creator_fee_bps: 'u64',
    sharing_config_reset: 'bool',
    swept_to_holder_vault: 'u64',
    pool_updated: 'bool',
  }),
};

type CreatorEventName = keyof typeof creatorEventLayouts;

/** The fields that are read; the first two events do not name the former creator. */
type CreatorEvent = Readonly<Record<'mint' | 'bonding_curve', Address>> &
  (Readonly<Record<'creator', Address>> | Readonly<Record<'old_creator' | 'new_creator', Address>>);

/**
 * Reads the new receiver of the creator fees. Setting the same creator again changes nothing and is
 * ignored, as is a call without its event.
 */
export function decodeCreatorChange(
  { instruction, view }: ProgramCall<never>,
  name: CreatorEventName,
): DecodeResult {
  const layout: TypedEvent<CreatorEvent> = creatorEventLayouts[name];
  const event = readSelfEvent(view, instruction, layout);
  if (event === null) return IGNORED;
  if (event === 'short') return malformed(`${name} ends inside its fields`);
  const { mint, bonding_curve: pool } = event;
  const feeRecipient = 'creator' in event ? event.creator : event.new_creator;
  const former = 'creator' in event ? null : event.old_creator;
  if (former === feeRecipient) return IGNORED;
  const { outerIx, innerIx } = instruction;
  return events({
    kind: 'creatorChange',
    outerIx,
    innerIx,
    venue: 'pump',
    mint,
    pool,
    feeRecipient,
  });
}
