import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  rmdirSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { vi } from 'vitest';
import { StoreError } from '../../src/model/errors.ts';
import { Lane } from '../../src/store/sql/lane.ts';
import { isTransientSqlError, SqlError } from '../../src/store/sql/sql-session.ts';

const REFILL_MS = 20;

/** A fault that lasts for a time. */
export interface DeviceFault {
  begin(): void;
  end(): void;
}

/** A disk that another program fills completely, also where files are removed meanwhile. */
export function fullDisk(folder: string): DeviceFault {
  const ballast = join(folder, 'ballast');
  const fill = () => {
    const { bavail, bsize } = statfsSync(folder);
    try {
      appendFileSync(ballast, Buffer.alloc(bavail * bsize));
    } catch (error) {
      // Another program took the last bytes.
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  };
  let filling: NodeJS.Timeout | undefined;
  return {
    begin() {
      fill();
      filling = setInterval(fill, REFILL_MS);
    },
    end() {
      clearInterval(filling);
      rmSync(ballast, { force: true });
    },
  };
}

/** A folder in which no file can be created or opened for writing. */
export function readOnlyFolder(folder: string): DeviceFault {
  const mount = (...args: string[]) => {
    const { status, stderr } = spawnSync('mount', args);
    if (status !== 0) throw new Error(`mount ${args.join(' ')}: ${stderr}`);
  };
  return {
    begin() {
      // The engine writes at any moment, and a mount through which a file is being written cannot
      // be made read-only. So it is made read-only where nobody writes, and put over the folder
      // when it already is.
      const aside = mkdtempSync(join(tmpdir(), 'mintscope-read-only-'));
      mount('--bind', folder, aside);
      try {
        mount('-o', 'remount,bind,ro', aside);
        mount('--bind', aside, folder);
      } finally {
        spawnSync('umount', ['-l', aside]);
        rmdirSync(aside);
      }
    },
    end: () => {
      spawnSync('umount', ['-l', folder]);
    },
  };
}

/** A process that has reached its limit of open files. */
export function noMoreFiles(): DeviceFault {
  const files: number[] = [];
  return {
    begin() {
      try {
        for (;;) files.push(openSync('/dev/null', 'r'));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EMFILE') throw error;
      }
    },
    end() {
      for (const file of files.splice(0)) closeSync(file);
    },
  };
}

/** An I/O error for the rows of one table; other tables of the batch may be written before. */
export function failingRows(table: string): DeviceFault {
  let isFailing = false;
  const insert = Lane.prototype.insert;
  return {
    begin() {
      isFailing = true;
      vi.spyOn(Lane.prototype, 'insert').mockImplementation(async function (this: Lane, ...given) {
        const [into] = given;
        if (!isFailing || into !== table) return await insert.apply(this, given);
        // As if the disk failed after the write: the caller cannot know whether the rows are
        // stored.
        await insert.apply(this, given);
        const error = new SqlError('Cannot write to file: Input/output error', 75);
        const isTransient = isTransientSqlError(error);
        throw new StoreError(`The writer lane failed: ${error.message}`, { isTransient });
      });
    },
    end() {
      isFailing = false;
      vi.restoreAllMocks();
    },
  };
}

/** A database whose transactions fail at a statement with an error of SQLite. */
export function failingDatabase(statement: string, errcode: number, message: string): DeviceFault {
  const exec = DatabaseSync.prototype.exec;
  return {
    begin() {
      vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
        this: DatabaseSync,
        sql,
      ) {
        if (sql !== statement) return exec.call(this, sql);
        throw Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode });
      });
    },
    end: () => vi.restoreAllMocks(),
  };
}
