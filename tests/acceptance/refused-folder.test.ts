import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RunningCommand, temporaryFolder } from '../support/command-line.ts';

/** Root may write everywhere, and use any folder: as root, the commands run as `nobody`. */
const USER = process.getuid?.() === 0 ? 65_534 : null;

/** Why the commands cannot be run as that user; null if they can. */
const OBSTACLE = USER === null ? null : obstacleOf(USER);

function obstacleOf(user: number): string | null {
  const script = `require('node:fs').accessSync(${JSON.stringify(resolve('src/main.ts'))})`;
  const { status } = spawnSync(process.execPath, ['-e', script], { uid: user, gid: user });
  return status === 0 ? null : `SKIPPED: user ${user} cannot run the commands of this checkout`;
}

/** A folder that anybody may enter and only the user of the tests may write. */
function sharedFolder(): string {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  return folder;
}

/** A data folder of the user who runs the commands, without the right to write. */
function lockedFolder(): string {
  const folder = join(sharedFolder(), 'data');
  mkdirSync(folder);
  if (USER !== null) chownSync(folder, USER, USER);
  chmodSync(folder, 0o500);
  return folder;
}

/** A path that the user who runs the commands may not create. */
function folderBelowLocked(): string {
  const parent = sharedFolder();
  chmodSync(parent, 0o555);
  return join(parent, 'data');
}

/** A folder of root that everybody may write. */
function folderOfRoot(): string {
  const folder = join(sharedFolder(), 'data');
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  return folder;
}

async function run(command: readonly string[], dataDir: string) {
  const args = [...command, '--port', '0', '--data-dir', dataDir];
  return await new RunningCommand(args, {}, USER).finished;
}

describe.each([
  {
    name: 'that cannot be written',
    make: lockedFolder,
    needsRoot: false,
    refusal: /cannot be used \(.*EACCES.*\): name one that can be written\.$/,
    finding: /folder: \S+ cannot be written\. Name another one with --data-dir\.$/m,
  },
  {
    name: 'that cannot be created',
    make: folderBelowLocked,
    needsRoot: false,
    refusal: /cannot be used \(.*EACCES.*\): name one that can be written\.$/,
    finding: /folder: \S+ cannot be written\. Name another one with --data-dir\.$/m,
  },
  {
    name: 'of another user',
    make: folderOfRoot,
    needsRoot: true,
    refusal: /belongs to another user: name one of your own, or change its owner\.$/,
    finding: /folder: \S+ belongs to another user\. Name one of your own .*chown/m,
  },
])('a data folder $name', ({ make, needsRoot, refusal, finding }) => {
  const cannotRun =
    needsRoot && USER === null ? 'SKIPPED: only root can make a folder of another user' : OBSTACLE;

  test('is refused by start in one sentence, with exit code 1', async ({ skip }) => {
    if (cannotRun !== null) skip(cannotRun);
    const dataDir = make();
    const { stdout, stderr, exitCode } = await run(['start', '--no-simulate'], dataDir);
    expect(exitCode).toBe(1);
    expect(stdout).not.toContain('listening');
    const [sentence, ...more] = stderr.trim().split('\n');
    expect(sentence).toMatch(/^mintscope: /);
    expect(sentence).toContain(dataDir);
    expect(sentence).toMatch(refusal);
    expect(more).toEqual([]);
  });

  test('is a failure to doctor, which changes nothing', async ({ skip }) => {
    if (cannotRun !== null) skip(cannotRun);
    const dataDir = make();
    const parent = join(dataDir, '..');
    const before = readdirSync(parent, { recursive: true });
    const { stdout, exitCode } = await run(['doctor'], dataDir);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(finding);
    expect(stdout.split('\n').filter((line) => line.startsWith('fail'))).toHaveLength(1);
    expect(readdirSync(parent, { recursive: true })).toEqual(before);
  });
});
