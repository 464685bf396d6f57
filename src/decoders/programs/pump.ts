/**
 * pump.fun bonding curves, program 6EF8rrec….
 *
 * Trades are read from the movements of the curve's token account and of its quote vault or
 * lamports. The program's event adds fees and reserves, the fees that stay on the curve, and the
 * amount of a native sell, which no instruction shows. `create` creates a curve; `migrate` moves it
 * to a pump_amm pool. The 2024 `withdraw` handed a complete curve to an operator who created the
 * pool in a later transaction. It names no pool and is ignored; the completion of the curve is part
 * of the buy that caused it.
 */

import { decodeCreatorChange } from '../families/pump-creator-change.ts';
import { readCurveSwap } from '../families/pump-curve-swap.ts';
import { decodePumpLaunch } from '../families/pump-launch.ts';
import { pumpLayout } from '../families/pump-layout.ts';
import { decodePumpMigration } from '../families/pump-migration.ts';
import { decodeMultiHopCurveSwap } from '../families/pump-multi-hop.ts';
import { completeEventLayout } from '../families/pump-pool-part.ts';
import { decodeSweep } from '../families/pump-sweep.ts';
import { events, resultOf } from '../legs/decoder.ts';
import { completedBy } from '../legs/launch-readers.ts';
import {
  type InstructionReader,
  indexOf,
  venueDecoder,
  withAllAccounts,
} from '../legs/program-decoder.ts';

const TRADE = trade({
  curve: 'bonding_curve',
  mint: 'mint',
  baseVault: 'associated_bonding_curve',
  user: 'user',
  userBase: 'associated_user',
  feeRecipient: 'fee_recipient',
});
const TRADE_V3_ROLES = {
  curve: 'bonding_curve',
  mint: 'base_mint',
  baseVault: 'associated_base_bonding_curve',
  quoteVault: 'associated_quote_bonding_curve',
  user: 'user',
  userBase: 'associated_base_user',
  userQuote: 'associated_quote_user',
} as const;
const TRADE_V2 = trade({ ...TRADE_V3_ROLES, feeRecipient: 'fee_recipient' });
const TRADE_V3 = trade(TRADE_V3_ROLES);

export const pump = venueDecoder({
  name: 'pump',
  programId: '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P',
  layout: pumpLayout,
  readers: {
    create: withAllAccounts((call) => decodePumpLaunch(call, 'create')),
    create_v2: withAllAccounts((call) => decodePumpLaunch(call, 'create_v2')),
    buy: TRADE,
    buy_exact_sol_in: TRADE,
    sell: TRADE,
    buy_v2: TRADE_V2,
    buy_exact_quote_in_v2: TRADE_V2,
    sell_v2: TRADE_V2,
    buy_v3: TRADE_V3,
    buy_exact_quote_in_v3: TRADE_V3,
    sell_v3: TRADE_V3,
    multi_hop_curve_swap: withAllAccounts(decodeMultiHopCurveSwap),
    sweep_protocol_fee: withAllAccounts((call) => decodeSweep(call, 'protocol')),
    sweep_creator_fee: withAllAccounts((call) => decodeSweep(call, 'creator')),
    set_creator: (call) => decodeCreatorChange(call, 'SetCreatorEvent'),
    set_metaplex_creator: (call) => decodeCreatorChange(call, 'SetMetaplexCreatorEvent'),
    migrate_bonding_curve_creator: (call) =>
      decodeCreatorChange(call, 'MigrateBondingCurveCreatorEvent'),
    admin_set_creator: (call) => decodeCreatorChange(call, 'AdminSetCreatorEvent'),
    admin_cto: (call) => decodeCreatorChange(call, 'AdminCtoEvent'),
    migrate: withAllAccounts((call) =>
      decodePumpMigration(call, call.at.mint, call.at.associated_bonding_curve),
    ),
    migrate_v2: withAllAccounts((call) =>
      decodePumpMigration(call, call.at.base_mint, call.at.associated_base_bonding_curve),
    ),
  },
});

/** The accounts of a trade by the names that its layout has for them. */
type TradeRoles<Accounts extends string> = Readonly<
  Record<'curve' | 'mint' | 'baseVault' | 'user' | 'userBase', Accounts> &
    Partial<Record<'quoteVault' | 'userQuote' | 'feeRecipient', Accounts>>
>;

/** A trade on one curve. The last buy of a curve also completes it. */
function trade<const Accounts extends string>(
  roles: TradeRoles<Accounts>,
): InstructionReader<Accounts> {
  return ({ at, instruction, view }) => {
    const reading = readCurveSwap(view, instruction, {
      curve: at[roles.curve],
      mint: at[roles.mint],
      baseVault: at[roles.baseVault],
      quoteVault: indexOf(at, roles.quoteVault),
      user: at[roles.user],
      userBase: at[roles.userBase],
      userQuote: indexOf(at, roles.userQuote),
      feeRecipient: indexOf(at, roles.feeRecipient),
    });
    if (reading.status !== 'event') return resultOf(reading);
    const { event: swap } = reading;
    const isLast = view.selfEventOf(instruction, completeEventLayout.discriminator) !== null;
    return isLast ? events(swap, completedBy(swap)) : events(swap);
  };
}
