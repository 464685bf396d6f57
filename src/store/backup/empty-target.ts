import { readdirSync } from 'node:fs';
import { isSystemError } from '../../lib/transient-error.ts';
import { StoreError } from '../../model/errors.ts';

/**
 * Throws StoreError unless the folder is empty, but for `allowed`, or does not exist. `need` begins
 * the sentence.
 */
export function assertEmptyTarget(path: string, need: string, allowed?: string): void {
  const [first] = entriesOf(path).filter((name) => name !== allowed);
  if (first === undefined) return;
  throw new StoreError(
    `${need} an empty folder, and ${path} is not empty (${first}): name another one, or empty it.`,
  );
}

function entriesOf(path: string): string[] {
  try {
    // A file system of its own has this folder from the beginning.
    return readdirSync(path).filter((name) => name !== 'lost+found');
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return [];
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError(`The folder ${path} cannot be used (${reason}): name another one.`);
  }
}
