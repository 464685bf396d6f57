import type { DatabaseSync } from 'node:sqlite';
import type {
  ControlPosition,
  RehearsedWrite,
  RowChange,
  SharedCells,
  SharedRows,
  SharedTables,
} from '../../../model/shared-rows.ts';
import { integer, oneOf, text } from '../../sqlite/kind.ts';
import { type Prepared, prepareAll } from '../../sqlite/prepare-all.ts';
import { inTransaction, rehearsed } from '../../sqlite/sqlite-transaction.ts';
import { tableRow } from '../../sqlite/table-row.ts';
import { CONTROL_MIGRATIONS } from '../control-migrations.ts';
import { metaTexts } from '../meta-texts.ts';
import { differences, RowChanges } from './row-changes.ts';
import { SHARED_TABLES, sharedTable } from './shared-tables.ts';

const POSITION = 'control_position';
const START: ControlPosition = { logId: null, keysSeq: 0, rowsSeq: 0, isSeeded: false };
/** Rows of one seed, which are small but for rules. */
const SEED_ROWS = 100;

/** Keys, and disabled webhooks, by what the log has of them. */
const MARKS = {
  key: `SELECT key_id AS name, revoked_at_ms IS NOT NULL AS state FROM api_keys
    EXCEPT SELECT name, state FROM shared_marks WHERE kind = 'key'`,
  webhook: `SELECT webhook_id AS name, 1 AS state FROM webhooks WHERE disabled_at_ms IS NOT NULL
    EXCEPT SELECT name, state FROM shared_marks WHERE kind = 'webhook'`,
} as const;

/** What the log has of a key (1: revoked) or of a webhook (1: disabled). */
export const SHARED_MARKS = tableRow('shared_marks', {
  kind: oneOf(['key', 'webhook'] as const),
  name: text,
  state: integer,
});

const STATEMENTS = {
  mark: SHARED_MARKS.upsert('kind', 'name'),
  markOf: SHARED_MARKS.only('state').select('WHERE kind = ? AND name = ?'),
};

/** The shared tables of a control database, and how far they are in the log of their changes. */
export class SharedControl implements SharedTables {
  readonly schema = CONTROL_MIGRATIONS.length;
  private readonly database: DatabaseSync;
  private readonly rows: RowChanges;
  private readonly meta: ReturnType<typeof metaTexts>;
  private readonly statements: Prepared<typeof STATEMENTS>;

  constructor(database: DatabaseSync) {
    this.database = database;
    this.rows = new RowChanges(database);
    this.meta = metaTexts(database);
    this.statements = prepareAll(database, STATEMENTS);
  }

  get position(): ControlPosition {
    const stored = this.meta.read(POSITION);
    return stored === null ? START : (JSON.parse(stored) as ControlPosition);
  }

  get hasOwnRows(): boolean {
    return SHARED_TABLES.some(
      (table) => !table.isOfKeys && this.rows.select(table, 'LIMIT 1').length > 0,
    );
  }

  *seeds(): Iterable<readonly RowChange[]> {
    for (const table of SHARED_TABLES) {
      if (table.isOfKeys) continue;
      const counter = this.rows.counterOf(table);
      if (counter !== null) yield [{ table: table.name, counter }];
      const rows = this.rows.select(table, `ORDER BY ${table.key.join(', ')}`);
      const size = table.name === 'rules' ? 1 : SEED_ROWS;
      for (let at = 0; at < rows.length; at += size) {
        yield rows.slice(at, at + size).map((put) => ({ table: table.name, put }));
      }
    }
  }

  seeded(): void {
    const { position } = this;
    if (!position.isSeeded) this.move({ ...position, isSeeded: true });
  }

  unshared(): readonly RowChange[] {
    const keys = this.named(MARKS.key).flatMap(({ name, state }) => {
      const isKnown = this.markOf('key', name) !== null;
      // A key that is revoked in the log stays so.
      if (isKnown && state === 0) return [];
      return this.withKey('api_keys', name);
    });
    const accounts = new Set(keys.map(({ put }) => String(put.account_id)));
    const webhooks = this.named(MARKS.webhook).flatMap(({ name }) =>
      this.markOf('webhook', name) === 0 ? this.withKey('webhooks', name) : [],
    );
    return [
      ...[...accounts].flatMap((name) => this.withKey('accounts', name)),
      ...keys,
      ...webhooks,
    ];
  }

  rehearse<Result>(
    pending: readonly (readonly RowChange[])[],
    rows: readonly SharedRows[],
    work: () => Result,
  ): RehearsedWrite<Result> {
    return rehearsed(this.database, () => {
      for (const changes of pending) {
        for (const change of changes) if (!isOfKeys(change)) this.rows.apply(change);
      }
      const before = this.rows.rowsOf(rows);
      const result = work();
      return { result, changes: differences(before, this.rows.rowsOf(rows)) };
    });
  }

  takeKeys(seq: number, logId: string, changes: readonly RowChange[]): void {
    inTransaction(this.database, () => {
      const { position } = this;
      if (seq <= position.keysSeq) return;
      for (const change of changes) if (isOfKeys(change)) this.takeKey(change);
      this.move({ ...position, logId, keysSeq: seq });
    });
  }

  takeRows(seq: number, changes: readonly RowChange[]): readonly RowChange[] {
    return inTransaction(this.database, () => {
      const { position } = this;
      if (seq <= position.rowsSeq) return [];
      const others = changes.filter((change) => !isOfKeys(change));
      const changed = others.filter((change) => this.rows.apply(change));
      for (const change of others) {
        if (change.table !== 'webhooks' || !('put' in change)) continue;
        const { webhook_id: name, disabled_at_ms: disabledAtMs } = change.put;
        this.mark('webhook', String(name), disabledAtMs === null ? 0 : 1);
      }
      this.move({ ...position, rowsSeq: seq });
      return changed;
    });
  }

  private move(position: ControlPosition): void {
    this.meta.write(POSITION, JSON.stringify(position));
  }

  /**
   * The first revocation in the log counts, and the first key of a secret: a bootstrap key that
   * several replicas installed is one key. What this replica has not shared yet gives way.
   */
  private takeKey(change: RowChange): void {
    if (!('put' in change)) return;
    if (change.table !== 'api_keys') {
      this.rows.apply(change);
      return;
    }
    const { put } = change;
    const name = String(put.key_id);
    const isRevoked = put.revoked_at_ms !== null;
    const known = this.markOf('key', name);
    if (known === 1 || (known === 0 && !isRevoked)) return;
    const [other] = this.ofSecret(put);
    if (other !== undefined && other !== name) {
      if (this.markOf('key', other) !== null) return;
      this.rows.apply({ table: 'api_keys', remove: { key_id: other } });
    }
    const [own] = this.withKey('api_keys', name);
    const revokedAtMs = put.revoked_at_ms ?? own?.put.revoked_at_ms ?? null;
    this.rows.apply({ table: 'api_keys', put: { ...put, revoked_at_ms: revokedAtMs } });
    this.mark('key', name, isRevoked ? 1 : 0);
  }

  /** Keys with the secret of a row; there is at most one. */
  private ofSecret({ hash }: SharedCells): string[] {
    if (hash === null || typeof hash !== 'object') return [];
    const bytes = Buffer.from(hash.base64, 'base64');
    const rows = this.rows.select(sharedTable('api_keys'), 'WHERE hash = ?', [bytes]);
    return rows.map((row) => String(row.key_id));
  }

  private withKey(table: string, name: string) {
    const [key = ''] = sharedTable(table).key;
    return [...this.rows.rowsOf([{ table, where: { [key]: name } }]).values()];
  }

  private named(sql: string): readonly { readonly name: string; readonly state: number }[] {
    return this.database
      .prepare(sql)
      .all()
      .map((row) => ({ name: String(row.name), state: Number(row.state) }));
  }

  /** What the log has of a key or webhook; null if it does not have it. */
  private markOf(kind: keyof typeof MARKS, name: string): number | null {
    return this.statements.markOf.get(kind, name)?.state ?? null;
  }

  private mark(kind: keyof typeof MARKS, name: string, state: 0 | 1): void {
    this.statements.mark.run({ kind, name, state });
  }
}

function isOfKeys({ table }: RowChange): boolean {
  return sharedTable(table).isOfKeys;
}
