/**
 * Jupiter's aggregator, program JUP6Lkb…: `route`, which calls pools one after the other with the
 * user's own token accounts and emits an event with input and output of each.
 */

import { SPL_TOKEN_PROGRAM, type Venue } from '../../src/model/program.ts';
import type { Side } from '../../src/model/swap.ts';
import { type Address, asAddress } from '../../src/model/units.ts';
import { type AccountUse, readOnly, signing, writable } from '../chain/account-use.ts';
import { type Execution, ProgramFailure } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import type { Ledger } from '../chain/ledger.ts';
import type { TokenAccounts } from '../programs/associated-token.ts';
import type { Market } from './market.ts';

export const JUPITER_PROGRAM = asAddress('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4');
/** Signs the calls of the program to itself that emit swap events. */
export const JUPITER_EVENT_AUTHORITY = asAddress('D8cy77BBepLMngZx6ZukaTff5hCt1HrWyKk3Hnd9oitf');
const ROUTE = 'e517cb977ae3ad2a';
const SELF_EVENT = 'e445a52e51cb9a1d';
const SWAP_EVENT = '40c6cde8260871e2';
const EMPTY_ROUTE = 6_000;
const SLIPPAGE_EXCEEDED = 6_001;
/** Index of venues in the program's `Swap` enum; 7 for those without their own variant. */
const SWAP_KIND: Partial<Record<Venue, number>> = {
  raydium_amm_v4: 7,
  meteora_dlmm: 38,
  raydium_cpmm: 46,
};
const PUMP_AMM_KIND = { buy: 72, sell: 73 } as const;
const OTHER_KIND = 7;

/** One pool of a route, and the direction of the swap. */
export interface RouteHop {
  readonly market: Market;
  readonly side: Side;
}

export interface Route {
  readonly trader: Address;
  /**
   * Each hop swaps the output of the previous one. Pools that take lamports cannot be part of a
   * route.
   */
  readonly hops: readonly RouteHop[];
  readonly amountInRaw: bigint;
  readonly minOutRaw: bigint;
}

/**
 * The output of a route at the current state of the pools, each of which may occur once; 0n if
 * there is none.
 */
export function quoteRoute(ledger: Ledger, hops: readonly RouteHop[], amountInRaw: bigint): bigint {
  let raw = amountInRaw;
  for (const { market, side } of hops) raw = market.quote(ledger, side, raw);
  return raw;
}

/** `route`. The trader's token accounts of every mint of the route must exist. */
export function routeSwap(execution: Execution, accounts: TokenAccounts, route: Route): void {
  const { trader, hops, amountInRaw, minOutRaw } = route;
  const { ledger } = execution;
  const first = hops[0];
  const last = hops.at(-1);
  if (first === undefined || last === undefined) {
    throw new RangeError('a route leads through one pool at least');
  }
  const source = accounts.of(trader, mintInto(first));
  const destination = accounts.of(trader, mintOutOf(last));
  const uses: AccountUse[] = [
    readOnly(SPL_TOKEN_PROGRAM),
    signing(trader),
    writable(source),
    writable(destination),
    readOnly(JUPITER_PROGRAM),
    readOnly(mintOutOf(last)),
    readOnly(JUPITER_PROGRAM),
    readOnly(JUPITER_EVENT_AUTHORITY),
    readOnly(JUPITER_PROGRAM),
  ];
  execution.invoke(JUPITER_PROGRAM, uses, dataOf(route), () => {
    if (amountInRaw <= 0n) throw new ProgramFailure(EMPTY_ROUTE, 'empty route');
    let raw = amountInRaw;
    for (const hop of hops) raw = runHop(execution, accounts, trader, hop, raw, uses);
    ledger.token(destination);
    if (raw < minOutRaw) {
      throw new ProgramFailure(SLIPPAGE_EXCEEDED, 'slippage tolerance exceeded');
    }
  });
}

/**
 * Runs one pool's swap and returns the received amount; the accounts of the call are added to the
 * route's.
 */
function runHop(
  execution: Execution,
  accounts: TokenAccounts,
  trader: Address,
  hop: RouteHop,
  amountInRaw: bigint,
  uses: AccountUse[],
): bigint {
  const { ledger, instructions } = execution;
  const { market, side } = hop;
  const target = accounts.of(trader, mintOutOf(hop));
  const heldRaw = ledger.token(target).amountRaw;
  const calls = instructions.length;
  market.swap(execution, { trader, side, amountInRaw, minOutRaw: 0n });
  const call = instructions[calls];
  if (call !== undefined) uses.push(readOnly(call.program), ...call.accounts);
  const gotRaw = ledger.token(target).amountRaw - heldRaw;
  const event = new InstructionBytes()
    .hex(SELF_EVENT)
    .hex(SWAP_EVENT)
    .addresses(call?.program ?? market.pool, mintInto(hop))
    .u64(amountInRaw)
    .address(mintOutOf(hop))
    .u64(gotRaw);
  execution.invoke(JUPITER_PROGRAM, [readOnly(JUPITER_EVENT_AUTHORITY)], event.done());
  return gotRaw;
}

/**
 * The plan, in which each step uses the whole output of the previous one, then amounts and no
 * platform fee.
 */
function dataOf({ hops, amountInRaw, minOutRaw }: Route): Uint8Array {
  const data = new InstructionBytes().hex(ROUTE).u32(hops.length);
  hops.forEach((hop, index) => {
    data
      .u8(kindOf(hop))
      .u8(100)
      .u8(index)
      .u8(index + 1);
  });
  return data.u64(amountInRaw).u64(minOutRaw).u16(0).u8(0).done();
}

function kindOf({ market: { venue }, side }: RouteHop): number {
  if (venue === 'pump_amm') return PUMP_AMM_KIND[side];
  return SWAP_KIND[venue] ?? OTHER_KIND;
}

function mintInto({ market, side }: RouteHop): Address {
  return side === 'buy' ? market.quoteMint : market.baseMint;
}

function mintOutOf({ market, side }: RouteHop): Address {
  return side === 'buy' ? market.baseMint : market.quoteMint;
}
