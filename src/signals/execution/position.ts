import type { Mutable } from '../../lib/mutable.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import { type Described, float, list, nullable, plain, record } from '../../model/codec.ts';
import {
  EXIT_RULES,
  type ExecutionOutcome,
  type ExitRule,
  PERCENT_SCALE,
  TICKET_RETURN,
  TICKETS_USD,
} from '../../model/signal.ts';
import { EXIT_TERMS, isTriggered } from './exit-rules.ts';
import { buyTokens, POOL_DEPTH, type PoolDepth, sellTokens } from './fill.ts';

/** Delay between a signal and a trade that reacts to it. */
export const REACTION_MS = 5_000;
/**
 * Without a trade after a signal, the position is entered after this time at the pool's current
 * state.
 */
export const ENTRY_WAIT_MS = 300_000;

const ROSE = 0.5;
const FELL = 0.3;

const EXIT = record({
  rule: plain<ExitRule>(),
  /** When the exit executes; null before the position is entered. */
  dueMs: plain<number | null>(),
  returns: nullable(list(TICKET_RETURN)),
});

/** The exit of a position by one rule. */
export interface Exit extends Mutable<Described<typeof EXIT>> {}

export const POSITION = record({
  createdAtMs: plain<number>(),
  enteredAtMs: plain<number | null>(),
  entryPrice: float,
  peakPrice: float,
  /** Tokens bought, by ticket. */
  tokens: list(float),
  roseBeforeFell: plain<boolean | null>(),
  /** The most recent state of the pool. */
  depth: POOL_DEPTH,
  exits: list(EXIT),
});

/** The hypothetical position of a trader who follows a signal. */
export interface Position extends Mutable<Described<typeof POSITION>> {
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

/** Applies the state of the pool after a trade. Returns whether the outcome changed. */
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
 * Executes what was due before `nowMs`, at the pool's state of that time. To be called with
 * non-decreasing times, before anything of `nowMs` is noted. Returns whether the outcome changed.
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

/** Whether the position can no longer change. */
export function isClosed({ exits, enteredAtMs, createdAtMs }: Position, nowMs: number): boolean {
  // `roseBeforeFell` is tracked until the longest rule ends.
  const lastMs = (enteredAtMs ?? createdAtMs + ENTRY_WAIT_MS) + EXIT_TERMS.hold_24h.holdMs;
  return nowMs > lastMs && exits.every(({ returns }) => returns !== null);
}

/** The time after which the passage of time next changes the position, or closes it. */
export function wakeMs({ exits, enteredAtMs, createdAtMs }: Position): number {
  if (enteredAtMs === null) return createdAtMs + ENTRY_WAIT_MS;
  const pendingMs = exits.flatMap(({ dueMs, returns }) => (returns === null ? (dueMs ?? []) : []));
  return Math.min(enteredAtMs + EXIT_TERMS.hold_24h.holdMs, ...pendingMs);
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

/** Converts a ratio to percent with nine decimals. */
function percentE9(part: number): bigint {
  return BigInt(Math.round(part * 100 * 10 ** PERCENT_SCALE));
}
