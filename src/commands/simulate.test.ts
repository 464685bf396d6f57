import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PostLedger } from '../../simulator/posts/post-ledger.ts';
import { createSimulation } from '../../simulator/simulation.ts';
import { SmallMarket } from '../../tests/support/small-market.ts';
import { createRecordedSource } from '../chain/recorded/recorded-source.ts';
import { UsageError } from '../model/errors.ts';
import { simulateCommand } from './simulate.ts';

let folder: string;
let out: string;
let printed: { stdout: string; stderr: string };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mintscope-simulate-'));
  out = join(folder, 'market');
  printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += String(text);
      return true;
    });
  }
});

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  rmSync(folder, { recursive: true });
});

async function run(...args: string[]): Promise<Record<string, unknown>> {
  const command = simulateCommand(silentMarket).exitOverride();
  await command.parseAsync(args, { from: 'user' });
  return args.includes('--json') ? JSON.parse(printed.stdout) : {};
}

/** The stand-in market, without posts. */
function silentMarket({ seed }: { readonly seed: string }) {
  const silence = { posts: new PostLedger(), takePosts: () => [] };
  return Object.assign(new SmallMarket({ seed }), silence);
}

describe('simulate with the whole market', () => {
  test('writes posts, with the ground truth of every line', async () => {
    const market = join(folder, 'market.json');
    writeFileSync(market, JSON.stringify({ launchesPerHour: 3_600, votesPerBlock: 0 }));
    const args = ['--out', out, '--slots', '400', '--preset', 'calm', '--market', market];
    const command = simulateCommand(createSimulation).exitOverride();
    await command.parseAsync([...args, '--posts', '--json'], { from: 'user' });
    const linesOf = (name: string) =>
      readFileSync(join(out, name), 'utf8')
        .split('\n')
        .filter((line) => line !== '');
    const posts = linesOf('posts.jsonl');
    expect(posts.length).toBeGreaterThan(0);
    expect(linesOf('post-truth.jsonl')).toHaveLength(posts.length);
    expect(JSON.parse(printed.stdout)).toMatchObject({ posts: posts.length });
  });

  test.each([
    [{ launchesPerHour: -1 }, /launchesPerHour must be a number from 0/],
    [{ people: { dragon: 3 } }, /people\.dragon is none of casual/],
    [[], /it must be an object/],
  ])('refuses %j naming the field', async (settings, message) => {
    const market = join(folder, 'market.json');
    writeFileSync(market, JSON.stringify(settings));
    const refused = run('--out', out, '--slots', '5', '--market', market);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(UsageError);
  });

  test('refuses a settings file that is missing or not JSON', async () => {
    const args = ['--out', out, '--slots', '5', '--market'];
    await expect(run(...args, join(folder, 'nowhere.json'))).rejects.toThrow(/cannot be read/);
    writeFileSync(join(folder, 'cut.json'), '{');
    await expect(run(...args, join(folder, 'cut.json'))).rejects.toThrow(/cannot be read/);
  });
});

describe('simulate', () => {
  test('writes the canonical blocks, which can be read back, and a summary', async () => {
    const summary = await run('--out', out, '--slots', '50', '--seed', 'a', '--json');
    const source = createRecordedSource([join(out, 'blocks')]);
    const slots: number[] = [];
    for await (const item of source) if (item.kind === 'block') slots.push(item.block.slot);
    const market = new SmallMarket({ seed: 'a' });
    const steps = market.steps(50);
    const kept = steps.filter(({ isCanonical }) => isCanonical).map(({ block }) => block);
    expect(slots).toEqual(kept.map(({ slot }) => slot));
    expect(summary).toMatchObject({
      seed: 'a',
      slots: 50,
      skipped_slots: 50 - steps.length,
      dropped_blocks: steps.length - kept.length,
      blocks: kept.length,
      last_slot: kept.at(-1)?.slot,
      transactions: kept.flatMap((block) => block.transactions.filter(({ isVote }) => !isVote))
        .length,
      files: kept.length,
      labels: null,
    });
    expect(process.exitCode).toBeUndefined();
  });

  test('writes the same bytes for the same seed and different ones for another', async () => {
    const digests = [];
    for (const [name, seed] of Object.entries({ one: 'a', two: 'a', three: 'b' })) {
      const path = join(folder, name);
      await run('--out', path, '--slots', '30', '--seed', seed, '--labels', '--compress', 'gz');
      const hash = createHash('sha256');
      for (const file of readdirSync(path, { recursive: true, withFileTypes: true })) {
        if (file.isFile())
          hash.update(file.name).update(readFileSync(join(file.parentPath, file.name)));
      }
      digests.push(hash.digest('hex'));
    }
    expect(digests[1]).toBe(digests[0]);
    expect(digests[2]).not.toBe(digests[0]);
  });

  test('writes labels outside the folder of blocks', async () => {
    const summary = await run('--out', out, '--slots', '5', '--labels', '--json');
    expect(summary.labels).toBe('labels.json');
    expect(readdirSync(out).sort()).toEqual(['blocks', 'labels.json']);
    const labels: unknown = JSON.parse(readFileSync(join(out, 'labels.json'), 'utf8'));
    expect(labels).toEqual({ format: 1, wallets: {}, attacks: [], benign: [] });
  });

  test.each([
    ['--slots', '0'],
    ['--slots', '-5'],
    ['--slots', '1.5'],
    ['--slots', 'many'],
    ['--slots', '99999999999999'],
    ['--blocks-per-file', '0'],
    ['--blocks-per-file', '10001'],
    ['--encoding', 'borsh'],
    ['--compress', 'rar'],
    ['--preset', 'toString'],
    ['--seed', ''],
  ])('refuses %s %s, names the option and writes nothing', async (option, value) => {
    const refused = await run('--out', out, '--slots', '5', option, value).catch((error) => error);
    expect(refused).toBeInstanceOf(UsageError);
    expect(refused.message).toContain(option);
    expect(() => readdirSync(out)).toThrow();
  });

  test('refuses a folder that is not empty and one that cannot be created', async () => {
    mkdirSync(out);
    writeFileSync(join(out, 'block_400000000.json'), '{}');
    await expect(run('--out', out, '--slots', '5')).rejects.toThrow(
      /--out names a folder that is not empty/,
    );
    const below = join(out, 'block_400000000.json', 'folder');
    await expect(run('--out', below, '--slots', '5')).rejects.toThrow(/--out cannot be used/);
    expect(readdirSync(out)).toEqual(['block_400000000.json']);
  });
});

describe('a full file system', () => {
  test('ends with complete files, exit code 1 and the last slot', async ({ skip }) => {
    const small = join(folder, 'small');
    if (!isMounted(small)) skip('no file system can be mounted here');
    try {
      const path = join(small, 'market');
      const summary = await run('--out', path, '--slots', '500', '--encoding', 'json', '--json');
      expect(process.exitCode).toBe(1);
      expect(printed.stderr).toMatch(/cannot write .*ENOSPC/);
      expect(printed.stderr).toContain(
        `everything up to slot ${summary.last_slot} is in complete files`,
      );
      const slots: number[] = [];
      for await (const item of createRecordedSource([join(path, 'blocks')])) {
        expect(item.kind).toBe('block');
        if (item.kind === 'block') slots.push(item.block.slot);
      }
      expect(slots.length).toBe(summary.blocks);
      expect(slots.length).toBeGreaterThan(1);
      expect(slots.at(-1)).toBe(summary.last_slot);
    } finally {
      execFileSync('umount', [small]);
    }
  });
});

/** Creates an in-memory file system of one megabyte; false without the permission. */
function isMounted(path: string): boolean {
  mkdirSync(path);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path], { stdio: 'ignore' });
    return true;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return false;
  }
}
