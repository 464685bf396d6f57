import type { ChainEvent } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { Swap } from '../../model/swap.ts';
import type { Address, RawAmount } from '../../model/units.ts';
import { type DecodeResult, events, IGNORED, malformed } from '../legs/decoder.ts';
import { deltaOf } from '../legs/swap-legs.ts';
import { hasDiscriminator } from '../transaction/discriminator.ts';
import type { TokenMovement } from '../transaction/token-movements.ts';
import { routeTraderOf } from '../transaction/trader.ts';
import { EVENT_FIELDS_OFFSET, type TransactionView } from '../transaction/transaction-view.ts';
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

/** One curve of a route, as the program's events report it. */
interface Hop {
  /** The event of the trade, which gives the hop its place among all events. */
  readonly place: Instruction;
  trade: PumpTradeEvent;
  isComplete: boolean;
}

/**
 * Reads a run of curves that PumpSwap's `multi_hop_swap` trades through: a swap for each curve, from
 * its own event and what moved to and from its accounts. Coins in the middle pass from one curve's
 * vault into the next; they count as received by the trader and paid again, as if they had touched
 * its account. All hops of the run are read, or none: one that is reported and did not move, or moved and
 * is not reported, makes the instruction malformed.
 */
export function decodeMultiHopCurveSwap(
  instruction: Instruction,
  view: TransactionView,
  user: number,
): DecodeResult {
  if (user < 0) return malformed('too few accounts');
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
 * What moved tokens in the whole route. A pool before the run may pay into its first curve, and take
 * what its last one sold, outside the call; a route trades on each curve once, so that whatever touches
 * a curve's accounts is its hop's.
 */
function movementsOfRoute(instruction: Instruction, view: TransactionView): TokenMovement[] {
  const [caller] = view.callersOf(instruction);
  return view.tokenMovementsWithin(caller ?? instruction);
}

/** The hops that the instruction's own events report, by mint, in order, or why they cannot be. */
function hopsOf(instruction: Instruction, view: TransactionView): Map<Address, Hop> | string {
  const hops = new Map<Address, Hop>();
  for (const place of view.ownCallsOf(instruction)) {
    const problem = noteEvent(hops, place);
    if (problem !== null) return problem;
  }
  return hops;
}

/** Adds what one event reports to the hops, or says why it cannot be. Other events are of no hop. */
function noteEvent(hops: Map<Address, Hop>, place: Instruction): string | null {
  const { data } = place;
  if (hasDiscriminator(data, 8, tradeEventLayout.discriminator)) return noteTrade(hops, place);
  if (hasDiscriminator(data, 8, completeEventLayout.discriminator)) return noteEnd(hops, data);
  if (hasDiscriminator(data, 8, postCompleteBuyEventLayout.discriminator)) {
    return notePoolPart(hops, data);
  }
  return null;
}

function noteTrade(hops: Map<Address, Hop>, place: Instruction): string | null {
  const trade = readTradeEvent(place.data, EVENT_FIELDS_OFFSET);
  if (trade === null) return 'TradeEvent ends inside its fields';
  if (hops.has(trade.mint)) return 'two hops on one curve';
  hops.set(trade.mint, { place, trade, isComplete: false });
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
 * run of base mint, quote mint, curve and the curve's accounts for the two, as PumpSwap gets them
 * (docs/instructions/MULTI_HOP_SWAP.md of the program's public docs), and is taken for one where the
 * fourth holds the first and belongs to the third.
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
  const { trade: event, place } = hop;
  const poolBaseDelta = deltaOf(movements, at.baseVault);
  if (poolBaseDelta === 0n) return 'a hop that is reported and moved no tokens';
  const reading = toCurveSwap({ view, instruction, at, movements, poolBaseDelta, event });
  if (reading.status !== 'event') return reading.status === 'malformed' ? reading.reason : 'no hop';
  const { outerIx, innerIx } = place;
  const traderBaseDelta = exchangedBase(movements, at.baseVault) as RawAmount;
  const traderQuoteDelta = exchangedQuote(event) as RawAmount | null;
  const trader = routeTraderOf(view, at.user);
  return { ...reading.event, outerIx, innerIx, trader, traderBaseDelta, traderQuoteDelta };
}

/** What came out of the vault, less what its receivers had withheld; what went in, gross. */
function exchangedBase(movements: readonly TokenMovement[], vault: number): bigint {
  let exchanged = 0n;
  for (const { source, destination, amount, fee } of movements) {
    if (source === vault) exchanged += amount - (fee ?? 0n);
    if (destination === vault) exchanged -= amount;
  }
  return exchanged;
}

/** What a buyer pays on top of the traded amount, and a seller does not get, are the hop's fees. */
function exchangedQuote({ isBuy, quoteAmount, feeQuoteRaw }: PumpTradeEvent): bigint | null {
  if (feeQuoteRaw === null) return null;
  return isBuy ? -quoteAmount - feeQuoteRaw : quoteAmount - feeQuoteRaw;
}
