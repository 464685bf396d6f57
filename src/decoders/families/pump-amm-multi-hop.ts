import type { Instruction } from '../../model/instruction.ts';
import type { Swap } from '../../model/swap.ts';
import type { Address } from '../../model/units.ts';
import { type DecodeResult, events, IGNORED, malformed } from '../legs/decoder.ts';
import type { ProgramCall } from '../legs/program-decoder.ts';
import { deltaOf, reservesOf } from '../legs/swap-legs.ts';
import { hasDiscriminator, isSelfEvent } from '../transaction/discriminator.ts';
import type { EventLayout } from '../transaction/program-layout.ts';
import type { TokenMovement } from '../transaction/token-movements.ts';
import { routeTraderOf } from '../transaction/trader.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';
import { readTradedPool, readTradeEvent } from './pump-amm-events.ts';
import { pumpAmmLayout } from './pump-amm-layout.ts';
import { gainsOf, type PoolAccounts, readPoolSwap, settleSwap } from './pump-amm-swap.ts';

/**
 * Number of accounts of `multi_hop_swap` before those of its hops, and per hop: base mint, quote
 * mint, pool or curve, base vault, quote vault (pump-public-docs, 2026-10-07; the IDL lists the
 * first 16 only).
 */
const FIXED_ACCOUNTS = 16;
const ACCOUNTS_PER_HOP = 5;
const HOP_POOL = 2;
const HOP_BASE_VAULT = 3;
const HOP_QUOTE_VAULT = 4;
/** Each hop has three accounts of its own, and a transaction locks at most 128 accounts. */
const HOPS_MAX = 37;

/**
 * The pump program's `multi_hop_curve_swap`, which trades on the curves of a route. Its fixed
 * accounts include its payer, which may be a pool; the curves follow them.
 */
const CURVE_RUN = { discriminator: 'e19a7516d756f667', fixedAccounts: 13 };

interface Hop {
  readonly pool: number;
  readonly vaults: readonly [number, number];
}

/** Data shared by the hops of one instruction. */
interface Route {
  readonly instruction: Instruction;
  readonly view: TransactionView;
  readonly user: number;
  readonly trader: Address | null;
  /** The user's account that pays the first hop. */
  readonly userIn: number;
  readonly movements: readonly TokenMovement[];
}

/**
 * A swap for each pool of a route, from the transfers that touch its vaults. Intermediate tokens
 * pass from vault to vault and count as received by the trader and paid again. Hops on curves are
 * calls of the pump program and are read there.
 */
export function decodeMultiHopSwap({
  at,
  instruction,
  view,
}: ProgramCall<keyof typeof pumpAmmLayout.instructions.multi_hop_swap.accounts>): DecodeResult {
  const hops = hopsOf(instruction);
  if (typeof hops === 'string') return malformed(hops);
  const curves = curvesOf(instruction, view, at.pump_program);
  const pools = hops.filter(({ pool }) => !curves.has(pool));
  if (new Set(pools.map(({ pool }) => pool)).size < pools.length) {
    return malformed('a route that trades on one pool twice');
  }
  const route: Route = {
    instruction,
    view,
    user: at.user,
    trader: routeTraderOf(view, at.user),
    userIn: at.user_in_token_account,
    movements: view.tokenMovementsWithin(instruction),
  };
  return decodePools(route, pools);
}

/** Events and pools are in route order; each event names its pool. */
function decodePools(route: Route, pools: readonly Hop[]): DecodeResult {
  const { instruction, view } = route;
  const tradeEvents = tradeEventsOf(instruction, view);
  const swaps: Swap[] = [];
  let eventCount = 0;
  for (const hop of pools) {
    const data = tradeEvents[eventCount] ?? null;
    const isOwnEvent = data !== null && readTradedPool(data) === view.transaction.keys.at(hop.pool);
    const swap = readHop(route, hop, isOwnEvent ? data : null);
    if (typeof swap === 'string') return malformed(swap);
    if (isOwnEvent) eventCount++;
    if (swap !== null) swaps.push(swap);
  }
  if (eventCount < tradeEvents.length) return malformed('a swap event of no hop');
  if (swaps.length === 0) return IGNORED;
  if (swaps.length < pools.length) return malformed('a hop that moved nothing');
  return events(...swaps);
}

/** One hop as a swap; null when neither its vaults nor its event show that it happened. */
function readHop(route: Route, hop: Hop, data: Uint8Array | null): Swap | string | null {
  const { instruction, view, user } = route;
  const movements = movementsOf(route, hop);
  const isBuy = data !== null && isEvent(data, pumpAmmLayout.events.BuyEvent);
  const event = data === null ? null : readTradeEvent(data, isBuy);
  if (data !== null && event === null) return 'swap event ends inside its fields';
  const payment = paymentOf(movements, hop.vaults);
  const last = movements.findLast((movement) => touches(movement, hop.vaults));
  if (payment === undefined || last === undefined) {
    return data === null && last === undefined ? null : 'a hop that pays nothing out';
  }
  const accounts: PoolAccounts = {
    ...hop,
    user,
    userAccounts: [payment.destination, payment.destination],
    movements,
  };
  const reading = readPoolSwap(view, payment.instruction, accounts);
  if (reading.status === 'malformed') return reading.reason;
  if (reading.status === 'nothing') return data === null ? null : 'a hop that moved nothing';
  const gains = gainsOf(view, accounts);
  const [base, quote] = gains.isOwnBase ? hop.vaults : [hop.vaults[1], hop.vaults[0]];
  const swap: Swap = {
    ...reading.event,
    trader: route.trader,
    router: view.routerOf(instruction),
    // The vault that paid may be filled only afterwards.
    reserves: reservesOf(view, last.instruction, base, quote),
  };
  return settleSwap(swap, event, 'kept', gains);
}

function hopsOf(instruction: Instruction): Hop[] | string {
  const count = (instruction.accountCount - FIXED_ACCOUNTS) / ACCOUNTS_PER_HOP;
  if (count < 1 || !Number.isInteger(count)) return 'too few accounts';
  if (count > HOPS_MAX) return 'more hops than a transaction has accounts for';
  return Array.from({ length: count }, (_, index): Hop => {
    const first = FIXED_ACCOUNTS + index * ACCOUNTS_PER_HOP;
    return {
      pool: instruction.accountIndex(first + HOP_POOL),
      vaults: [
        instruction.accountIndex(first + HOP_BASE_VAULT),
        instruction.accountIndex(first + HOP_QUOTE_VAULT),
      ],
    };
  });
}

/** A hop trades on a curve if the pump program was called with the hop's account. */
function curvesOf(
  instruction: Instruction,
  view: TransactionView,
  pumpProgram: number,
): ReadonlySet<number> {
  const accounts = new Set<number>();
  for (const called of view.calledBy(instruction)) {
    if (called.programIndex !== pumpProgram) continue;
    if (!hasDiscriminator(called.data, 0, CURVE_RUN.discriminator)) continue;
    for (let at = CURVE_RUN.fixedAccounts; at < called.accountCount; at++) {
      accounts.add(called.accountIndex(at));
    }
  }
  return accounts;
}

function tradeEventsOf(instruction: Instruction, view: TransactionView): Uint8Array[] {
  const { BuyEvent, SellEvent } = pumpAmmLayout.events;
  return view
    .ownCallsOf(instruction)
    .map(({ data }) => data)
    .filter((data) => isSelfEvent(data) && (isEvent(data, BuyEvent) || isEvent(data, SellEvent)));
}

function isEvent(data: Uint8Array, { discriminator }: EventLayout): boolean {
  return hasDiscriminator(data, 8, discriminator);
}

/**
 * Movements that touch the pool's vaults and, if the user pays the pool, the user's fee transfers.
 */
function movementsOf({ movements, userIn }: Route, { vaults }: Hop): TokenMovement[] {
  const isPaidByUser = movements.some(
    ({ source, destination }) => source === userIn && vaults.includes(destination),
  );
  return movements.filter(
    (movement) => touches(movement, vaults) || (isPaidByUser && movement.source === userIn),
  );
}

/**
 * The largest transfer out of the vault that lost tokens, to the next hop or the user; smaller ones
 * are fees.
 */
function paymentOf(
  movements: readonly TokenMovement[],
  [base, quote]: readonly [number, number],
): TokenMovement | undefined {
  const payer = deltaOf(movements, base) < 0n ? base : quote;
  let greatest: TokenMovement | undefined;
  for (const movement of movements) {
    if (movement.source !== payer || movement.kind !== 'transfer') continue;
    if (greatest === undefined || movement.amount > greatest.amount) greatest = movement;
  }
  return greatest;
}

function touches(
  { source, destination }: TokenMovement,
  vaults: readonly [number, number],
): boolean {
  return vaults.includes(source) || vaults.includes(destination);
}
