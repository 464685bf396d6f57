import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RunningCommand, temporaryFolder } from '../support/command-line.ts';

/** Requests follow right after the start, so the test does not wait for the market. */
test.each([
  ['--simulate', 'true'],
  ['--no-simulate', null],
])(
  'H-10 a start with %s marks every answer as simulated: %s',
  async (flag, mark) => {
    const dataDir = join(temporaryFolder(), 'data');
    const server = new RunningCommand(['start', flag, '--port', '0', '--data-dir', dataDir]);
    try {
      const [, port] = await server.shows(/"port":(\d+),"grpcPort":/, 100_000);
      for (const path of ['/livez', '/v1/tokens', '/nothing']) {
        const { headers } = await fetch(`http://127.0.0.1:${port}${path}`);
        expect([path, headers.get('x-simulated')]).toEqual([path, mark]);
      }
    } finally {
      server.process.kill('SIGKILL');
      await server.finished;
    }
  },
  400_000,
);
