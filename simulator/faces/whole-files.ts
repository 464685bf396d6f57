import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The file-system operations that writing needs; whatever they throw becomes the outcome of the
 * file.
 */
export interface FileOutput {
  readonly write: (path: string, content: Uint8Array) => Promise<void>;
  readonly rename: (from: string, to: string) => Promise<void>;
  /** Must not fail if the file does not exist. */
  readonly remove: (path: string) => Promise<void>;
}

const DISK: FileOutput = {
  write: (path, content) => writeFile(path, content),
  rename,
  remove: (path) => rm(path, { force: true }),
};

export type WriteOutcome =
  | { readonly status: 'ok' }
  /** The new file was not created; files written before remain. */
  | { readonly status: 'failed'; readonly path: string; readonly message: string };

/**
 * Writes files into one folder atomically: each is written under a hidden name, which readers of
 * recorded data ignore, and then renamed.
 */
export class WholeFiles {
  /** Number of complete files, and their bytes. */
  count = 0;
  bytes = 0;
  private readonly folder: string;
  private readonly output: FileOutput;

  /** The folder must exist. */
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

  /**
   * A disk that rejected the file may also fail to remove its partial copy; readers ignore that
   * copy.
   */
  private async removeLeft(path: string): Promise<void> {
    try {
      await this.output.remove(path);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
    }
  }
}
