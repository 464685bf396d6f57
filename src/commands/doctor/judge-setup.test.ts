import { describe, expect, test } from 'vitest';
import { judgeSetup } from './judge-setup.ts';
import type { SetupFacts } from './setup-facts.ts';

const NOW_MS = Date.UTC(2026, 5, 1);
const DAY_MS = 86_400_000;
const GOOD: SetupFacts = {
  host: '127.0.0.1',
  port: 8080,
  portFault: null,
  certificate: null,
  proxyVariables: [],
};
const certificate = (fromDays: number, toDays: number) => ({
  file: 'server.pem',
  validFromMs: NOW_MS + fromDays * DAY_MS,
  validToMs: NOW_MS + toDays * DAY_MS,
});

describe('the judgement of address, certificate and proxies', () => {
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
    [{ portFault: 'EADDRINUSE' }, 'port', 'fail', /--port/],
    [{ portFault: 'EACCES', port: 80 }, 'port', 'fail', /above 1023/],
    [{ portFault: 'EADDRNOTAVAIL' }, 'port', 'fail', /--host/],
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

  test('a port in use is no failure if a service uses the folder too', () => {
    const [port] = judgeSetup({ ...GOOD, portFault: 'EADDRINUSE' }, true, NOW_MS);
    expect(port?.status).toBe('ok');
  });
});
