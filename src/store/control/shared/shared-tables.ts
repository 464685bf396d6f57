/** A table that replicas share, by the names of its columns. */
export interface SharedTable {
  readonly name: string;
  readonly key: readonly string[];
  /** Columns that are equal on all replicas, besides the key. The others are of each replica. */
  readonly columns: readonly string[];
  /** Whether its rows open the service, and so count at once rather than from a slot on. */
  readonly isOfKeys: boolean;
  /** Whether SQLite never gives a key again. */
  readonly isCounted?: boolean;
  /** Statements that follow each row that is put; `?` is its key. */
  readonly afterPut?: readonly string[];
}

const WORKING = 'UPDATE webhooks SET failing_since_ms = NULL, failures_in_row = 0 ';
const CANCELLED = "UPDATE webhook_deliveries SET state = 'cancelled', next_attempt_ms = NULL ";

/** In the order in which rows refer to each other. */
export const SHARED_TABLES: readonly SharedTable[] = [
  { name: 'accounts', key: ['account_id'], columns: ['created_at_ms'], isOfKeys: true },
  {
    name: 'api_keys',
    key: ['key_id'],
    columns: [
      ...['account_id', 'hash', 'scopes', 'label', 'is_bootstrap'],
      ...['created_at_ms', 'expires_at_ms', 'revoked_at_ms'],
    ],
    isOfKeys: true,
  },
  {
    name: 'triggers',
    key: ['trigger_key'],
    columns: [
      ...['account_id', 'trigger_id', 'target_kind', 'target_address', 'conditions'],
      ...['revision', 'created_at_ms', 'updated_at_ms'],
    ],
    isOfKeys: false,
    isCounted: true,
  },
  {
    name: 'webhooks',
    key: ['webhook_id'],
    columns: [
      ...['account_id', 'url', 'label', 'event_types', 'secret', 'previous_secret'],
      ...['previous_until_ms', 'created_at_ms', 'disabled_at_ms', 'disabled_reason'],
    ],
    isOfKeys: false,
    afterPut: [
      `${WORKING} WHERE webhook_id = ? AND disabled_at_ms IS NULL`,
      `${CANCELLED} WHERE webhook_id = ? AND state = 'pending' AND EXISTS (SELECT 1 FROM webhooks
        WHERE webhooks.webhook_id = webhook_deliveries.webhook_id AND disabled_at_ms IS NOT NULL)`,
    ],
  },
  {
    name: 'reviews',
    key: ['classification_id'],
    columns: ['status'],
    isOfKeys: false,
  },
  {
    name: 'review_entries',
    key: ['entry'],
    columns: [
      ...['classification_id', 'from_status', 'to_status', 'account_id'],
      ...['key_id', 'note', 'at_ms'],
    ],
    isOfKeys: false,
  },
  {
    name: 'rules',
    key: ['account_id', 'name'],
    columns: ['version', 'content', 'created_at_ms', 'updated_at_ms'],
    isOfKeys: false,
  },
];

/** Throws RangeError for a table that is not shared. */
export function sharedTable(name: string): SharedTable {
  const table = SHARED_TABLES.find((one) => one.name === name);
  if (table === undefined) throw new RangeError(`The table ${name} is not shared.`);
  return table;
}
