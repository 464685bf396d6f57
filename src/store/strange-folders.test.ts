import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/support/command-line.ts';
import { emptySimulatedFolder } from './empty-simulated-folder.ts';
import { openKeys } from './open-keys.ts';
import { openStore } from './store.ts';

/** Names, modes, sizes and bytes of everything in a folder, and its own mode. */
function imageOf(path: string): unknown {
  const entries = readdirSync(path).sort();
  const files = entries.map((name) => {
    const { mode, mtimeMs } = statSync(join(path, name));
    const isFile = statSync(join(path, name)).isFile();
    return { name, mode, mtimeMs, bytes: isFile ? readFileSync(join(path, name), 'hex') : null };
  });
  return { mode: statSync(path).mode, files };
}

/** The error of a start on the folder; its content must be unchanged. */
async function refusalOf(path: string): Promise<string> {
  const before = imageOf(path);
  const refused = await openStore({ dataDir: path }).then(
    async (store) => {
      await store.close();
      return null;
    },
    (error: unknown) => error,
  );
  expect(imageOf(path)).toEqual(before);
  expect(refused).toMatchObject({ name: 'StoreError' });
  return (refused as Error).message;
}

/** A folder with a cleanly closed database of keys, readable by others. */
function dataFolder(change: (control: DatabaseSync) => void = () => undefined): string {
  const path = join(temporaryFolder(), 'data');
  openKeys(path).close();
  using control = new DatabaseSync(join(path, 'control.sqlite'));
  change(control);
  chmodSync(path, 0o755);
  return path;
}

describe('a start on a folder that is not its own (H-06)', () => {
  test('of a newer version says which version to run', async () => {
    const path = dataFolder((control) =>
      control.exec("INSERT INTO schema_migrations VALUES (999, 'later', 'x')"),
    );
    expect(await refusalOf(path)).toMatch(/newer version of Mintscope .*: run that version, or/);
  });

  test('of a diverged version says the same', async () => {
    const path = dataFolder((control) =>
      control.exec("UPDATE schema_migrations SET checksum = 'x' WHERE number = 1"),
    );
    expect(await refusalOf(path)).toMatch(/another migration 1 .*: run the version that wrote it/);
  });

  test('with a database of another program says so', async () => {
    const path = join(temporaryFolder(), 'other');
    mkdirSync(path, { mode: 0o755 });
    const other = new DatabaseSync(join(path, 'control.sqlite'));
    other.exec('CREATE TABLE machines (name TEXT); INSERT INTO machines VALUES (1)');
    other.close();
    expect(await refusalOf(path)).toContain('is of another program: name another data folder');
  });

  test('with other files names one of them', async () => {
    const path = temporaryFolder();
    writeFileSync(join(path, 'holiday.jpg'), '');
    chmodSync(path, 0o755);
    expect(await refusalOf(path)).toContain('holds something else (holiday.jpg)');
  });

  // Root may use any folder.
  test.skipIf(process.getuid?.() !== 0)('of another user says that it has another owner', () => {
    const path = dataFolder();
    const before = imageOf(path);
    const script = `
      process.setgid(65534);
      process.setuid(65534);
      const { prepareDataFolder } = await import('${new URL('./data-folder.ts', import.meta.url)}');
      try { prepareDataFolder(process.argv[1]); } catch (error) { console.log(error.message); }`;
    const node = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script];
    chmodSync(join(path, '..'), 0o755);
    const { stdout, stderr } = spawnSync(process.execPath, [...node, path], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout).toContain('belongs to another user: name one of your own');
    expect(imageOf(path)).toEqual(before);
  });

  test('that is not a folder says so', async () => {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, 'mine');
    await expect(openStore({ dataDir: path })).rejects.toThrow(/cannot be used .*: name one/);
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });
});

describe('a simulated start, which empties its folder (H-06)', () => {
  test.each<[string, (mark: string) => void]>([
    ['no mark', () => undefined],
    ['a mark of other words', (mark) => writeFileSync(mark, 'my notes on the simulated market')],
    ['a folder of the name of the mark', (mark) => mkdirSync(mark)],
    ['a link of the name of the mark', (mark) => symlinkSync('control.sqlite', mark)],
  ])('empties nothing that has data and %s', (_, makeMark) => {
    const path = dataFolder();
    makeMark(join(path, 'simulated-market'));
    const before = imageOf(path);
    expect(() => emptySimulatedFolder(path)).toThrow(/no mark .* move it away/);
    expect(imageOf(path)).toEqual(before);
  });
});

test('no file of the service can be read by others, with any umask', async () => {
  const before = process.umask(0);
  const path = join(temporaryFolder(), 'data');
  try {
    const store = await openStore({ dataDir: path });
    store.keys.list();
    expect(statSync(path).mode & 0o077).toBe(0);
    for (const name of readdirSync(path).filter((entry) => entry.includes('control.sqlite'))) {
      expect([name, statSync(join(path, name)).mode & 0o077]).toEqual([name, 0]);
    }
    expect(readdirSync(path)).toContain('control.sqlite-wal');
    await store.close();
  } finally {
    process.umask(before);
    rmSync(path, { recursive: true, force: true });
  }
});
