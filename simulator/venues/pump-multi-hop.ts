import {
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  WRAPPED_SOL,
} from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { type AccountUse, paying, readOnly, signing, writable } from '../chain/account-use.ts';
import { type Execution, ProgramFailure } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import { ensureTokenAccount, type TokenAccounts } from '../programs/associated-token.ts';
import type { Market, SwapRequest } from './market.ts';
import { PumpAmmPool } from './pump-amm-pool.ts';
import { PumpCurve } from './pump-curve.ts';
import { buybackAccount } from './pump-curve-accounts.ts';
import { buyHop, type Hop, type HopMarket, sellHop } from './pump-hop.ts';
import { PUMP, PUMP_AMM } from './pump-program.ts';

/** ExceededSlippage of PumpSwap. */
const SLIPPAGE = 6_004;

/** A swap of SOL through the pool of a coin into a coin quoted in it, or back. */
export interface PathSwap extends SwapRequest {
  /** The pool of the middle coin and SOL. */
  readonly first: Market;
  readonly last: Market;
}

/** Whether one instruction can pass through both. */
export function canHop(first: Market, last: Market): boolean {
  return isHopMarket(first) && isHopMarket(last) && first.quoteMint === WRAPPED_SOL;
}

function isHopMarket(market: Market): market is HopMarket {
  return market instanceof PumpCurve || market instanceof PumpAmmPool;
}

/**
 * `multi_hop_swap` over two hops (documented; no recording is known). The protocol's fee is charged
 * on the hop that trades SOL, the creator's and that for liquidity on the far coin's, and both are
 * kept. The output of the middle coin's pool goes directly into the next one. Curves are called
 * through `multi_hop_curve_swap`, consecutive ones in one call.
 */
export function multiHopSwap(
  execution: Execution,
  tokenAccounts: TokenAccounts,
  { first, last, trader, side, amountInRaw, minOutRaw }: PathSwap,
): void {
  if (!isHopMarket(first) || !isHopMarket(last)) throw new RangeError('no hop of this program');
  const buyback = buybackOf(tokenAccounts, first);
  if (first instanceof PumpAmmPool && execution.ledger.get(buyback).token === null) {
    ensureTokenAccount(execution, tokenAccounts, trader, PUMP.buybackRecipient, WRAPPED_SOL);
  }
  const isBuy = side === 'buy';
  const markets = isBuy ? [first, last] : [last, first];
  const data = new InstructionBytes().hex('2b644913e9f66f94').u64(amountInRaw).u64(minOutRaw);
  const uses = [
    ...fixedUses(tokenAccounts, { trader, isBuy, base: last.baseMint, buyback }),
    ...markets.flatMap((market) => hopUses(tokenAccounts, market)),
  ];
  execution.invoke(PUMP_AMM.program, uses, data.done(), () => {
    execution.log('Instruction: MultiHopSwap');
    const base: Omit<Hop<HopMarket>, 'market' | 'isFar' | 'toNext'> = { trader, tokenAccounts };
    let raw = amountInRaw;
    const run = (market: HopMarket): void => {
      const isFar = market === last;
      const hop = isBuy ? buyHop : sellHop;
      const next = isBuy ? last : first;
      const toNext = market === next ? null : next;
      raw = hop(execution, { ...base, market, isFar, toNext }, raw);
    };
    for (const group of groupsOf(markets)) {
      if (group[0] instanceof PumpAmmPool) group.forEach(run);
      else
        callCurves(
          execution,
          tokenAccounts,
          { group, trader, isBuy, amountRaw: raw, buyback },
          run,
        );
    }
    if (raw < minOutRaw) throw new ProgramFailure(SLIPPAGE, 'ExceededSlippage');
  });
}

/** Consecutive curves together, each pool alone. */
function groupsOf(markets: readonly HopMarket[]): HopMarket[][] {
  const groups: HopMarket[][] = [];
  for (const market of markets) {
    const open = groups.at(-1);
    if (market instanceof PumpCurve && open?.[0] instanceof PumpCurve) open.push(market);
    else groups.push([market]);
  }
  return groups;
}

function callCurves(
  execution: Execution,
  tokenAccounts: TokenAccounts,
  call: {
    readonly group: readonly HopMarket[];
    readonly trader: Address;
    readonly isBuy: boolean;
    readonly amountRaw: bigint;
    readonly buyback: Address;
  },
  run: (market: HopMarket) => void,
): void {
  const { group, trader, isBuy, amountRaw, buyback } = call;
  // One byte per hop states what it charges; the documentation leaves the encoding open.
  const data = new InstructionBytes().hex('e19a7516d756f667').u64(amountRaw).u32(group.length);
  for (const { takesLamports } of group) data.u8(takesLamports ? 1 : 2);
  const from = group[0] as HopMarket;
  const to = group.at(-1) as HopMarket;
  const [mintIn, mintOut] = isBuy ? [from.quoteMint, to.baseMint] : [from.baseMint, to.quoteMint];
  const uses = [
    readOnly(PUMP.global),
    readOnly(PUMP.feeConfig),
    signing(PUMP_AMM.globalConfig),
    paying(trader),
    signing(trader),
    writable(tokenAccounts.of(trader, mintIn)),
    writable(tokenAccounts.of(trader, mintOut)),
    writable(buyback),
    readOnly(SPL_TOKEN_PROGRAM),
    readOnly(TOKEN_2022_PROGRAM),
    readOnly(SYSTEM_PROGRAM),
    readOnly(PUMP.eventAuthority),
    readOnly(PUMP.program),
    ...group.flatMap((market) => hopUses(tokenAccounts, market)),
  ];
  execution.invoke(PUMP.program, uses, data.done(), () => {
    execution.log('Instruction: MultiHopCurveSwap');
    group.forEach(run);
  });
}

/** IDL order of the sixteen fixed accounts. */
function fixedUses(
  tokenAccounts: TokenAccounts,
  user: {
    readonly trader: Address;
    readonly isBuy: boolean;
    readonly base: Address;
    readonly buyback: Address;
  },
): readonly AccountUse[] {
  const { trader, isBuy, base, buyback } = user;
  const [mintIn, mintOut] = isBuy ? [WRAPPED_SOL, base] : [base, WRAPPED_SOL];
  return [
    paying(trader),
    writable(tokenAccounts.of(trader, mintIn)),
    writable(tokenAccounts.of(trader, mintOut)),
    readOnly(PUMP_AMM.globalConfig),
    readOnly(PUMP_AMM.feeConfig),
    writable(tokenAccounts.of(trader, PUMP_AMM.globalVolume)),
    writable(buyback),
    readOnly(SPL_TOKEN_PROGRAM),
    readOnly(TOKEN_2022_PROGRAM),
    readOnly(SYSTEM_PROGRAM),
    readOnly(PUMP_AMM.eventAuthority),
    readOnly(PUMP_AMM.program),
    readOnly(PUMP.program),
    readOnly(PUMP.global),
    readOnly(PUMP.feeConfig),
    readOnly(PUMP.eventAuthority),
  ];
}

/** Both mints, the pool or curve, and its two accounts. */
function hopUses(
  tokenAccounts: TokenAccounts,
  { pool, baseMint, quoteMint }: HopMarket,
): readonly AccountUse[] {
  return [
    readOnly(baseMint),
    readOnly(quoteMint),
    writable(pool),
    writable(tokenAccounts.of(pool, baseMint)),
    writable(tokenAccounts.of(pool, quoteMint)),
  ];
}

function buybackOf(tokenAccounts: TokenAccounts, first: HopMarket): Address {
  return first instanceof PumpCurve
    ? buybackAccount(tokenAccounts, WRAPPED_SOL)
    : tokenAccounts.of(PUMP.buybackRecipient, WRAPPED_SOL);
}
