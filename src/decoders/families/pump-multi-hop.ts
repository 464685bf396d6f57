import type { ChainEvent } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { Swap } from '../../model/swap.ts';
import { type Address, asRawAmount } from '../../model/units.ts';
import { amountOrNull } from '../legs/amount-or-null.ts';
import { type DecodeResult, events, IGNORED, malformed } from '../legs/decoder.ts';
import type { ProgramCall } from '../legs/program-decoder.ts';
import { deltaOf } from '../legs/swap-legs.ts';
import { EVENT_FIELDS_OFFSET, hasDiscriminator } from '../transaction/discriminator.ts';
import type { TokenMovement } from '../transaction/token-movements.ts';
import { routeTraderOf } from '../transaction/trader.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';
import { toCurveSwap } from './pump-curve-swap.ts';
import {
  completeEventLayout,
  isPartOf,
  postCompleteBuyEventLayout,
  readCompletedMint,
  readPoolPart,
  withPoolPart,
} from './pump-pool-part.ts';
import type { CurveAccounts } from './pump-quote-leg.ts';
import { type PumpTradeEvent, readTradeEvent, tradeEventLayout } from './pump-trade-event.ts';

/** One curve of a route, as reported by the program's events. */
interface Hop {
  /** The event of the trade, whose position is the position of the hop. */
  readonly position: Instruction;
  trade: PumpTradeEvent;
  isComplete: boolean;
}

/**
 * Reads a run of curves that PumpSwap's `multi_hop_swap` trades on: a swap for each curve, from its
 * own event and the movements of its accounts. Intermediate tokens pass from one curve's vault into
 * the next; they count as received by the trader and paid again, as if they had passed through its
 * account. Either all hops of the run are read or none: a hop that is reported without movements,
 * or moved without a report, makes the instruction malformed.
 */
export function decodeMultiHopCurveSwap({
  at: { user },
  instruction,
  view,
}: ProgramCall<'user'>): DecodeResult {
  const hops = hopsOf(instruction, view);
  if (typeof hops === 'string') return malformed(hops);
  const curves = curvesOf(instruction, view, user);
  const movements = movementsOfRoute(instruction, view);
  for (const [mint, { baseVault }] of curves) {
    if (!hops.has(mint) && deltaOf(movements, baseVault) !== 0n) {
      return malformed('a hop that moved tokens without its event');
    }
  }
  const read: ChainEvent[] = [];
  for (const [mint, hop] of hops) {
    const at = curves.get(mint);
    if (at === undefined) return malformed('a hop without the accounts of its curve');
    const swap = swapOf(instruction, view, { hop, at, movements });
    if (typeof swap === 'string') return malformed(swap);
    read.push(swap);
    const { outerIx, innerIx, pool } = swap;
    if (hop.isComplete) {
      read.push({ kind: 'curveComplete', outerIx, innerIx, venue: 'pump', mint, pool });
    }
  }
  return read.length === 0 ? IGNORED : events(...read);
}

/**
 * Token movements of the whole route. A pool before the run may pay into its first curve, and one
 * after it may take the output of the last curve, outside the call. A route trades on each curve
 * once, so everything that touches a curve's accounts belongs to its hop.
 */
function movementsOfRoute(instruction: Instruction, view: TransactionView): TokenMovement[] {
  const [caller] = view.callersOf(instruction);
  return view.tokenMovementsWithin(caller ?? instruction);
}

/**
 * The hops reported by the instruction's own events, by mint, in order; or the reason why the
 * events are invalid.
 */
function hopsOf(instruction: Instruction, view: TransactionView): Map<Address, Hop> | string {
  const hops = new Map<Address, Hop>();
  for (const event of view.ownCallsOf(instruction)) {
    const problem = noteEvent(hops, event);
    if (problem !== null) return problem;
  }
  return hops;
}

/**
 * Adds the content of one event to the hops and returns the reason if it is invalid. Events
 * unrelated to hops are skipped.
 */
function noteEvent(hops: Map<Address, Hop>, event: Instruction): string | null {
  const { data } = event;
  if (hasDiscriminator(data, 8, tradeEventLayout.discriminator)) return noteTrade(hops, event);
  if (hasDiscriminator(data, 8, completeEventLayout.discriminator)) return noteEnd(hops, data);
  if (hasDiscriminator(data, 8, postCompleteBuyEventLayout.discriminator)) {
    return notePoolPart(hops, data);
  }
  return null;
}

function noteTrade(hops: Map<Address, Hop>, event: Instruction): string | null {
  const trade = readTradeEvent(event.data, EVENT_FIELDS_OFFSET);
  if (trade === null) return 'TradeEvent ends inside its fields';
  if (hops.has(trade.mint)) return 'two hops on one curve';
  hops.set(trade.mint, { position: event, trade, isComplete: false });
  return null;
}

function noteEnd(hops: Map<Address, Hop>, data: Uint8Array): string | null {
  const mint = readCompletedMint(data);
  if (mint === null) return 'CompleteEvent ends inside its fields';
  const hop = hops.get(mint);
  if (hop === undefined) return 'CompleteEvent without its TradeEvent';
  hop.isComplete = true;
  return null;
}

function notePoolPart(hops: Map<Address, Hop>, data: Uint8Array): string | null {
  const part = readPoolPart(data);
  if (part === null) return 'PostCompleteBuyEvent ends inside its fields';
  const hop = hops.get(part.mint);
  if (hop === undefined) return 'PostCompleteBuyEvent without its TradeEvent';
  if (!isPartOf(part, hop.trade)) return 'PostCompleteBuyEvent of another trade';
  hop.trade = withPoolPart(hop.trade, part);
  return null;
}

/**
 * The curves among the instruction's accounts, by mint. The interface does not list them: each is a
 * run of base mint, quote mint, curve and the curve's accounts for the two, as passed by PumpSwap
 * (docs/instructions/MULTI_HOP_SWAP.md of the program's public docs). A run is recognised by its
 * fourth account holding the first and belonging to the third.
 */
function curvesOf(
  instruction: Instruction,
  view: TransactionView,
  user: number,
): Map<Address, CurveAccounts> {
  const { keys } = view.transaction;
  const curves = new Map<Address, CurveAccounts>();
  for (let first = 0; first + RUN_LENGTH <= instruction.accountCount; first++) {
    const curve = instruction.accountIndex(first + 2);
    const baseVault = instruction.accountIndex(first + 3);
    const vault = view.tokenAccount(baseVault);
    const mint = instruction.account(first);
    if (vault === null || mint === null || vault.mint !== mint) continue;
    if (curve < 0 || vault.owner !== keys.at(curve)) continue;
    curves.set(mint, {
      curve,
      mint: instruction.accountIndex(first),
      baseVault,
      quoteVault: instruction.accountIndex(first + 4),
      user,
      userBase: -1,
      userQuote: -1,
      feeRecipient: -1,
    });
  }
  return curves;
}

const RUN_LENGTH = 5;

interface MovedHop {
  readonly hop: Hop;
  readonly at: CurveAccounts;
  readonly movements: readonly TokenMovement[];
}

function swapOf(
  instruction: Instruction,
  view: TransactionView,
  { hop, at, movements }: MovedHop,
): Swap | string {
  const { trade: event, position } = hop;
  const poolBaseDelta = deltaOf(movements, at.baseVault);
  if (poolBaseDelta === 0n) return 'a hop that is reported and moved no tokens';
  const reading = toCurveSwap({ view, instruction, at, movements, poolBaseDelta, event });
  if (reading.status !== 'event') return reading.status === 'malformed' ? reading.reason : 'no hop';
  const { outerIx, innerIx } = position;
  const traderBaseDelta = asRawAmount(exchangedBase(movements, at.baseVault));
  const traderQuoteDelta = amountOrNull(exchangedQuote(event));
  const trader = routeTraderOf(view, at.user);
  return { ...reading.event, outerIx, innerIx, trader, traderBaseDelta, traderQuoteDelta };
}

/** Outgoing amounts less withheld transfer fees, minus incoming gross amounts. */
function exchangedBase(movements: readonly TokenMovement[], vault: number): bigint {
  let exchanged = 0n;
  for (const { source, destination, amount, fee } of movements) {
    if (source === vault) exchanged += amount - (fee ?? 0n);
    if (destination === vault) exchanged -= amount;
  }
  return exchanged;
}

/**
 * The hop's fees are what a buyer pays on top of the traded amount, or what is deducted from a
 * seller.
 */
function exchangedQuote({ isBuy, quoteAmount, feeQuoteRaw }: PumpTradeEvent): bigint | null {
  if (feeQuoteRaw === null) return null;
  return isBuy ? -quoteAmount - feeQuoteRaw : quoteAmount - feeQuoteRaw;
}
