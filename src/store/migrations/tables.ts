import type { TableDescription } from '../sql/deployment.ts';
import { FIRST_DERIVED_TABLES, FIRST_TABLES } from './0001-first-tables.ts';
import { WALLET_TABLES } from './0003-wallets.ts';
import { CLASSIFICATION_TABLES } from './0004-classifications.ts';
import { SIGNAL_TABLES } from './0005-signals.ts';
import { TRADE_TABLES } from './0011-trades.ts';
import { FINDING_TABLES } from './0012-listed-findings.ts';
import { RULE_TABLES } from './0013-rule-hits.ts';

/** Derived tables: a fold produces their rows, and a new epoch replaces them. */
export const DERIVED_TABLES: readonly TableDescription[] = [
  ...FIRST_DERIVED_TABLES,
  ...WALLET_TABLES,
  ...CLASSIFICATION_TABLES,
  ...SIGNAL_TABLES,
  ...TRADE_TABLES,
  ...FINDING_TABLES,
  ...RULE_TABLES,
];

/** The log of slots and all derived tables. */
export const SLOT_TABLES: readonly TableDescription[] = [
  ...FIRST_TABLES,
  ...WALLET_TABLES,
  ...CLASSIFICATION_TABLES,
  ...SIGNAL_TABLES,
  ...TRADE_TABLES,
  ...FINDING_TABLES,
  ...RULE_TABLES,
];
