import type { DatabaseSync } from 'node:sqlite';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import { CONTROL_MIGRATIONS } from './control-migrations.ts';

/** How long a write waits for a write of another process; key commands take milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens the small transactional database: keys, cursor, triggers, webhooks. Several processes may
 * have it open at once. Throws StoreError when the file is damaged or written by another version.
 */
export function openControlPlane(path: string): DatabaseSync {
  return openSqlite(path, {
    migrations: CONTROL_MIGRATIONS,
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    synchronous: 'FULL',
    isChecked: true,
    remedy: 'restore it from a copy, or name an empty folder',
  });
}
