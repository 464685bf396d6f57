import { BorshReader } from '../../model/borsh-reader.ts';
import type { CreatorChange } from '../../model/chain-event.ts';
import { type DecodeResult, events, IGNORED, malformed } from '../legs/decoder.ts';
import type { ProgramCall } from '../legs/program-decoder.ts';
import { anchorEvents } from '../transaction/anchor-layout.ts';
import { EVENT_FIELDS_OFFSET } from '../transaction/transaction-view.ts';

/** Events that change the receiver of a curve's creator fees. */
export const creatorEventLayouts = anchorEvents({
  SetCreatorEvent: ['timestamp', 'mint', 'bonding_curve', 'creator'],
  SetMetaplexCreatorEvent: ['timestamp', 'mint', 'bonding_curve', 'metadata', 'creator'],
  MigrateBondingCurveCreatorEvent: [
    'timestamp',
    'mint',
    'bonding_curve',
    'sharing_config',
    'old_creator',
    'new_creator',
  ],
  AdminSetCreatorEvent: [
    'timestamp',
    'admin_set_creator_authority',
    'mint',
    'bonding_curve',
    'old_creator',
    'new_creator',
  ],
  AdminCtoEvent: [
    'timestamp',
    'authority',
    'mint',
    'bonding_curve',
    'old_creator',
    'new_creator',
    'is_holder_reward',
    'is_cashback_coin',
    'old_creator_fee_bps',
    'new_creator_fee_bps',
    'sharing_config_reset',
    'swept_to_holder_vault',
    'pool_updated',
  ],
});

export type CreatorEventName = keyof typeof creatorEventLayouts;

/** Sizes in bytes of the fields that are not keys. */
const WIDTHS: Readonly<Partial<Record<string, number>>> = {
  timestamp: 8,
  is_holder_reward: 1,
  is_cashback_coin: 1,
  old_creator_fee_bps: 8,
  new_creator_fee_bps: 8,
  sharing_config_reset: 1,
  swept_to_holder_vault: 8,
  pool_updated: 1,
};

/**
 * Reads the new receiver of the creator fees. Setting the same creator again changes nothing and is
 * ignored, as is a call without its event.
 */
export function decodeCreatorChange(
  { instruction, view }: ProgramCall<never>,
  name: CreatorEventName,
): DecodeResult {
  const { discriminator, fields } = creatorEventLayouts[name];
  const data = view.selfEventOf(instruction, discriminator);
  if (data === null) return IGNORED;
  const reader = new BorshReader(data, EVENT_FIELDS_OFFSET);
  const keys: Partial<Record<string, CreatorChange['feeRecipient']>> = {};
  for (const field of fields) {
    const width = WIDTHS[field];
    if (width === undefined) keys[field] = reader.address();
    else reader.skip(width);
  }
  const { mint, bonding_curve: pool, old_creator: former } = keys;
  const feeRecipient = keys.new_creator ?? keys.creator;
  if (reader.isShort || mint === undefined || pool === undefined || feeRecipient === undefined) {
    return malformed(`${name} ends inside its fields`);
  }
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
