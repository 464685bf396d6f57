import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const FAKE_S3_KEY = 'AKIDEXAMPLE';
export const FAKE_S3_SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
export const FAKE_S3_REGION = 'eu-test-1';
const PAGE_KEYS = 3;

/** A request as the server saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/**
 * A bucket in memory behind the protocol of S3. Signatures are checked by the steps of AWS's
 * document "Create a signed AWS API request", written here a second time.
 */
export class FakeS3 {
  readonly objects = new Map<string, Buffer>();
  readonly seen: SeenRequest[] = [];
  /** Answers instead of the usual one, from the next request on; null: ends the connection. */
  readonly failures: (number | null)[] = [];
  /** Called before each object is stored. */
  onPut: (key: string) => void = () => undefined;
  private readonly server: Server;
  private port = 0;

  private constructor(server: Server) {
    this.server = server;
  }

  static async start(): Promise<FakeS3> {
    const server = createServer();
    const fake = new FakeS3(server);
    server.on('request', (request, response) => void fake.handle(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    fake.port = (server.address() as AddressInfo).port;
    return fake;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const portions: Buffer[] = [];
    for await (const portion of request as AsyncIterable<Buffer>) portions.push(portion);
    const body = Buffer.concat(portions);
    const url = new URL(request.url ?? '/', this.endpoint);
    const failure = this.failures.shift();
    if (failure === null) return void request.socket.destroy();
    const [status, text] = failure === undefined ? this.answer(request, url, body) : [failure, ''];
    this.seen.push({ method: request.method ?? '', path: url.pathname, status });
    response.writeHead(status).end(text);
  }

  private answer(
    request: IncomingMessage,
    url: URL,
    body: Buffer,
  ): readonly [number, string | Buffer] {
    const refusal = refusalOf(request, url, body);
    if (refusal !== null) {
      // As AWS does: the answer repeats what was signed.
      const secret = `${FAKE_S3_KEY} ${request.headers.authorization}`;
      return [403, `<Error><Code>${refusal}</Code><Message>${secret}</Message></Error>`];
    }
    const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/');
    if (bucket !== 'backups') return [404, '<Error><Code>NoSuchBucket</Code></Error>'];
    const key = rest.join('/');
    if (key === '') return [200, this.page(url)];
    if (request.method === 'PUT') {
      this.onPut(key);
      this.objects.set(key, body);
      return [200, ''];
    }
    if (request.method === 'DELETE') {
      this.objects.delete(key);
      return [204, ''];
    }
    const found = this.objects.get(key);
    return found === undefined ? [404, '<Error><Code>NoSuchKey</Code></Error>'] : [200, found];
  }

  private page(url: URL): string {
    const prefix = url.searchParams.get('prefix') ?? '';
    const after = url.searchParams.get('continuation-token') ?? '';
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix)).sort();
    const rest = keys.filter((key) => `<&${key}` > after);
    const page = rest.slice(0, PAGE_KEYS);
    // A token may have characters that are escaped.
    const next = rest.length > page.length ? `&lt;&amp;${page.at(-1)}` : null;
    const token = next === null ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`;
    const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
    return `<?xml version="1.0"?><ListBucketResult><Prefix>${prefix}</Prefix>${token}${contents}</ListBucketResult>`;
  }
}

/** The code with which S3 refuses a request; null if its signature is right. */
function refusalOf(
  { method = '', headers }: IncomingMessage,
  url: URL,
  body: Buffer,
): string | null {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
  const [, id, , region = '', names = '', signature = ''] =
    pattern.exec(headers.authorization ?? '') ?? [];
  if (id === undefined) return 'AccessDenied';
  if (id !== FAKE_S3_KEY) return 'InvalidAccessKeyId';
  if (region !== FAKE_S3_REGION) return 'AuthorizationHeaderMalformed';
  if (headers['x-amz-content-sha256'] !== hex(createHash('sha256').update(body))) {
    return 'XAmzContentSHA256Mismatch';
  }
  const signed = names.split(';');
  for (const needed of ['host', 'x-amz-content-sha256', 'x-amz-date']) {
    if (!signed.includes(needed)) return 'AccessDenied';
  }
  const content = Object.fromEntries(signed.map((name) => [name, String(headers[name])]));
  const expected = signatureOf(
    { method, url, headers: content },
    { secret: FAKE_S3_SECRET, region },
  );
  const isRight = timingSafeEqual(Buffer.from(expected, 'hex'), Buffer.from(signature, 'hex'));
  return isRight ? null : 'SignatureDoesNotMatch';
}

/** A request to sign, with the headers that are signed. */
export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** The signature of a request to S3, as hex. */
export function signatureOf(
  { method, url, headers }: SignedRequest,
  { secret, region }: { readonly secret: string; readonly region: string },
): string {
  const names = Object.keys(headers).sort();
  const lines = names.map((name) => `${name}:${headers[name]?.trim().replaceAll(/ +/g, ' ')}\n`);
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
  const path = decodeURIComponent(url.pathname).split('/').map(encoded).join('/');
  const contentHash = headers['x-amz-content-sha256'];
  const canonical = [method, path, query, lines.join(''), names.join(';'), contentHash].join('\n');
  const time = headers['x-amz-date'] ?? '';
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, hex(createHash('sha256').update(canonical))];
  const key = [region, 's3', 'aws4_request'].reduce(
    (before, part) => createHmac('sha256', before).update(part).digest(),
    createHmac('sha256', `AWS4${secret}`).update(day).digest(),
  );
  return createHmac('sha256', key).update(text.join('\n')).digest('hex');
}

function hex(hash: ReturnType<typeof createHash>): string {
  return hash.digest('hex');
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (letter) => {
    return `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}
