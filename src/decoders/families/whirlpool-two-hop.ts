import { type DecodeResult, events, IGNORED, malformed } from '../legs/decoder.ts';
import { readSwap, type SwapAccounts } from '../legs/swap-legs.ts';
import { traderOf } from '../transaction/trader.ts';
import { indexOf, type WhirlpoolCall } from './whirlpool-call.ts';

/** One of the two pools of a two-hop swap. */
type Hop = Pick<SwapAccounts, 'pool' | 'vaults' | 'userAccounts'>;

/** A swap through two pools: the first pays the user's account, which pays the second. */
export function decodeTwoHopSwap(call: WhirlpoolCall): DecodeResult {
  const at = (account: string) => indexOf(call, account);
  const one: Hop = {
    pool: at('whirlpool_one'),
    vaults: [at('token_vault_one_a'), at('token_vault_one_b')],
    userAccounts: [at('token_owner_account_one_a'), at('token_owner_account_one_b')],
  };
  const two: Hop = {
    pool: at('whirlpool_two'),
    vaults: [at('token_vault_two_a'), at('token_vault_two_b')],
    userAccounts: [at('token_owner_account_two_a'), at('token_owner_account_two_b')],
  };
  return decodeHops(call, [one, two]);
}

/**
 * A swap through two pools: the first pays the second directly. The intermediate amount counts as
 * received by the trader and paid again, as if it had passed through the trader's account.
 */
export function decodeTwoHopSwapV2(call: WhirlpoolCall): DecodeResult {
  const at = (account: string) => indexOf(call, account);
  const one: Hop = {
    pool: at('whirlpool_one'),
    vaults: [at('token_vault_one_input'), at('token_vault_one_intermediate')],
    userAccounts: [at('token_owner_account_input'), at('token_vault_two_intermediate')],
  };
  const two: Hop = {
    pool: at('whirlpool_two'),
    vaults: [at('token_vault_two_intermediate'), at('token_vault_two_output')],
    userAccounts: [at('token_vault_one_intermediate'), at('token_owner_account_output')],
  };
  return decodeHops(call, [one, two]);
}

/**
 * A swap for each pool, from the transfers that touch its vaults. Each swap has the position of the
 * transfer that pays it out, so no two events share a position.
 */
function decodeHops(call: WhirlpoolCall, hops: readonly [Hop, Hop]): DecodeResult {
  const { instruction, venue, view } = call;
  const user = indexOf(call, 'token_authority');
  const all = view.tokenMovementsUnder(instruction);
  const router = view.routerOf(instruction);
  // The wallet pays only the first pool; the second may be paid by the first.
  const trader = traderOf(view, { vaults: hops[0].vaults, user }, all);
  const swaps = [];
  for (const hop of hops) {
    const { vaults } = hop;
    if (user < 0 || Math.min(hop.pool, ...vaults) < 0) return malformed('too few accounts');
    const accounts: SwapAccounts = { ...hop, venue, user };
    const movements = all.filter(
      ({ source, destination }) => vaults.includes(source) || vaults.includes(destination),
    );
    const payment = movements.findLast(({ source }) => vaults.includes(source));
    if (payment === undefined && movements.length === 0) continue;
    if (payment === undefined) return malformed('a hop that pays nothing out');
    const reading = readSwap(view, payment.instruction, { ...accounts, movements });
    if (reading.status === 'malformed') return reading;
    if (reading.status === 'nothing') continue;
    swaps.push({ ...reading.event, trader, router });
  }
  return swaps.length === 0 ? IGNORED : events(...swaps);
}
