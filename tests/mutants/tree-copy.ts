import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Mutant, noLongerFits, plant } from './mutant.ts';

/**
 * A copy of the working tree in a temporary folder, as git sees it: tracked and new files, with the
 * installed packages linked. Defects are planted in it and never in the tree itself.
 */
export class TreeCopy {
  readonly path: string;

  constructor(root: string) {
    this.path = mkdtempSync(join(tmpdir(), 'mintscope-mutants-'));
    // Permissions of a normal working tree: some tests run as another user.
    chmodSync(this.path, 0o755);
    const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const names = execFileSync('git', list, { cwd: root, maxBuffer: 2 ** 26 }).toString();
    for (const name of names.split('\0')) {
      const from = join(root, name);
      // A link to a shared folder of packages is listed unless it is excluded.
      if (name === '' || name === 'node_modules' || !existsSync(from)) continue;
      const to = join(this.path, name);
      mkdirSync(dirname(to), { recursive: true });
      copyFileSync(from, to);
    }
    symlinkSync(realpathSync(resolve(root, 'node_modules')), join(this.path, 'node_modules'));
  }

  /** Plants the mutant while `work` runs. Throws when it does not fit. */
  async with<Result>(mutant: Mutant, work: () => Promise<Result>): Promise<Result> {
    const path = join(this.path, mutant.file);
    const text = readFileSync(path, 'utf8');
    const planted = plant(text, mutant);
    if (planted === null) throw new Error(noLongerFits(mutant, text));
    writeFileSync(path, planted);
    try {
      return await work();
    } finally {
      writeFileSync(path, text);
    }
  }

  /** Changes files for good, each text where it occurs once. Throws Error for one that does not. */
  edit(edits: readonly Pick<Mutant, 'file' | 'find' | 'replace'>[]): void {
    for (const { file, find, replace } of edits) {
      const path = join(this.path, file);
      const text = readFileSync(path, 'utf8');
      const [before, after, ...more] = text.split(find);
      if (before === undefined || after === undefined || more.length > 0) {
        throw new Error(`${JSON.stringify(find)} does not occur exactly once in ${file}.`);
      }
      writeFileSync(path, before + replace + after);
    }
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
