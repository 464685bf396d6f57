import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RunningCommand, runCommand, temporaryFolder } from '../support/command-line.ts';
import { FollowedChain } from '../support/followed-chain.ts';

const RIGHT = 'right-stream-token';
const WRONG = 'wrong-stream-token';

/** A Yellowstone server that refuses the token of the service. */
describe('a wrong Yellowstone token', () => {
  let chain: FollowedChain;
  let environment: Record<string, string>;

  beforeAll(async () => {
    chain = await FollowedChain.start({ stream: { token: RIGHT } });
    environment = {
      MINTSCOPE_YELLOWSTONE_URL: chain.stream.url,
      MINTSCOPE_YELLOWSTONE_TOKEN: WRONG,
    };
  });
  afterAll(async () => {
    await chain[Symbol.asyncDispose]();
  });

  const dataDir = () => join(temporaryFolder(), 'data');

  test('is named by start with the setting that has it, and does not end the service', async () => {
    const args = ['start', '--port', '0', '--data-dir', dataDir()];
    const service = new RunningCommand(args, environment);
    try {
      await service.shows(/\(code 16\): check MINTSCOPE_YELLOWSTONE_TOKEN/, 120_000);
      const ready = /listens on (http:\S+);/.exec(service.output);
      expect(ready).not.toBeNull();
      expect(service.output).not.toContain(WRONG);
      // A denial may pass, so that it does not end the service.
      expect(service.process.exitCode).toBeNull();
      service.process.kill('SIGTERM');
      expect((await service.finished).exitCode).toBe(0);
    } finally {
      service.process.kill('SIGKILL');
    }
  });

  test('is a failure to doctor, with exit code 1', async () => {
    const args = ['doctor', '--port', '0', '--data-dir', dataDir()];
    const { stdout, exitCode } = await runCommand(args, environment);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^fail .*reachable: .*Check address and token/m);
    expect(stdout).not.toContain(WRONG);
  });
});
