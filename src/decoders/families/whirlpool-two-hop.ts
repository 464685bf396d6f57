import { type DecodeResult, events, IGNORED, malformed } from '../legs/decoder.ts';
import { type SwapRoles, swapAccounts } from '../legs/pool-readers.ts';
import type { InstructionReader, ProgramCall } from '../legs/program-decoder.ts';
import { readSwap } from '../legs/swap-legs.ts';
import { traderOf } from '../transaction/trader.ts';

/** A swap through two pools: the first pays the user's account, which pays the second. */
export const decodeTwoHopSwap = twoHops(
  {
    user: 'token_authority',
    pool: 'whirlpool_one',
    vaults: ['token_vault_one_a', 'token_vault_one_b'],
    userAccounts: ['token_owner_account_one_a', 'token_owner_account_one_b'],
  },
  {
    user: 'token_authority',
    pool: 'whirlpool_two',
    vaults: ['token_vault_two_a', 'token_vault_two_b'],
    userAccounts: ['token_owner_account_two_a', 'token_owner_account_two_b'],
  },
);

/**
 * A swap through two pools: the first pays the second directly. The intermediate amount counts as
 * received by the trader and paid again, as if it had passed through the trader's account.
 */
export const decodeTwoHopSwapV2 = twoHops(
  {
    user: 'token_authority',
    pool: 'whirlpool_one',
    vaults: ['token_vault_one_input', 'token_vault_one_intermediate'],
    userAccounts: ['token_owner_account_input', 'token_vault_two_intermediate'],
  },
  {
    user: 'token_authority',
    pool: 'whirlpool_two',
    vaults: ['token_vault_two_intermediate', 'token_vault_two_output'],
    userAccounts: ['token_vault_one_intermediate', 'token_owner_account_output'],
  },
);

function twoHops<const Accounts extends string>(
  one: SwapRoles<Accounts>,
  two: SwapRoles<Accounts>,
): InstructionReader<Accounts> {
  return (call) => decodeHops(call, [one, two]);
}

/**
 * A swap for each pool, from the transfers that touch its vaults. Each swap has the position of the
 * transfer that pays it out, so no two events share a position.
 */
function decodeHops<Accounts extends string>(
  call: ProgramCall<Accounts>,
  [one, two]: readonly [SwapRoles<Accounts>, SwapRoles<Accounts>],
): DecodeResult {
  const { instruction, view } = call;
  const hops = [swapAccounts(call, one), swapAccounts(call, two)] as const;
  const all = view.tokenMovementsUnder(instruction);
  const router = view.routerOf(instruction);
  // The wallet pays only the first pool; the second may be paid by the first.
  const trader = traderOf(view, hops[0], all);
  const swaps = [];
  for (const hop of hops) {
    const { vaults } = hop;
    if (Math.min(hop.user, hop.pool, ...vaults) < 0) return malformed('too few accounts');
    const movements = all.filter(
      ({ source, destination }) => vaults.includes(source) || vaults.includes(destination),
    );
    const payment = movements.findLast(({ source }) => vaults.includes(source));
    if (payment === undefined && movements.length === 0) continue;
    if (payment === undefined) return malformed('a hop that pays nothing out');
    const reading = readSwap(view, payment.instruction, { ...hop, movements });
    if (reading.status === 'malformed') return reading;
    if (reading.status === 'nothing') continue;
    swaps.push({ ...reading.event, trader, router });
  }
  return swaps.length === 0 ? IGNORED : events(...swaps);
}
