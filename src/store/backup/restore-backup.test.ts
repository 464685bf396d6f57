import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/command-line.ts';
import { StoreError } from '../../model/errors.ts';
import { openStore } from '../store.ts';
import { encodeManifest, MANIFEST_FILE, readManifest } from './backup-manifest.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup, verifyBackup } from './restore-backup.ts';

const VERSION = '1.2.3';
const nowMs = () => Date.UTC(2026, 0, 1);

let made: string;

beforeAll(async () => {
  const dataDir = temporaryFolder();
  await (await openStore({ dataDir })).close();
  made = join(temporaryFolder(), 'backup');
  await makeBackup({ dataDir, target: made, version: VERSION, nowMs });
});

/** A copy of the backup that a test may damage. */
function copyOfBackup(): string {
  const copy = join(temporaryFolder(), 'copy');
  cpSync(made, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** The sentence with which a backup is refused; the new data folder must not have anything then. */
function refusal(backup: string, version = VERSION): string {
  const dataDir = join(temporaryFolder(), 'restored');
  const refused = [
    () => restoreBackup({ backup, dataDir, version }),
    () => verifyBackup({ backup, version }),
  ];
  const sentences = refused.map((work) => {
    try {
      work();
    } catch (error) {
      if (error instanceof StoreError) return error.message.replaceAll(backup, 'BACKUP');
      throw error;
    }
    throw new Error('the backup was accepted');
  });
  if (existsSync(dataDir)) expect(readdirSync(dataDir)).toEqual([]);
  expect(sentences[0]).toBe(sentences[1]);
  return sentences[0] ?? '';
}

/** Replaces the manifest by one that is whole, with some of its content changed. */
function rewrite(backup: string, change: (manifest: Record<string, unknown>) => void): void {
  const { format: _format, sha256: _sha256, ...content } = readManifest(backup, VERSION);
  const changed = structuredClone(content) as Record<string, unknown>;
  change(changed);
  writeFileSync(join(backup, MANIFEST_FILE), encodeManifest(changed as never));
}

describe('a backup (H-11)', () => {
  test('that is whole is restored file by file', () => {
    const dataDir = join(temporaryFolder(), 'restored');
    const manifest = restoreBackup({ backup: made, dataDir, version: VERSION });
    expect(readdirSync(dataDir).sort()).toEqual(
      readdirSync(made)
        .filter((name) => name !== MANIFEST_FILE)
        .sort(),
    );
    for (const { path } of manifest.files) {
      expect(readFileSync(join(dataDir, path)).equals(readFileSync(join(made, path)))).toBe(true);
    }
  });

  test('without its manifest is refused: it was never completed', () => {
    const backup = copyOfBackup();
    rmSync(join(backup, MANIFEST_FILE));
    expect(refusal(backup)).toMatch(/^BACKUP is no complete backup .* make another one/);
  });

  test('with a truncated, a longer or a missing file is refused before anything is copied', () => {
    const file = 'control.sqlite';
    const shorter = copyOfBackup();
    truncateSync(join(shorter, file), 4_096);
    expect(refusal(shorter)).toMatch(
      /^The backup BACKUP is not complete \(control\.sqlite has 4096 bytes/,
    );
    const longer = copyOfBackup();
    appendFileSync(join(longer, file), 'x');
    expect(refusal(longer)).toContain('is not complete (control.sqlite has');
    const without = copyOfBackup();
    rmSync(join(without, file));
    expect(refusal(without)).toContain('is not complete (control.sqlite is missing)');
  });

  test('with one other bit in a file is refused, which is named', () => {
    const { files } = readManifest(made, VERSION);
    const backup = copyOfBackup();
    for (const { path, bytes } of files.filter((file) => file.bytes > 0).slice(-12)) {
      const content = readFileSync(join(backup, path));
      const altered = Buffer.from(content);
      altered[bytes - 1] = (altered[bytes - 1] ?? 0) ^ 1;
      writeFileSync(join(backup, path), altered);
      expect(refusal(backup)).toContain(`was altered or is damaged (${path} differs`);
      writeFileSync(join(backup, path), content);
    }
  });

  test('with an altered manifest is refused, wherever the change is', () => {
    const text = readFileSync(join(made, MANIFEST_FILE), 'utf8');
    const backup = copyOfBackup();
    for (let at = 0; at < text.length - 1; at += 53) {
      const other = text[at] === '0' ? '1' : '0';
      writeFileSync(join(backup, MANIFEST_FILE), text.slice(0, at) + other + text.slice(at + 1));
      expect(refusal(backup)).toMatch(/differs from what was written|was made by Mintscope/);
    }
  });

  test('of a newer version is refused, one of an older version is not', () => {
    const backup = copyOfBackup();
    rewrite(backup, (manifest) => {
      manifest.version = '1.10.0';
    });
    expect(refusal(backup)).toBe(
      'The backup BACKUP was made by Mintscope "1.10.0", this is 1.2.3: restore it with that ' +
        'version or a later one.',
    );
    expect(verifyBackup({ backup, version: '1.10.0' }).version).toBe('1.10.0');
    expect(verifyBackup({ backup, version: '2.0.0' }).version).toBe('1.10.0');
  });

  test('whose manifest names files elsewhere is refused', () => {
    const places: [string, string][] = [
      ['files', '../outside'],
      ['files', '/etc/passwd'],
      ['files', 'clickhouse/../../outside'],
      ['folders', '..'],
    ];
    for (const [list, path] of places) {
      const backup = copyOfBackup();
      rewrite(backup, (manifest) => {
        const first = list === 'files' ? { path, bytes: 0, sha256: '0'.repeat(64) } : path;
        manifest[list] = [first, ...(manifest[list] as unknown[])];
      });
      expect(refusal(backup)).toContain('differs from what was written');
    }
    const backup = copyOfBackup();
    rewrite(backup, (manifest) => {
      manifest.links = [{ path: 'clickhouse/data/mintscope', target: '/etc' }];
    });
    expect(refusal(backup)).toContain('differs from what was written');
  });

  test('is not restored into a folder with anything in it, nor made into one', async () => {
    const dataDir = temporaryFolder();
    writeFileSync(join(dataDir, 'mine'), 'text');
    const restore = () => restoreBackup({ backup: made, dataDir, version: VERSION });
    expect(restore).toThrow(/into an empty folder, and .* is not empty \(mine\): name another/);
    expect(readdirSync(dataDir)).toEqual(['mine']);
    const request = { dataDir: made, target: dataDir, version: VERSION, nowMs };
    await expect(makeBackup(request)).rejects.toThrow(/The backup needs an empty folder/);
  });

  test('that the operating system does not permit ends in a sentence with the way out', async () => {
    const nowhere = '/proc/no-such-folder';
    const dataDir = temporaryFolder();
    await (await openStore({ dataDir })).close();
    const request = { dataDir, target: nowhere, version: VERSION, nowMs };
    await expect(makeBackup(request)).rejects.toThrow(/^The backup failed \(.*run it as the user/);
    const restore = () => restoreBackup({ backup: made, dataDir: nowhere, version: VERSION });
    expect(restore).toThrow(/^The backup cannot be restored into .* name a folder with room/);
  });

  test('of a folder without data is refused', async () => {
    const dataDir = temporaryFolder();
    const request = { dataDir, target: join(dataDir, 'backup'), version: VERSION, nowMs };
    await expect(makeBackup(request)).rejects.toThrow(/There is no data folder .*--data-dir/);
  });

  test('that is copied to another file system is the same and leaves nothing behind', async () => {
    const dataDir = temporaryFolder();
    await (await openStore({ dataDir })).close();
    const before = readdirSync(dataDir).sort();
    const target = join(temporaryFolder(), 'deep', 'backup');
    mkdirSync(join(target, '..'));
    const backup = await makeBackup({ dataDir, target, version: VERSION, isCopied: true, nowMs });
    expect(backup.isLinked).toBe(false);
    expect(readdirSync(dataDir).sort()).toEqual(before);
    verifyBackup({ backup: target, version: VERSION });
  });
});
