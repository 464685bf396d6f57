import type { RowTable } from '../../lib/row-table.ts';
import { asSlot, type Slot } from '../../model/units.ts';
import type { WalletClass } from '../../model/wallet-record.ts';
import type { BotRuleName, Evidence } from './bot-rules/bot-rule.ts';
import { BOT_RULES } from './bot-rules/registry.ts';
import { logitOf, type ScoredTerm, scoredTerms, scoreOf } from './bot-scorecard.ts';
import {
  type RuleFeatures,
  readFeatures,
  readRuleFeatures,
  withScoreFeatures,
} from './features/wallet-features.ts';
import { STANDING, WALLET_FIELDS } from './features/wallet-row.ts';
import {
  ATTEMPTS_MIN,
  BASE_LOGIT,
  CLOSED_HOLDS_MIN,
  ENTER_LOGIT,
  FAST_GAPS_MIN,
  FIRST_BUYS_MIN,
  HARD_RULE_MEMORY_S,
  HARD_SCORE,
  LEAVE_LOGIT,
  SAME_SLOT_PAIRS_MIN,
  SIZED_BUYS_MIN,
  TRADES_PER_FLIP,
} from './features/wallet-thresholds.ts';

/** A class with all its evidence, as of the wallet's last trade. */
export interface WalletVerdict {
  readonly class: WalletClass;
  /** The probability p of being a bot. */
  readonly score: number;
  /** The hard rule that holds; for a bot otherwise the one that held last; else null. */
  readonly rule: BotRuleName | null;
  /** The behaviour that the rule detects and why it says something, in words; null without one. */
  readonly ruleMeaning: string | null;
  /** When a hard rule last held; null for never. */
  readonly ruleHeldMs: number | null;
  /** The current figures of `rule`; below its thresholds if the rule no longer holds. */
  readonly evidence: readonly Evidence[];
  /** When the class last changed; the first sight of the wallet if it never changed. */
  readonly sinceSlot: Slot;
  readonly sinceMs: number;
  /** What the contributions of the terms are added to. */
  readonly baseLogit: number;
  readonly terms: readonly ScoredTerm[];
}

const F = WALLET_FIELDS;

/**
 * Re-evaluates a profile. Returns true when its class changed. A bot stays a bot for a week after a
 * hard rule last held, and as long as p is not below 0.3.
 */
export function judge(rows: RowTable, row: number): boolean {
  if (isQuiet(rows, row)) return false;
  const features = readRuleFeatures(rows, row);
  const ruleIndex = BOT_RULES.findIndex((rule) => rule.holds(features));
  if (ruleIndex >= 0) {
    rows.setNumber(row, F.hardRuleS, features.nowS + 1);
    setRule(rows, row, ruleIndex + 1);
  }
  const standing = rows.number(row, F.standing);
  const isBot = (standing & STANDING.bot) !== 0;
  if (rows.number(row, F.tradesToFlip) > 0) return false;
  const becomes = isBot
    ? staysBot(rows, row, features)
    : ruleIndex >= 0 || logitAt(rows, row, features) >= ENTER_LOGIT;
  if (becomes === isBot) return false;
  rows.setNumber(row, F.standing, rows.number(row, F.standing) ^ STANDING.bot);
  if (!becomes) setRule(rows, row, 0);
  rows.setNumber(row, F.sinceS, features.nowS);
  rows.setNumber(row, F.sinceSlot, rows.number(row, F.lastSlot));
  rows.setNumber(row, F.tradesToFlip, TRADES_PER_FLIP);
  return true;
}

/**
 * True for most wallets: they have too few trades, failures and holds for any hard rule and for all
 * terms except private programs, which alone does not make a bot. A shortcut that gives the same
 * result as the full evaluation in a fraction of its time.
 */
function isQuiet(rows: RowTable, row: number): boolean {
  return (
    rows.number(row, F.trades) < QUIET_TRADES &&
    rows.number(row, F.failed) < ATTEMPTS_MIN - QUIET_TRADES &&
    rows.number(row, F.closedHolds) < CLOSED_HOLDS_MIN &&
    rows.number(row, F.roundTripS) === 0 &&
    rows.number(row, F.sandwichLegs) === 0 &&
    !isBotRow(rows, row)
  );
}

/** With fewer trades no hard rule can hold and no share is evaluated. */
const QUIET_TRADES = Math.min(FIRST_BUYS_MIN, SAME_SLOT_PAIRS_MIN, FAST_GAPS_MIN, SIZED_BUYS_MIN);

export function isBotRow(rows: RowTable, row: number): boolean {
  return (rows.number(row, F.standing) & STANDING.bot) !== 0;
}

export function readVerdict(rows: RowTable, row: number): WalletVerdict {
  const features = readFeatures(rows, row);
  const isBot = isBotRow(rows, row);
  const holding = BOT_RULES.find((rule) => rule.holds(features));
  const remembered = isBot ? BOT_RULES[ruleNumber(rows, row) - 1] : undefined;
  const rule = holding ?? remembered ?? null;
  const hardRuleS = rows.number(row, F.hardRuleS);
  return {
    class: isBot ? 'bot' : 'organic',
    score: holding === undefined ? scoreOf(logitOf(features)) : HARD_SCORE,
    rule: rule?.name ?? null,
    ruleMeaning: rule === null ? null : `${rule.what} ${rule.why}`,
    ruleHeldMs: hardRuleS === 0 ? null : (hardRuleS - 1) * 1_000,
    evidence: rule?.evidence(features) ?? [],
    sinceSlot: asSlot(rows.number(row, F.sinceSlot)),
    sinceMs: rows.number(row, F.sinceS) * 1_000,
    baseLogit: BASE_LOGIT,
    terms: scoredTerms(features),
  };
}

/** Read only when the rules do not decide: they do for most wallets that trade without pause. */
function logitAt(rows: RowTable, row: number, features: RuleFeatures): number {
  return logitOf(withScoreFeatures(features, rows, row));
}

function staysBot(rows: RowTable, row: number, features: RuleFeatures): boolean {
  const hardRuleS = rows.number(row, F.hardRuleS);
  const isRemembered = hardRuleS > 0 && features.nowS - (hardRuleS - 1) < HARD_RULE_MEMORY_S;
  return isRemembered || logitAt(rows, row, features) >= LEAVE_LOGIT;
}

function ruleNumber(rows: RowTable, row: number): number {
  return (rows.number(row, F.standing) & STANDING.ruleMask) >>> STANDING.ruleShift;
}

function setRule(rows: RowTable, row: number, rule: number): void {
  const standing = rows.number(row, F.standing);
  const next = (standing & ~STANDING.ruleMask) | (rule << STANDING.ruleShift);
  if (next !== standing) rows.setNumber(row, F.standing, next);
}
