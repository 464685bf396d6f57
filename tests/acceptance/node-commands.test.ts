import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lockFolder } from '../../src/store/control/folder-lock.ts';
import { dataFolderAt } from '../../src/store/data-folder.ts';
import { openKeys } from '../../src/store/open-keys.ts';
import { RunningCommand, runCommand, temporaryFolder } from '../support/command-line.ts';
import { FakePlatform, ok } from '../support/fake-platform.ts';
import { FollowedChain, WatchedFaults } from '../support/followed-chain.ts';
import { SOON_MS } from '../support/slow-machine.ts';

const FROM = 1_020;
const TO = 1_120;

const root = temporaryFolder();
let folders = 0;

/** A path that is removed with the others when the test process ends. */
function newFolder(): string {
  return join(root, String(++folders));
}

async function startChain(faults = new WatchedFaults()): Promise<FollowedChain> {
  const market = { skipRate: 0.1 };
  return await FollowedChain.start({ slots: 200, market, nodes: [{ faults }, {}] });
}

interface RangeArguments {
  readonly chain: FollowedChain;
  readonly folder: string;
  readonly from?: number;
  readonly to?: number;
  /** Index of the chain's node that is queried. */
  readonly node?: number;
  readonly perSecond?: number;
}

function argumentsOf(command: string, given: RangeArguments): string[] {
  const { chain, folder, from = FROM, to = TO, node = 0, perSecond = 1_000 } = given;
  const url = chain.endpoints[node]?.url ?? '';
  const range = ['--from', String(from), '--to', String(to)];
  const rate = ['--rpc-requests-per-second', String(perSecond)];
  return [command, ...range, '--data-dir', folder, '--rpc-url', url, ...rate, '--json'];
}

interface Backfilled {
  readonly range: Readonly<Record<string, number>>;
  readonly added: { readonly slots: number };
  readonly digest: string;
  readonly bundle_answers: Readonly<Record<string, number>> | null;
}

/** Runs a backfill that must succeed. */
async function backfill(given: RangeArguments): Promise<Backfilled> {
  const { stdout, stderr, exitCode } = await runCommand(argumentsOf('backfill', given));
  if (exitCode !== 0) throw new Error(`exit ${exitCode}: ${stdout}${stderr}`);
  return JSON.parse(stdout) as Backfilled;
}

/** Blocks that the simulator made in the range. */
function blocksOf(chain: FollowedChain, from = FROM, to = TO): number {
  return chain.canonical.filter(({ block }) => block.slot >= from && block.slot <= to).length;
}

describe('backfill', () => {
  test('stores a complete range, and its parts in any order give the same digest', async () => {
    const faults = new WatchedFaults();
    await using chain = await startChain(faults);
    const atOnce = newFolder();
    const whole = await backfill({ chain, folder: atOnce });
    const held = blocksOf(chain);
    const skipped = TO - FROM + 1 - held;
    expect(whole.range).toEqual({ held, skipped, missing: 0, unknown: 0 });
    expect(whole.added.slots).toBe(held);

    const folder = newFolder();
    await backfill({ chain, folder, from: 1_080, to: TO });
    await backfill({ chain, folder, from: FROM, to: 1_040 });
    const last = await backfill({ chain, folder });
    expect(last.added.slots).toBe(blocksOf(chain, 1_041, 1_079));
    expect(last.range).toEqual(whole.range);
    expect(last.digest).toBe(whole.digest);

    faults.arrivalsMs.length = 0;
    const again = await backfill({ chain, folder });
    expect(again.added.slots).toBe(0);
    expect(again.digest).toBe(whole.digest);
    // At most one request: for the slots that are final.
    expect(faults.arrivalsMs.length).toBeLessThanOrEqual(1);
  });

  test('asks a bundle explorer once for each slot that it stores, and says how it answered', async () => {
    await using chain = await startChain();
    const explorer = await FakePlatform.start(() => performance.now());
    explorer.handle = ({ path }) => (path.endsWith('5') ? ok('nonsense') : ok([]));
    const given = { chain, folder: newFolder(), to: FROM + 30 };
    const url = ['--bundle-explorer-url', explorer.url];
    const rate = ['--bundle-explorer-requests-per-second', '1000'];
    const { stdout } = await runCommand([...argumentsOf('backfill', given), ...url, ...rate]);
    await explorer.close();
    const slots = chain.canonical
      .map(({ block }) => block.slot)
      .filter((slot) => slot >= FROM && slot <= FROM + 30);
    const asked = explorer.requests.map(({ path }) => path);
    expect(asked).toEqual(slots.map((slot) => `/api/v1/bundles/slot/${slot}`));
    const failed = slots.filter((slot) => slot % 10 === 5).length;
    expect(failed).toBeGreaterThan(0);
    expect((JSON.parse(stdout) as Backfilled).bundle_answers).toEqual({
      known: slots.length - failed,
      unknown: 0,
      failed,
      late: 0,
    });
  });

  test('stopped by a signal keeps its slots and prints the command that completes the range', async () => {
    await using chain = await startChain();
    const folder = newFolder();
    const slow = new RunningCommand(argumentsOf('backfill', { chain, folder, perSecond: 10 }));
    await slow.shows(/[1-9]\d* of \d+ slots, .* left, \d+ transactions/);
    slow.process.kill('SIGINT');
    const { exitCode, stderr, stdout } = await slow.finished;
    expect(exitCode).toBe(130);
    expect(stderr).toContain(`run "mintscope backfill --from ${FROM} --to ${TO}" again to go on`);
    const partly = JSON.parse(stdout) as Backfilled;
    expect(partly.added.slots).toBeGreaterThan(0);
    expect(partly.range.unknown).toBeGreaterThan(0);
    const rest = await backfill({ chain, folder });
    expect(partly.added.slots + rest.added.slots).toBe(blocksOf(chain));
    expect(rest.digest).toBe((await backfill({ chain, folder: newFolder() })).digest);
  });

  test('lists slots that no node has, exits with 1, and gets them later from another node', async () => {
    await using chain = await FollowedChain.start({
      slots: 200,
      nodes: [{ options: { windowSlots: 140 } }, {}],
    });
    const folder = newFolder();
    const first = await runCommand(argumentsOf('backfill', { chain, folder }));
    expect(first.exitCode).toBe(1);
    expect(first.stderr).toMatch(/^slots 1020 to \d+ are missing: .*rpc -32001/m);
    expect(first.stderr).toContain('The range is not whole');
    const second = await backfill({ chain, folder, node: 1 });
    expect(second.range.missing).toBe(0);
    expect(second.digest).toBe((await backfill({ chain, folder: newFolder(), node: 1 })).digest);
  });

  test('refuses a folder that a running process uses', async () => {
    await using chain = await startChain();
    const folder = newFolder();
    openKeys(folder).close();
    const lock = lockFolder(folder, dataFolderAt(folder).lockFile);
    for (const command of ['backfill', 'audit']) {
      const { exitCode, stderr } = await runCommand(argumentsOf(command, { chain, folder }));
      expect(exitCode).toBe(1);
      expect(stderr).toContain('is in use by another process: stop that one first');
    }
    lock.release();
  });

  test.each([
    [['backfill', '--to', '5'], '--from is required'],
    [['backfill', '--from', '9', '--to', '5'], '--from 9 is after --to 5'],
    [['backfill', '--from', '1', '--to', '5'], 'No RPC node is configured'],
    [['audit'], 'Name recorded files, or a range of slots'],
    [['audit', 'x.json', '--from', '1'], 'Name recorded files, or a range of slots'],
    [['audit', '--from', '1', '--to', '5'], 'No second source is configured'],
  ])('%j is refused with one sentence', async (args, message) => {
    const { exitCode, stderr } = await runCommand([...args, '--data-dir', newFolder()]);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });
});

describe('audit of a range', () => {
  test('finds no difference to a node of the same chain, and some to another chain', async () => {
    await using chain = await startChain();
    const folder = newFolder();
    await backfill({ chain, folder });
    const same = await runCommand(argumentsOf('audit', { chain, folder, node: 1 }));
    expect(JSON.parse(same.stdout)).toMatchObject({
      compared_slots: blocksOf(chain),
      differing: [],
      uncompared: [],
      clean: true,
    });
    expect(same.exitCode).toBe(0);

    await using other = await FollowedChain.start({ slots: 200, market: { seed: 'other' } });
    const { exitCode, stdout } = await runCommand(
      argumentsOf('audit', { chain: other, folder, to: FROM + 5 }),
    );
    expect(exitCode).toBe(1);
    const [first] = (JSON.parse(stdout) as { differing: { differences: string[] }[] }).differing;
    expect(first?.differences).toContain('another blockhash');
  });
});

describe('doctor', () => {
  test('prints a line for each check and exits with 0 when the node answers', async () => {
    await using chain = await startChain();
    const dataDir = newFolder();
    const url = chain.endpoints[0]?.url ?? '';
    const args = ['doctor', '--port', '0', '--data-dir', dataDir, '--rpc-url', url];
    const { stdout, exitCode } = await runCommand(args);
    expect(stdout).toMatch(/^ok {4}127\.0\.0\.1:\d+ {2}version: runs 3\.0\.6$/m);
    expect(stdout).toMatch(/^ok {4}this machine {2}folder: .* can be made$/m);
    expect(stdout).toMatch(/^\w+ +this machine {2}state memory: /m);
    expect(stdout).toMatch(/^\w+ +this machine {2}growth: /m);
    expect(stdout.trim().split('\n')).toHaveLength(17);
    expect(exitCode).toBe(0);
  });

  test('exits with 1 within seconds when nothing listens at the address', async () => {
    const startMs = performance.now();
    const url = 'http://127.0.0.1:9/my-secret-key';
    const args = ['doctor', '--port', '0', '--data-dir', newFolder(), '--rpc-url', url, '--json'];
    const { stdout, stderr, exitCode } = await runCommand(args);
    expect(performance.now() - startMs).toBeLessThan(SOON_MS);
    expect(exitCode).toBe(1);
    expect(stdout + stderr).not.toContain('secret');
    expect(JSON.parse(stdout)).toMatchObject({
      is_healthy: false,
      findings: [
        { status: 'fail', subject: '127.0.0.1:9', check: 'reachable' },
        ...Array.from({ length: 8 }, () => ({ subject: 'this machine' })),
      ],
    });
  });
});
