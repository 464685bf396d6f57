import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FileSpill } from './file-spill.ts';

const NAME = /^spill-(\d{1,9}|shadow)\.bin$/;
/** That of a process of its own, of which one runs at a time. */
const SHADOW_SPILL = 'spill-shadow.bin';

/** Files of spills, one to an engine. They outlive no process: what one left behind goes. */
export class SpillFolder {
  readonly path: string;
  private readonly open = new Set<FileSpill>();
  private created = 0;

  /** For the process that the data folder belongs to: what lies there was left by another. */
  constructor(path: string) {
    this.path = path;
    mkdirSync(path, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(path)) {
      if (NAME.test(name)) rmSync(join(path, name), { force: true });
    }
  }

  /** An empty spill for rows of so many bytes. */
  create(rowBytes: number): FileSpill {
    this.created++;
    const spill = new FileSpill(join(this.path, `spill-${this.created}.bin`), rowBytes);
    this.open.add(spill);
    return spill;
  }

  /** Writes what the disk did not take so far. Throws StoreError while it still does not. */
  settle(): void {
    for (const spill of this.open) spill.settle();
  }

  /** Closes every spill that was created here. */
  close(): void {
    for (const spill of this.open) spill.close();
    this.open.clear();
  }
}

/** The spill of a shadow fold, which replaces what one that was broken off left behind. */
export function createShadowSpill(folder: string, rowBytes: number): FileSpill {
  return new FileSpill(join(folder, SHADOW_SPILL), rowBytes);
}
