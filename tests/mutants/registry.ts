import { ACCOUNTS_MUTANTS } from './lists/accounts.ts';
import { AGENTS_MUTANTS } from './lists/agents.ts';
import { API_MUTANTS } from './lists/api.ts';
import { CLIENT_MUTANTS } from './lists/client.ts';
import { CLUSTER_MUTANTS } from './lists/cluster.ts';
import { COMPARISON_MUTANTS } from './lists/comparison.ts';
import { CONNECTIONS_MUTANTS } from './lists/connections.ts';
import { DECODING_MUTANTS } from './lists/decoding.ts';
import { DELIVERY_MUTANTS } from './lists/deliveries.ts';
import { DEVICE_FAILURE_MUTANTS } from './lists/device-failures.ts';
import { FIGURES_MUTANTS } from './lists/figures.ts';
import { FINDING_MUTANTS } from './lists/findings.ts';
import { INGESTION_MUTANTS } from './lists/ingestion.ts';
import { MARKET_MUTANTS } from './lists/market.ts';
import { PYTHON_CLIENT_MUTANTS } from './lists/python-client.ts';
import { RECOVERY_MUTANTS } from './lists/recovery.ts';
import { RULE_TEST_MUTANTS } from './lists/rule-tests.ts';
import { START_MUTANTS } from './lists/start.ts';
import { STORE_MUTANTS } from './lists/store.ts';
import { STREAM_MUTANTS } from './lists/streams.ts';
import { TRADE_MUTANTS } from './lists/trades.ts';
import type { Mutant } from './mutant.ts';

/** Every planted defect that a test must detect, wiring first. */
export const MUTANTS: readonly Mutant[] = [
  ...START_MUTANTS,
  ...STORE_MUTANTS,
  ...API_MUTANTS,
  ...STREAM_MUTANTS,
  ...INGESTION_MUTANTS,
  ...DECODING_MUTANTS,
  ...FIGURES_MUTANTS,
  ...DELIVERY_MUTANTS,
  ...DEVICE_FAILURE_MUTANTS,
  ...FINDING_MUTANTS,
  ...ACCOUNTS_MUTANTS,
  ...CONNECTIONS_MUTANTS,
  ...RECOVERY_MUTANTS,
  ...COMPARISON_MUTANTS,
  ...CLUSTER_MUTANTS,
  ...TRADE_MUTANTS,
  ...MARKET_MUTANTS,
  ...CLIENT_MUTANTS,
  ...PYTHON_CLIENT_MUTANTS,
  ...AGENTS_MUTANTS,
  ...RULE_TEST_MUTANTS,
];

/** Changes that no test can detect, with the reason; not counted. */
export const EQUIVALENT: readonly { readonly mutant: Mutant; readonly reason: string }[] = [
  {
    mutant: {
      name: 'webhook-sender-follows-redirects',
      file: 'src/gathering/webhook-worker.ts',
      find: 'redirectsMax: 0,',
      replace: 'redirectsMax: 3,',
      tests: ['src/gathering/webhook-thread.test.ts'],
      harm: 'A receiver redirects signed events to an unchecked address.',
    },
    reason: 'The module that sends a POST never redirects it, for any value of the number.',
  },
  {
    mutant: {
      name: 'state-of-a-dirty-log-kept',
      file: 'src/ingestion/state-checkpoints.ts',
      find: 'cursor.slot >= end.slot && !cursor.isDirty',
      replace: 'cursor.slot >= end.slot',
      tests: ['src/ingestion/ingestion.test.ts'],
      harm: 'A start continues from a state without some slots.',
    },
    reason:
      'No start continues from it: a dirty log is folded from a state before the change, in another epoch.',
  },
  {
    mutant: {
      name: 'one-witness-against-none-decides',
      file: 'src/chain/rpc/comparison/statements.ts',
      find: 'return first[1] >= 2 || votes.size === 1 ? first[0] : null;',
      replace: 'return first[0];',
      tests: ['src/chain/rpc/comparison/statements.test.ts'],
      harm: 'A single vote decides against another vote.',
    },
    reason:
      'When the maximum is one vote, every version has one, and that case was handled before.',
  },
];
