import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runCommand, temporaryFolder } from '../../tests/support/command-line.ts';
import {
  FAKE_S3_KEY,
  FAKE_S3_REGION,
  FAKE_S3_SECRET,
  FakeS3,
} from '../../tests/support/fake-s3.ts';
import { FolderBlobs } from '../store/blobs/folder-blobs.ts';
import { openStore } from '../store/store.ts';
import { beginWithBackup } from './begin-with-backup.ts';

let original: string;
let originalId: string;

beforeAll(async () => {
  original = temporaryFolder();
  const store = await openStore({ dataDir: original });
  originalId = store.id;
  await store.close();
});

const idOf = async (dataDir: string) => {
  const store = await openStore({ dataDir });
  const { id } = store;
  await store.close();
  return id;
};

test('a backup that a command stored is what another, empty folder begins with', async () => {
  const place = join(temporaryFolder(), 'backups');
  const command = [
    'backup',
    '--to-store',
    '--backup-store',
    place,
    '--data-dir',
    original,
    '--json',
  ];
  const first = await runCommand(command);
  expect(first.stderr).not.toMatch(/mintscope:/);
  expect(first.exitCode).toBe(0);
  const { files, sent } = JSON.parse(first.stdout);
  expect(sent.files).toBeGreaterThan(0);
  expect(sent.files).toBeLessThanOrEqual(files);
  expect(readdirSync(original)).not.toContain('backup-upload');
  const again = JSON.parse((await runCommand(command)).stdout);
  expect(again.sent.files).toBeLessThan(sent.files);

  const dataDir = join(temporaryFolder(), 'new');
  const sentences: string[] = [];
  const blobs = new FolderBlobs(place);
  await beginWithBackup(blobs, dataDir, (sentence) => sentences.push(sentence));
  expect(sentences.at(-1)).toBe('The backup as of slot none was restored.');
  expect(existsSync(join(dataDir, 'fetched'))).toBe(false);
  expect(await idOf(dataDir)).toBe(originalId);

  // A folder that has data is left alone.
  await beginWithBackup(blobs, dataDir, () => {
    throw new Error('something was said');
  });
});

test('a folder begins empty where no backup is stored, and after a fetch that was killed', async () => {
  const dataDir = temporaryFolder();
  const sentences: string[] = [];
  const blobs = new FolderBlobs(join(temporaryFolder(), 'none'));
  await beginWithBackup(blobs, dataDir, (sentence) => sentences.push(sentence));
  expect(sentences.at(-1)).toMatch(/has no backup: the replica begins with the stream\.$/);
  expect(readdirSync(dataDir)).toEqual([]);
});

test('a bucket is used with credentials only, and they are in no message', async () => {
  const s3 = await FakeS3.start();
  const command = ['backup', '--to-store', '--data-dir', original];
  const settings = {
    MINTSCOPE_BACKUP_STORE: 's3://backups/mintscope',
    MINTSCOPE_BACKUP_ENDPOINT: s3.endpoint,
    MINTSCOPE_BACKUP_REGION: FAKE_S3_REGION,
  };
  const without = await runCommand(command, settings);
  expect([without.exitCode, without.stdout]).toEqual([2, '']);
  expect(without.stderr).toMatch(/need an access key: set MINTSCOPE_BACKUP_ACCESS_KEY_ID and/);
  const wrongSecret = 'not-the-secret-of-the-key';
  const wrong = await runCommand(command, {
    ...settings,
    MINTSCOPE_BACKUP_ACCESS_KEY_ID: FAKE_S3_KEY,
    MINTSCOPE_BACKUP_SECRET_ACCESS_KEY: wrongSecret,
  });
  expect(wrong.exitCode).toBe(1);
  expect(wrong.stderr).toMatch(/refused a request \(403, SignatureDoesNotMatch\)/);
  expect(`${wrong.stdout}${wrong.stderr}`).not.toMatch(
    new RegExp(`${wrongSecret}|${FAKE_S3_KEY}|AWS4-HMAC`),
  );
  const right = await runCommand(command, {
    ...settings,
    AWS_ACCESS_KEY_ID: FAKE_S3_KEY,
    AWS_SECRET_ACCESS_KEY: FAKE_S3_SECRET,
  });
  expect(right.stderr).not.toMatch(/mintscope:/);
  expect(right.exitCode).toBe(0);
  expect([...s3.objects.keys()].some((key) => key.startsWith('mintscope/backups/'))).toBe(true);
  expect(`${right.stdout}${right.stderr}`).not.toContain(FAKE_S3_SECRET);
  await s3.close();
});

test('a folder that holds something else is not filled', async () => {
  const place = join(temporaryFolder(), 'backups');
  await runCommand(['backup', '--to-store', '--backup-store', place, '--data-dir', original]);
  const dataDir = temporaryFolder();
  writeFileSync(join(dataDir, 'letter.txt'), 'dear');
  await expect(beginWithBackup(new FolderBlobs(place), dataDir, () => undefined)).rejects.toThrow(
    /is not empty \(letter\.txt\)/,
  );
  expect(readdirSync(dataDir)).toEqual(['letter.txt']);
});
