import { openAsBlob } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import type { FileContent } from '../../lib/hash-file.ts';
import { isSystemError } from '../../lib/transient-error.ts';
import { StoreError } from '../../model/errors.ts';
import { assertBlobKey, type BlobStore, isBlobKey, KEYS_MAX } from './blob-store.ts';
import { writeBlob } from './write-blob.ts';

export interface S3Location {
  /** Such as https://s3.eu-central-1.amazonaws.com; the bucket is the first part of the path. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Before all keys; empty or with a slash at its end. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface S3Timing {
  readonly attempts: number;
  readonly pauseMs: number;
  /** Of one request, with its body. */
  readonly requestMs: number;
}

const TIMING: S3Timing = { attempts: 4, pauseMs: 1_000, requestMs: 15 * 60_000 };
/** What S3 takes in one request. */
const BYTES_MAX = 5 * 1_024 ** 3;
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly sha256?: string;
  readonly body?: () => Promise<Blob>;
}

/** Blobs as objects of a bucket of S3, or of a server with its protocol. */
export class S3Blobs implements BlobStore {
  readonly name: string;
  private readonly location: S3Location;
  private readonly timing: S3Timing;

  constructor(location: S3Location, timing: Partial<S3Timing> = {}) {
    this.location = location;
    this.timing = { ...TIMING, ...timing };
    this.name = `s3://${location.bucket}/${location.prefix}`;
  }

  async put(key: string, path: string, { bytes, sha256 }: FileContent): Promise<void> {
    if (bytes > BYTES_MAX) throw new StoreError(`${path} is larger than an object may be (5 GiB).`);
    const url = this.urlOf(key);
    await this.request({ method: 'PUT', url, sha256, body: () => openAsBlob(path) }, drained);
  }

  get(key: string, path: string, bytesMax: number): Promise<FileContent | null> {
    return this.request({ method: 'GET', url: this.urlOf(key) }, async (response) => {
      if (response.status === 404) return null;
      return writeBlob(path, response.body ?? new ReadableStream(), bytesMax);
    });
  }

  async list(prefix: string): Promise<readonly string[]> {
    const { prefix: own } = this.location;
    const keys: string[] = [];
    for (let token: string | null = ''; token !== null; ) {
      const url = this.bucketUrl();
      url.searchParams.set('list-type', '2');
      url.searchParams.set('prefix', `${own}${prefix}`);
      if (token !== '') url.searchParams.set('continuation-token', token);
      const page: string = await this.request({ method: 'GET', url }, (response) =>
        response.text(),
      );
      for (const key of textsOf(page, 'Key')) keys.push(key.slice(own.length));
      if (keys.length > KEYS_MAX) throw new StoreError(`${this.name} has too many objects.`);
      token = textsOf(page, 'NextContinuationToken')[0] ?? null;
    }
    return keys.filter(isBlobKey).sort();
  }

  async delete(key: string): Promise<void> {
    await this.request({ method: 'DELETE', url: this.urlOf(key) }, drained);
  }

  private bucketUrl(): URL {
    const { endpoint, bucket } = this.location;
    return new URL(`${endpoint.replace(/\/+$/, '')}/${bucket}`);
  }

  private urlOf(key: string): URL {
    assertBlobKey(key);
    const url = this.bucketUrl();
    url.pathname += `/${this.location.prefix}${key}`;
    return url;
  }

  /** Repeats what may succeed later. */
  private async request<Result>(
    request: S3Request,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const { attempts, pauseMs } = this.timing;
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.attempt(request, read);
      if ('result' in outcome) return outcome.result;
      if (attempt >= attempts) throw outcome.failure;
      await delay(pauseMs * 2 ** (attempt - 1));
    }
  }

  /** A failure that may pass is a value; any other is thrown. */
  private async attempt<Result>(
    request: S3Request,
    read: (response: Response) => Promise<Result>,
  ): Promise<{ readonly result: Result } | { readonly failure: StoreError }> {
    try {
      const response = await this.send(request);
      const isAnswer = response.ok || (response.status === 404 && request.method === 'GET');
      if (isAnswer) return { result: await read(response) };
      const failure = refusalOf(response.status, await response.text(), this.name);
      if (isWorthRetry(response.status)) return { failure };
      throw failure;
    } catch (error) {
      if (error instanceof StoreError) throw error;
      if (isSystemError(error)) throw new StoreError(`A file failed: ${error.message}.`);
      const reason = reasonOf(error);
      return {
        failure: new StoreError(
          `${this.name} does not answer (${reason}): check its address and the network.`,
        ),
      };
    }
  }

  private async send({ method, url, sha256, body }: S3Request): Promise<Response> {
    const { accessKeyId, secretAccessKey, region } = this.location;
    const headers = { 'x-amz-content-sha256': sha256 ?? EMPTY_SHA256 };
    const credentials = { accessKeyId, secretAccessKey, service: 's3', region };
    const signed = await new AwsV4Signer({ ...credentials, method, headers, url: url.href }).sign();
    return fetch(signed.url, {
      method,
      headers: signed.headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(this.timing.requestMs),
      ...(body === undefined ? {} : { body: await body() }),
    });
  }
}

/** Of a failure of the network: neither message has headers or secrets. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return isSystemError(error.cause) ? `${error.message}, ${error.cause.code}` : error.message;
}

async function drained(response: Response): Promise<void> {
  await response.arrayBuffer();
}

function isWorthRetry(status: number): boolean {
  return status === 429 || status >= 500;
}

/** Only the code of an answer is shown: the rest of it repeats parts of the request. */
function refusalOf(status: number, text: string, name: string): StoreError {
  const code = /^[A-Za-z]{1,64}$/.exec(textsOf(text, 'Code')[0] ?? '')?.[0] ?? 'no code';
  const remedy =
    status === 401 || status === 403
      ? 'check the access key, its secret and its rights'
      : 'check the address, the region and the bucket';
  return new StoreError(`${name} refused a request (${status}, ${code}): ${remedy}.`);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
};

/** The texts of elements that contain nothing else. */
function textsOf(xml: string, element: string): string[] {
  const matches = xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'));
  return Array.from(matches, ([, text = '']) =>
    text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (entity) => ENTITIES[entity] ?? entity),
  );
}
