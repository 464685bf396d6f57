import { describe, expect, test } from 'vitest';
import { judgeSetup } from './judge-setup.ts';
import type { SetupFacts } from './setup-facts.ts';

const NOW_MS = Date.UTC(2026, 5, 1);
const DAY_MS = 86_400_000;
const GOOD: SetupFacts = {
  host: '127.0.0.1',
  port: { number: 8080, fault: null },
  grpcPort: null,
  certificate: null,
  proxyVariables: [],
};
const certificate = (fromDays: number, toDays: number) => ({
  file: 'server.pem',
  validFromMs: NOW_MS + fromDays * DAY_MS,
  validToMs: NOW_MS + toDays * DAY_MS,
});

describe('the judgement of ports, certificate and proxies', () => {
  test('passes if nothing is wrong, and names only what is configured', () => {
    expect(judgeSetup(GOOD, false, NOW_MS)).toEqual([
      {
        status: 'ok',
        subject: 'this machine',
        check: 'port',
        message: 'port 8080 of 127.0.0.1 is free',
        advice: null,
      },
    ]);
  });

  test.each([
    [{ port: { number: 8080, fault: 'EADDRINUSE' } }, 'port', 'fail', / --port/],
    [{ port: { number: 80, fault: 'EACCES' } }, 'port', 'fail', /above 1023 with --port/],
    [{ port: { number: 8080, fault: 'EADDRNOTAVAIL' } }, 'port', 'fail', /--host/],
    [{ grpcPort: { number: 8081, fault: null } }, 'grpc port', 'ok', null],
    [{ grpcPort: { number: 0, fault: null } }, 'grpc port', 'ok', null],
    [{ grpcPort: { number: 8081, fault: 'EADDRINUSE' } }, 'grpc port', 'fail', / --grpc-port/],
    [{ grpcPort: { number: 80, fault: 'EACCES' } }, 'grpc port', 'fail', /with --grpc-port/],
    [{ grpcPort: { number: 8080, fault: null } }, 'grpc port', 'fail', / --grpc-port/],
    [{ certificate: certificate(-30, -1) }, 'certificate', 'fail', /Renew it/],
    [{ certificate: certificate(1, 90) }, 'certificate', 'fail', /clock/],
    [{ certificate: certificate(-30, 5) }, 'certificate', 'warn', /Renew it/],
    [{ certificate: certificate(-30, 60) }, 'certificate', 'ok', null],
    [{ certificate: { file: 'x', fault: 'no such file' } }, 'certificate', 'fail', /PEM/],
    [{ proxyVariables: ['HTTPS_PROXY'] }, 'proxy', 'warn', /direct connections/],
  ] as const)('for %j says of %s: %s', (facts, check, status, advice) => {
    const found = judgeSetup({ ...GOOD, ...facts }, false, NOW_MS).find(
      (finding) => finding.check === check,
    );
    expect(found?.status).toBe(status);
    if (advice === null) expect(found?.advice).toBeNull();
    else expect(found?.advice).toMatch(advice);
  });

  test('ports in use are no failure if a service uses the folder too', () => {
    const port = { number: 8080, fault: 'EADDRINUSE' };
    const facts = { ...GOOD, port, grpcPort: { ...port, number: 8081 } };
    expect(judgeSetup(facts, true, NOW_MS).map(({ status }) => status)).toEqual(['ok', 'ok']);
  });

  test('two free ports that are selected at start do not conflict', () => {
    const any = { number: 0, fault: null };
    const found = judgeSetup({ ...GOOD, port: any, grpcPort: any }, false, NOW_MS);
    expect(found.map(({ status }) => status)).toEqual(['ok', 'ok']);
  });
});
