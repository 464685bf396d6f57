import { spawnSync } from 'node:child_process';
import { statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand, temporaryFolder } from '../support/command-line.ts';
import { fullDisk } from '../support/device-faults.ts';

const disk = temporaryFolder();
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]).status === 0;
if (!isMounted) {
  process.stderr.write('SKIPPED: a start on a full disk; only root can mount one.\n');
}

afterAll(() => {
  if (isMounted) spawnSync('umount', ['-l', disk]);
});

describe.skipIf(!isMounted).each([
  ['without any space', 0],
  // Enough for the lock and not for the database of keys.
  ['with 100 KiB left', 100 * 1_024],
])('a disk %s', (_, leftBytes) => {
  const folder = join(disk, `data-${leftBytes}`);
  const reserve = join(disk, 'reserve');
  const fault = fullDisk(disk);

  beforeAll(() => {
    if (leftBytes > 0) writeFileSync(reserve, Buffer.alloc(leftBytes));
    fault.begin();
    spawnSync('rm', ['-f', reserve]);
    const { bavail, bsize } = statfsSync(disk);
    expect(bavail * bsize).toBeLessThanOrEqual(leftBytes);
    return () => {
      fault.end();
      spawnSync('rm', ['-rf', folder]);
    };
  });

  test('is named by start in one sentence with the way out, and exit code 1', async () => {
    const args = ['start', '--no-simulate', '--port', '0', '--data-dir', folder];
    const { stdout, stderr, exitCode } = await runCommand(args);
    expect(exitCode, stderr).toBe(1);
    const [sentence, ...more] = stderr.trim().split('\n');
    expect(sentence).toMatch(/^mintscope: .*(full|No space left|ENOSPC|NOT_ENOUGH_SPACE)/);
    expect(sentence).toMatch(
      /: free space on the disk of the data folder, or name .*--data-dir\.$/,
    );
    expect(sentence).toContain(disk);
    expect(more).toEqual([]);
    expect(stdout).not.toContain('listens on');
  });

  test('is a failure to doctor, which takes the folder for no other trouble', async () => {
    const { stdout, exitCode } = await runCommand(['doctor', '--port', '0', '--data-dir', folder]);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^fail .*disk: 0\.0 GiB free\. Free some, or name a folder .*--data-dir/m,
    );
    expect(stdout).not.toContain('in use by a running process');
    expect(stdout.split('\n').filter((line) => line.startsWith('fail'))).toHaveLength(1);
  });
});
