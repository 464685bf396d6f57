import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { proxyVariablesIn, readSetupFacts } from './setup-facts.ts';

const ADDRESS = { host: '127.0.0.1', port: 0, grpcPort: null, grpcTlsCertFile: null };

test('a port is free, in use, or of no address of this machine', async () => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const faultAt = async (host: string, at: number) =>
    (await readSetupFacts({ ...ADDRESS, host, port: at }, {})).port.fault;
  const grpcFaultAt = async (grpcPort: number) =>
    (await readSetupFacts({ ...ADDRESS, grpcPort }, {})).grpcPort;
  expect(await faultAt('127.0.0.1', port)).toBe('EADDRINUSE');
  expect(await grpcFaultAt(port)).toEqual({ number: port, fault: 'EADDRINUSE' });
  expect(await faultAt('192.0.2.1', 0)).toBe('EADDRNOTAVAIL');
  await new Promise((done) => server.close(done));
  expect(await faultAt('127.0.0.1', port)).toBeNull();
  expect(await grpcFaultAt(port)).toEqual({ number: port, fault: null });
});

test('a certificate that cannot be read is a fact, not an error', async () => {
  const address = { ...ADDRESS, grpcTlsCertFile: import.meta.filename };
  const { certificate } = await readSetupFacts(address, {});
  expect(certificate).toMatchObject({ file: import.meta.filename, fault: expect.any(String) });
});

test('proxies are named without their values, which may contain a password', () => {
  const environment = { HTTPS_PROXY: 'http://user:secret@proxy:3128', http_proxy: '', PATH: '/' };
  expect(proxyVariablesIn(environment)).toEqual(['HTTPS_PROXY']);
});
