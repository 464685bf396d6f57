import type { UndoLog } from '../../lib/undo-log.ts';
import {
  EXIT_RULES,
  type ExecutionOutcome,
  type ExitRule,
  PERCENT_SCALE,
  TICKETS_USD,
  type TicketReturn,
} from '../../model/signal.ts';
import { EXIT_TERMS, isTriggered } from './exit-rules.ts';
import { buyTokens, type PoolDepth, sellTokens } from './fill.ts';

/** Between seeing something and having acted on it. */
export const REACTION_MS = 5_000;
/** When nobody trades after a signal, it is entered after so long, at what the pool holds. */
export const ENTRY_WAIT_MS = 300_000;

const ROSE = 0.5;
const FELL = 0.3;

/** One way out. */
export interface Exit {
  readonly rule: ExitRule;
  /** When it is carried out; null before the position was entered. */
  dueMs: number | null;
  returns: readonly TicketReturn[] | null;
}

/** What somebody has who followed a signal. */
export interface Position {
  readonly createdAtMs: number;
  enteredAtMs: number | null;
  entryPrice: number;
  peakPrice: number;
  /** Tokens by ticket. */
  tokens: readonly number[];
  roseBeforeFell: boolean | null;
  /** The pool as last seen. */
  depth: PoolDepth;
  readonly exits: readonly Exit[];
}

export function openPosition(createdAtMs: number, depth: PoolDepth): Position {
  return {
    createdAtMs,
    enteredAtMs: null,
    entryPrice: 0,
    peakPrice: 0,
    tokens: [],
    roseBeforeFell: null,
    depth,
    exits: EXIT_RULES.map((rule) => ({ rule, dueMs: null, returns: null })),
  };
}

/** Takes the pool as a trade left it. Returns whether the outcome changed. */
export function notePosition(position: Position, depth: PoolDepth, undo: UndoLog): boolean {
  let isChanged = advancePosition(position, depth.timeMs, undo);
  undo.keep(position);
  position.depth = depth;
  if (position.enteredAtMs === null) {
    if (depth.timeMs < position.createdAtMs + REACTION_MS) return isChanged;
    enter(position, depth.timeMs, undo);
    return true;
  }
  position.peakPrice = Math.max(position.peakPrice, depth.priceUsd);
  isChanged = noteSwing(position) || isChanged;
  for (const exit of position.exits) {
    if (exit.returns !== null || exit.dueMs === null) continue;
    if (!isTriggered(EXIT_TERMS[exit.rule], depth.priceUsd, position)) continue;
    const dueMs = Math.min(exit.dueMs, depth.timeMs + REACTION_MS);
    if (dueMs === exit.dueMs) continue;
    undo.keep(exit);
    exit.dueMs = dueMs;
  }
  return isChanged;
}

/**
 * Carries out what was due before `nowMs`, at what the pool held then. To be called with times that
 * never fall, before anything of `nowMs` is noted. Returns whether the outcome changed.
 */
export function advancePosition(position: Position, nowMs: number, undo: UndoLog): boolean {
  let isChanged = false;
  if (position.enteredAtMs === null) {
    const entryMs = position.createdAtMs + ENTRY_WAIT_MS;
    if (nowMs <= entryMs) return false;
    undo.keep(position);
    enter(position, entryMs, undo);
    isChanged = true;
  }
  for (const exit of position.exits) {
    if (exit.returns !== null || exit.dueMs === null || exit.dueMs >= nowMs) continue;
    undo.keep(exit);
    exit.returns = TICKETS_USD.map((ticketUsd, at) => {
      const gotUsd = sellTokens(position.depth, position.tokens[at] ?? 0);
      return { ticketUsd, returnE9: percentE9(gotUsd / ticketUsd - 1) };
    });
    isChanged = true;
  }
  return isChanged;
}

/** Nothing of it can change any more. */
export function isClosed({ exits, enteredAtMs, createdAtMs }: Position, nowMs: number): boolean {
  // The swing is followed for as long as the longest rule holds.
  const lastMs = (enteredAtMs ?? createdAtMs + ENTRY_WAIT_MS) + EXIT_TERMS.hold_24h.holdMs;
  return nowMs > lastMs && exits.every(({ returns }) => returns !== null);
}

export function executionOf({ enteredAtMs, exits, roseBeforeFell }: Position): ExecutionOutcome {
  const returns = Object.fromEntries(exits.map((exit) => [exit.rule, exit.returns]));
  return {
    enteredAtMs,
    returns: returns as ExecutionOutcome['returns'],
    roseBeforeFell,
  };
}

function enter(position: Position, timeMs: number, undo: UndoLog): void {
  const { depth } = position;
  position.enteredAtMs = timeMs;
  position.entryPrice = depth.priceUsd;
  position.peakPrice = depth.priceUsd;
  position.tokens = TICKETS_USD.map((ticketUsd) => buyTokens(depth, ticketUsd));
  for (const exit of position.exits) {
    undo.keep(exit);
    exit.dueMs = timeMs + EXIT_TERMS[exit.rule].holdMs;
  }
}

function noteSwing(position: Position): boolean {
  if (position.roseBeforeFell !== null) return false;
  const { entryPrice, depth } = position;
  if (depth.priceUsd >= entryPrice * (1 + ROSE)) position.roseBeforeFell = true;
  else if (depth.priceUsd <= entryPrice * (1 - FELL)) position.roseBeforeFell = false;
  return position.roseBeforeFell !== null;
}

/** A part in percent with nine decimals. */
function percentE9(part: number): bigint {
  return BigInt(Math.round(part * 100 * 10 ** PERCENT_SCALE));
}
