/**
 * Classifies errors that may disappear without intervention: a full disk, too many open files, an
 * I/O error, a read-only file system, a database locked by another connection. All others (a
 * damaged file, an invalid statement, lost permissions) are permanent.
 */

/** Error codes as Node reports them. */
const TRANSIENT_SYSTEM_CODES: ReadonlySet<unknown> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EMFILE',
  'ENFILE',
  'EIO',
  'EROFS',
  'ENOMEM',
  'EAGAIN',
  'EBUSY',
]);

/** Primary result codes of SQLite: BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN. */
const TRANSIENT_SQLITE_CODES: ReadonlySet<number> = new Set([5, 6, 7, 8, 10, 13, 14]);
/** Extended codes of these that are permanent: READONLY_DBMOVED, IOERR_DATA, IOERR_CORRUPTFS. */
const LASTING_SQLITE_CODES: ReadonlySet<number> = new Set([1_032, 8_202, 8_458]);

/** Whether the same operation may succeed later without any change. */
export function isTransientError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { isTransient, code, errcode } = error as Error & Partial<Record<Field, unknown>>;
  if (typeof isTransient === 'boolean') return isTransient;
  if (code === 'ERR_SQLITE_ERROR') return typeof errcode === 'number' && isTransientSqlite(errcode);
  return TRANSIENT_SYSTEM_CODES.has(code);
}

type Field = 'isTransient' | 'code' | 'errcode';

function isTransientSqlite(extendedCode: number): boolean {
  return TRANSIENT_SQLITE_CODES.has(extendedCode & 0xff) && !LASTING_SQLITE_CODES.has(extendedCode);
}

/** Whether an error comes from the operating system. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
