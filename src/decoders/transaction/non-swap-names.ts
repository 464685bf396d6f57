import { DiscriminatorTable } from './discriminator.ts';

/**
 * Anchor instructions that move tokens both ways but whose names show that they are not swaps:
 * loans, deposits, orders of one person, positions, offers. The discriminator is the start of
 * SHA-256 over `global:<name>`, for any program.
 */
export const NON_SWAP_NAMES: Readonly<Record<string, string>> = {
  f223c68952e1f2b6: 'deposit',
  b712469c946da122: 'withdraw',
  e4fd83cacf745912: 'borrow',
  ea674352d0eadba6: 'repay',
  dfb3e27d302e274a: 'liquidate',
  ceb0ca12c8d1b36c: 'stake',
  '5a5f6b2acd7c32e1': 'unstake',
  '3ec6d6c1d59f6cd2': 'claim',
  b80c569546c461e1: 'redeem',
  fe1cbf8a9cb3b735: 'subscribe',
  '87802f4d0f98f031': 'open_position',
  '7b86510031446262': 'close_position',
  fdea8068c0bc2d5b: 'increase_position',
  '397d153bc889b36c': 'decrease_position',
  '7f52792aa1b0f9ce': 'add_collateral',
  '56de82565c144841': 'remove_collateral',
  '9c838e7492f7a278': 'deposit_collateral',
  '7387a86a8bd68a96': 'withdraw_collateral',
  '2e9cf3760dcdfbb2': 'increase_liquidity',
  a026d06f685b2c01: 'decrease_liquidity',
  b59d59438fb63448: 'add_liquidity',
  '5055d14818ceb16c': 'remove_liquidity',
  f5633b199747e9f9: 'deposit_liquidity',
  '959e21b92ff3fd1f': 'withdraw_liquidity',
  '8d3625cfedd2fad7': 'create_order',
  '33c29baf6d82606a': 'place_order',
  '5f81edf00831df84': 'cancel_order',
  e87a7319c78f88a2: 'fill_order',
  a3d014acdf41ffe4: 'take_order',
  '733db418a820d714': 'execute_order',
  '504acc220cb74242': 'settle_order',
  d66261233b0c2cb2: 'make_offer',
  '809cf2cfedc067f0': 'take_offer',
  e352ea8301123002: 'accept_offer',
  '5ccbdf285c593577': 'cancel_offer',
  fdd7a574246c4450: 'create_escrow',
  '9ccb36b326482115': 'cancel_escrow',
  afaf6d1f0d989bed: 'initialize',
  '5fb40aac54aee828': 'initialize_pool',
  e992d18ecf6840bc: 'create_pool',
  '9beae792ec9ea21e': 'migrate',
  b2280abde481ba8c: 'wrap',
  '7eafc60ed445322c': 'unwrap',
  '1513d02bed3eff57': 'lock',
  '659b28159ebd38cb': 'unlock',
  '0490844774179750': 'claim_rewards',
  '52fbe99c0c34b8ca': 'claim_fees',
  a498cf631eba13b6: 'collect_fees',
  e4f11fb635a93bc7: 'harvest',
  '60001cbe316b53de': 'buy_nft',
  '9f9f8c22f0ef5359': 'sell_nft',
  '6c9e4d09d234583e': 'rebalance',
};

const TABLE = new DiscriminatorTable(NON_SWAP_NAMES);

/** True for data of an instruction whose name shows that it is not a swap. */
export function hasNonSwapName(data: Uint8Array): boolean {
  return TABLE.get(data) !== undefined;
}
