import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tests/support/command-line.ts';
import {
  FAKE_S3_KEY,
  FAKE_S3_REGION,
  FAKE_S3_SECRET,
  FakeS3,
} from '../../../tests/support/fake-s3.ts';
import { asSlot } from '../../model/units.ts';
import { S3Blobs } from '../blobs/s3-blobs.ts';
import {
  type BackupManifest,
  encodeManifest,
  MANIFEST_FILE,
  readManifest,
} from './backup-manifest.ts';
import { fetchBackup, pushBackup } from './stored-backups.ts';

const VERSION = '1.2.3';

let s3: FakeS3;
let blobs: S3Blobs;
let work: string;
let fetches: number;

beforeEach(async () => {
  s3 = await FakeS3.start();
  work = temporaryFolder();
  fetches = 0;
  const location = {
    endpoint: s3.endpoint,
    region: FAKE_S3_REGION,
    bucket: 'backups',
    prefix: '',
    accessKeyId: FAKE_S3_KEY,
    secretAccessKey: FAKE_S3_SECRET,
  };
  blobs = new S3Blobs(location, { attempts: 2, pauseMs: 1 });
});

afterEach(() => s3.close());

interface Content {
  readonly slot: number;
  readonly files: Readonly<Record<string, string>>;
  readonly version?: string;
}

/** A backup in a folder, of files with these contents. */
function backupOf({ slot, files, version = VERSION }: Content): [string, BackupManifest] {
  const folder = join(work, `backup-${slot}`);
  const entries = Object.entries(files).map(([path, text]) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    return { path, bytes: Buffer.byteLength(text), sha256 };
  });
  const content = {
    ...{ version, created_at: '2026-11-27T10:00:00.000Z', slot: asSlot(slot), files: entries },
    folders: ['clickhouse'],
    links: [
      { path: 'clickhouse/table', target: '../store/abc/00000000-0000-0000-0000-000000000000' },
    ],
  };
  writeFileSync(join(folder, MANIFEST_FILE), encodeManifest(content));
  return [folder, readManifest(folder, version)];
}

const push = (content: Content) => pushBackup(blobs, ...backupOf(content));

/** What is fetched: the manifest, the sentences, and the texts of its files. */
async function fetched() {
  const folder = join(work, `fetched-${++fetches}`);
  const sentences: string[] = [];
  const manifest = await fetchBackup(blobs, { folder, version: VERSION }, (each) =>
    sentences.push(each),
  );
  const texts = (manifest?.files ?? []).map(({ path }) => readFileSync(join(folder, path), 'utf8'));
  return { slot: manifest?.slot ?? null, sentences, texts };
}

const OLD: Content = { slot: 900, files: { 'control.sqlite': 'old', 'clickhouse/a': 'part a' } };
const NEW: Content = {
  slot: 1_200,
  files: { 'control.sqlite': 'new', 'clickhouse/a': 'part a', 'clickhouse/b': 'part b' },
};

const objectOf = (text: string) => `files/${createHash('sha256').update(text).digest('hex')}`;

describe('stored backups', () => {
  it('are fetched as they were, the newest first, and nothing is sent twice', async () => {
    expect(await push(OLD)).toMatchObject({ files: 2, bytes: 9 });
    expect(await push(NEW)).toMatchObject({ files: 2, bytes: 9 });
    expect(await fetched()).toEqual({
      slot: 1_200,
      sentences: [],
      texts: ['new', 'part a', 'part b'],
    });
    expect(s3.seen.filter(({ path }) => path.endsWith(objectOf('part a')))).toHaveLength(2);
    expect(existsSync(join(work, 'fetched-1', MANIFEST_FILE))).toBe(true);
  });

  it('are none where there are none', async () => {
    expect(await fetched()).toEqual({ slot: null, sentences: [], texts: [] });
  });

  it('are not there when they were interrupted, and are completed by the next', async () => {
    await push(OLD);
    s3.onPut = (key) => {
      if (key === objectOf('part b')) s3.failures.push(500, 500);
    };
    await expect(
      push({ ...NEW, files: { ...NEW.files, 'clickhouse/c': 'part c' } }),
    ).rejects.toThrow(/refused a request \(500/);
    expect((await fetched()).slot).toBe(900);
    s3.onPut = () => undefined;
    const more = { ...NEW.files, 'clickhouse/c': 'part c' };
    // Of the others, what was sent before the interruption is there.
    expect(await push({ ...NEW, slot: 1_300, files: more })).toMatchObject({ files: 1 });
    expect(await fetched()).toMatchObject({
      slot: 1_300,
      texts: ['new', 'part a', 'part b', 'part c'],
    });
  });

  it.each([
    ['differs', (key: string) => s3.objects.set(key, Buffer.from('part x'))],
    ['is longer', (key: string) => s3.objects.set(key, Buffer.from('part b and more'))],
    ['is shorter', (key: string) => s3.objects.set(key, Buffer.from('part'))],
    ['is missing', (key: string) => s3.objects.delete(key)],
  ])('with an object that %s are left for an earlier one', async (_, damage) => {
    await push(OLD);
    const { key } = await push(NEW);
    damage(objectOf('part b'));
    const { slot, sentences, texts } = await fetched();
    expect([slot, texts]).toEqual([900, ['old', 'part a']]);
    expect(sentences).toEqual([
      expect.stringMatching(
        new RegExp(
          `^The backup ${key} of s3://backups/ is not used: clickhouse/b (differs|is missing)`,
        ),
      ),
    ]);
  });

  it('of a newer version, and with an altered description, are left for an earlier one', async () => {
    await push(OLD);
    await push({ ...NEW, slot: 1_100, version: '1.3.0' });
    const { key } = await push(NEW);
    s3.objects.set(key, Buffer.from(String(s3.objects.get(key)).replace('1200', '1201')));
    const { slot, sentences } = await fetched();
    expect(slot).toBe(900);
    expect(sentences).toEqual([
      expect.stringMatching(/differs from what was written/),
      expect.stringMatching(/was made by Mintscope "1\.3\.0", this is 1\.2\.3/),
    ]);
  });

  it('are refused with what to do when none can be used, and leave no folder', async () => {
    await push(OLD);
    s3.objects.delete(objectOf('part a'));
    await expect(fetched()).rejects.toThrow(/can be used: make another one.*--to-store/);
    expect(readdirSync(work).filter((name) => name.startsWith('fetched'))).toEqual([]);
  });

  it('end the fetching when the place fails, rather than being taken for damaged', async () => {
    await push(OLD);
    await push(NEW);
    const isFetched = () => s3.seen.some(({ path }) => path.endsWith(objectOf('new')));
    const fetching = fetched();
    while (!isFetched()) await new Promise((resolve) => setImmediate(resolve));
    s3.failures.push(503, 503);
    await expect(fetching).rejects.toThrow(/refused a request \(503/);
    expect(readdirSync(work).filter((name) => name.startsWith('fetched'))).toEqual([]);
  });
});
