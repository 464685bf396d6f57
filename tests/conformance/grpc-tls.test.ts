import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { credentials, status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FailedKeys } from '../../src/api/http/failed-keys.ts';
import { createRateLimiter } from '../../src/api/http/rate-limit.ts';
import type { BoundedGrpcServer } from '../../src/api/streams/grpc/bounded-grpc-server.ts';
import { createGrpcServer } from '../../src/api/streams/grpc/grpc-server.ts';
import { StreamLimit } from '../../src/api/streams/stream-limit.ts';
import { bindGrpc } from '../../src/bridge/listen.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { fakeApiDeps, READ_KEY } from '../support/fake-api-deps.ts';
import { GrpcReader, grpcClient } from '../support/grpc-client.ts';

const FILE = 'enterprise/v1/signals.proto';
const SERVICE = 'enterprise.v1.SignalStreamService';
/** Node cannot create certificates: without openssl the tests below are skipped. */
const OPENSSL = ['/usr/bin/openssl', '/usr/local/bin/openssl'].find(existsSync);

/** A key and a self-signed certificate for this machine, valid for a day. */
function makeCertificate(folder: string, name: string) {
  const files = { key: join(folder, `${name}.key`), cert: join(folder, `${name}.pem`) };
  execFileSync(
    OPENSSL ?? '',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-days', '1', '-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'],
      ...['-keyout', files.key, '-out', files.cert],
    ],
    { stdio: 'ignore' },
  );
  return files;
}

describe.skipIf(OPENSSL === undefined)('gRPC with a certificate of openssl', () => {
  const folder = temporaryFolder();
  let files: ReturnType<typeof makeCertificate>;
  let server: BoundedGrpcServer;
  let port = 0;

  beforeAll(async () => {
    files = makeCertificate(folder, 'own');
    server = createGrpcServer(fakeApiDeps(), {
      rateLimiter: createRateLimiter({ perMinute: 600, burst: 100 }),
      streamLimit: new StreamLimit(),
      failedKeys: new FailedKeys(),
    });
    port = await bindGrpc(server, '127.0.0.1', {
      ...{ port: 0, tlsCertFile: files.cert, tlsKeyFile: files.key },
    });
  });

  afterAll(() => server.forceShutdown());

  const read = (channel: ReturnType<typeof credentials.createSsl>) =>
    new GrpcReader(grpcClient(port, FILE, SERVICE, channel), 'StreamSignals', { key: READ_KEY });

  test('admits a client that trusts it', async () => {
    const reader = read(credentials.createSsl(readFileSync(files.cert)));
    expect(await reader.place).toBe('0');
    reader.close();
  });

  test('is rejected by a client that trusts another, and by one without encryption', async () => {
    const other = makeCertificate(folder, 'other');
    for (const channel of [
      credentials.createSsl(readFileSync(other.cert)),
      credentials.createInsecure(),
    ]) {
      const reader = read(channel);
      expect((await reader.ended).code).toBe(status.UNAVAILABLE);
      reader.close();
    }
  });

  test('requires both files to be set and to exist', async () => {
    const bind = (tlsCertFile: string | null, tlsKeyFile: string | null) =>
      bindGrpc(server, '127.0.0.1', { port: 0, tlsCertFile, tlsKeyFile });
    await expect(bind(files.cert, null)).rejects.toThrow('--grpc-tls-key-file');
    await expect(bind(files.cert, join(folder, 'none'))).rejects.toThrow('cannot be used');
  });
});
