import { describe } from 'vitest';
import { testDescribedRows } from '../../../tests/support/table-row-laws.ts';
import { ACCOUNTS, API_KEYS } from './api-keys.ts';
import { BACKTEST_TRIES, BACKTESTS } from './backtests.ts';
import { openControlPlane } from './control-plane.ts';
import { CONTROL_SUMS } from './control-sums.ts';
import { CURSORS } from './cursor.ts';
import { TRIGGER_FIRINGS, TRIGGER_NUMBERS } from './firings.ts';
import { SLOT_RANGES } from './gap-ledger.ts';
import { META } from './meta-texts.ts';
import { REVIEW_ENTRIES, REVIEWS } from './reviews.ts';
import { RULES } from './rules.ts';
import { SHARED_MARKS } from './shared/shared-control.ts';
import { TRIGGER_TRUTHS } from './trigger-truths.ts';
import { TRIGGERS } from './triggers.ts';
import { WEBHOOK_CANDIDATES, WEBHOOK_FINDINGS } from './webhook-candidates.ts';
import { WEBHOOK_ATTEMPTS, WEBHOOK_DELIVERIES } from './webhook-outbox.ts';
import { WEBHOOKS } from './webhooks.ts';
import { WRITERS } from './writer-fence.ts';

const ROWS = [
  ...[BACKTESTS, BACKTEST_TRIES],
  ...[ACCOUNTS, API_KEYS, CONTROL_SUMS, CURSORS, META, RULES, SLOT_RANGES, WRITERS],
  SHARED_MARKS,
  ...[REVIEW_ENTRIES, REVIEWS, TRIGGER_FIRINGS, TRIGGER_NUMBERS, TRIGGER_TRUTHS, TRIGGERS],
  ...[WEBHOOK_ATTEMPTS, WEBHOOK_CANDIDATES, WEBHOOK_DELIVERIES, WEBHOOK_FINDINGS, WEBHOOKS],
];

describe('rows of the control plane', () => {
  testDescribedRows(() => openControlPlane(':memory:'), ROWS, ['stored_parts']);
});
