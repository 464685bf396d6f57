import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What writing needs of a file system; whatever it throws is the outcome of the file. */
export interface FileOutput {
  readonly write: (path: string, content: Uint8Array) => Promise<void>;
  readonly rename: (from: string, to: string) => Promise<void>;
  /** Not to fail when there is nothing. */
  readonly remove: (path: string) => Promise<void>;
}

const DISK: FileOutput = {
  write: (path, content) => writeFile(path, content),
  rename,
  remove: (path) => rm(path, { force: true }),
};

export type WriteOutcome =
  | { readonly status: 'ok' }
  /** Nothing of the file stands; what was written before does. */
  | { readonly status: 'failed'; readonly path: string; readonly message: string };

/**
 * Writes files into one folder so that each stands whole under its name or not at all: first under a
 * hidden name, which readers of recorded data pass over, then renamed.
 */
export class WholeFiles {
  /** Whole files, and their bytes. */
  count = 0;
  bytes = 0;
  private readonly folder: string;
  private readonly output: FileOutput;

  /** The folder exists. */
  constructor(folder: string, output: FileOutput = DISK) {
    this.folder = folder;
    this.output = output;
  }

  async write(name: string, content: Uint8Array): Promise<WriteOutcome> {
    const path = join(this.folder, name);
    const unfinished = join(this.folder, `.${name}.unfinished`);
    try {
      await this.output.write(unfinished, content);
      await this.output.rename(unfinished, path);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      await this.removeLeft(unfinished);
      return { status: 'failed', path, message: error.message };
    }
    this.count++;
    this.bytes += content.length;
    return { status: 'ok' };
  }

  /** A disk that took no file may not let go of its part either; readers pass over that. */
  private async removeLeft(path: string): Promise<void> {
    try {
      await this.output.remove(path);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
    }
  }
}
