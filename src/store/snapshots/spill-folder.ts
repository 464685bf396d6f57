import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FileSpill } from './file-spill.ts';

const NAME = /^spill-(\d{1,9}|shadow)\.bin$/;

/** Spill files, one per engine. They are temporary: files of an earlier process are removed. */
export class SpillFolder {
  readonly path: string;
  private readonly open = new Set<FileSpill>();
  private created = 0;

  /** For the process that locked the data folder: existing files are left over and are removed. */
  constructor(path: string) {
    this.path = path;
    mkdirSync(path, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(path)) {
      if (NAME.test(name)) rmSync(join(path, name), { force: true });
    }
  }

  /** Creates an empty spill for rows of `rowBytes` bytes. */
  create(rowBytes: number): FileSpill {
    this.created++;
    const spill = new FileSpill(join(this.path, `spill-${this.created}.bin`), rowBytes);
    this.open.add(spill);
    return spill;
  }

  /** Writes the rows that could not be written before. Throws StoreError while that fails. */
  settle(): void {
    for (const spill of this.open) spill.settle();
  }

  /** Closes all spills of this folder. */
  close(): void {
    for (const spill of this.open) spill.close();
    this.open.clear();
  }
}
