import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tests/support/command-line.ts';
import {
  FAKE_S3_KEY,
  FAKE_S3_REGION,
  FAKE_S3_SECRET,
  FakeS3,
  signatureOf,
} from '../../../tests/support/fake-s3.ts';
import { hashFile } from '../../lib/hash-file.ts';
import { StoreError } from '../../model/errors.ts';
import { type BlobStore, BlobTooLarge } from './blob-store.ts';
import { FolderBlobs } from './folder-blobs.ts';
import { S3Blobs, type S3Location } from './s3-blobs.ts';

let s3: FakeS3;
let folder: string;

beforeEach(async () => {
  s3 = await FakeS3.start();
  folder = temporaryFolder();
});

afterEach(() => s3.close());

function bucket(change: Partial<S3Location> = {}): S3Blobs {
  const location = {
    endpoint: s3.endpoint,
    region: FAKE_S3_REGION,
    bucket: 'backups',
    prefix: 'mintscope/a/',
    accessKeyId: FAKE_S3_KEY,
    secretAccessKey: FAKE_S3_SECRET,
  };
  return new S3Blobs({ ...location, ...change }, { attempts: 3, pauseMs: 1 });
}

/** A file to store, with what it contains. */
function fileOf(bytes: string | Uint8Array): string {
  const path = join(folder, `file-${readdirSync(folder).length}`);
  writeFileSync(path, bytes);
  return path;
}

async function put(blobs: BlobStore, key: string, bytes: string | Uint8Array): Promise<void> {
  const path = fileOf(bytes);
  await blobs.put(key, path, hashFile(path));
}

/** The sentence of the StoreError that the work rejects with. */
async function refused(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof StoreError)) throw new Error(`not refused: ${String(error)}`);
  return error.message;
}

const ADAPTERS: readonly (readonly [string, () => BlobStore])[] = [
  ['a folder', () => new FolderBlobs(join(folder, 'blobs'))],
  ['S3', () => bucket()],
];

describe.each(ADAPTERS)('blobs in %s', (_, open) => {
  it('are as they were put, the last put of a key, until they are deleted', async () => {
    const blobs = open();
    const large = Buffer.alloc(3_000_000, 'large ');
    await put(blobs, 'files/a', 'first');
    await put(blobs, 'files/a', large);
    await put(blobs, 'files/empty', '');
    const target = join(folder, 'target');
    const content = await blobs.get('files/a', target, large.length);
    expect(readFileSync(target).equals(large)).toBe(true);
    expect(content).toEqual(hashFile(target));
    expect(await blobs.get('files/empty', join(folder, 'empty'), 0)).toMatchObject({ bytes: 0 });
    await blobs.delete('files/a');
    await blobs.delete('files/a');
    expect(await blobs.get('files/a', join(folder, 'none'), 10)).toBeNull();
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });

  it('are listed by the beginnings of their keys, in order, however many', async () => {
    const blobs = open();
    expect(await blobs.list('')).toEqual([]);
    for (const name of ['c', 'a', 'g', 'e', 'b', 'f', 'd']) await put(blobs, `files/${name}`, name);
    await put(blobs, 'backups/1.json', '{}');
    expect(await blobs.list('files/')).toEqual([...'abcdefg'].map((name) => `files/${name}`));
    expect(await blobs.list('backups/')).toEqual(['backups/1.json']);
  });

  it('with more bytes than are wanted are refused, and leave no file', async () => {
    const blobs = open();
    await put(blobs, 'files/a', 'four');
    await expect(blobs.get('files/a', join(folder, 'part'), 3)).rejects.toThrow(BlobTooLarge);
    expect(existsSync(join(folder, 'part'))).toBe(false);
  });

  it.each(['../a', 'a/../b', '/a', 'a//b', 'A', '', 'a b', 'a/b/c/d/e'])(
    'have no key like %j',
    async (key) => {
      await expect(async () => open().delete(key)).rejects.toThrow(RangeError);
    },
  );
});

describe('a bucket of S3', () => {
  it('refuses a wrong secret, key, region and bucket, with a sentence that has no secret', async () => {
    const sentences = [
      await refused(put(bucket({ secretAccessKey: 'another secret' }), 'files/a', 'x')),
      await refused(bucket({ accessKeyId: 'AKIDOTHER' }).list('')),
      await refused(bucket({ region: 'elsewhere-1' }).list('')),
      await refused(put(bucket({ bucket: 'none' }), 'files/a', 'x')),
    ];
    expect(sentences).toEqual([
      's3://backups/mintscope/a/ refused a request (403, SignatureDoesNotMatch): check the access key, its secret and its rights.',
      's3://backups/mintscope/a/ refused a request (403, InvalidAccessKeyId): check the access key, its secret and its rights.',
      's3://backups/mintscope/a/ refused a request (403, AuthorizationHeaderMalformed): check the access key, its secret and its rights.',
      's3://none/mintscope/a/ refused a request (404, NoSuchBucket): check the address, the region and the bucket.',
    ]);
    expect(s3.objects.size).toBe(0);
  });

  it('is asked again when it fails for a time, and not when it refuses', async () => {
    s3.failures.push(503, null);
    await put(bucket(), 'files/a', 'content');
    expect(s3.objects.get('mintscope/a/files/a')?.toString()).toBe('content');
    s3.failures.push(500, 500, 500);
    expect(await refused(bucket().list(''))).toMatch(/refused a request \(500, no code\)/);
    const before = s3.seen.length;
    await refused(bucket({ secretAccessKey: 'another secret' }).list(''));
    expect(s3.seen.length - before).toBe(1);
  });

  it('says so when nobody answers', async () => {
    const { endpoint } = s3;
    await s3.close();
    expect(await refused(bucket({ endpoint }).list(''))).toMatch(
      /^s3:\/\/backups\/mintscope\/a\/ does not answer/,
    );
    s3 = await FakeS3.start();
  });

  // "Authenticating Requests: Using the Authorization Header" of the S3 API reference.
  it.each([
    [
      '/test.txt',
      { range: 'bytes=0-9' },
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    ['/?lifecycle', {}, 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
    [
      '/?max-keys=2&prefix=J',
      {},
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ],
  ])('is imitated by a server that signs as the examples of AWS: %s', (path, more, signature) => {
    const url = new URL(path, 'https://examplebucket.s3.amazonaws.com');
    const headers = {
      host: url.host,
      'x-amz-content-sha256': hashFile(fileOf('')).sha256,
      'x-amz-date': '20130524T000000Z',
      ...more,
    };
    const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
    const region = 'us-east-1';
    expect(signatureOf({ method: 'GET', url, headers }, { secret, region })).toBe(signature);
  });
});
