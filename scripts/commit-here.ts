import { spawnSync } from 'node:child_process';

/** The commit of the working tree, marked when it has changes; null outside of a repository. */
export function commitHere(): string | null {
  const { status, stdout } = spawnSync('git', ['describe', '--always', '--dirty', '--exclude=*'], {
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : null;
}
