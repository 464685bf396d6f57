import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { address } from '../support/build-transaction.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { listenHttp } from '../support/stranger-listeners.ts';
import { openTestGathering } from '../support/test-gathering.ts';

test('the next start continues a gathering that a kill interrupted, without a new request', async () => {
  const path = join(temporaryFolder(), 'offchain.sqlite');
  const mint = address('cat');
  let isAnswering = false;
  const asked = Promise.withResolvers<void>();
  const server = await listenHttp((_, response) => {
    if (isAnswering) response.end('{"name":"Cat"}');
    else asked.resolve();
  });
  const uri = `http://cat.test:${server.port}/cat.json`;
  const script = resolve('tests/support/gather-until-killed.ts');
  const child = spawn(process.execPath, [
    ...['--disable-warning=ExperimentalWarning', script],
    ...[path, mint, uri],
  ]);
  const exit = once(child, 'exit');
  await asked.promise;
  child.kill('SIGKILL');
  expect((await exit)[1]).toBe('SIGKILL');
  isAnswering = true;
  const after = openTestGathering({ path, ports: [server.port] });
  expect([after.jobs('metadata', 'pending'), after.jobs('metadata', 'running')]).toEqual([1, 0]);
  await after.pass(0);
  expect(after.facts.factsOf(mint).document?.name).toBe('Cat');
  expect(server.requests).toHaveLength(2);
  after.gathering.close();
  after.database.close();
  await server.close();
});
