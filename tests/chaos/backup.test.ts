import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { RunningCommand, runCommand, temporaryFolder } from '../support/command-line.ts';

const KEY = 'backup-test-bootstrap-key';
/** Slots that exist when the service starts, and those after which the service is killed. */
const PAST_SLOTS = 400;
const SLOTS_MORE = 420;

/** A simulated node that advances when it is asked to. */
class AskedNode {
  readonly command: RunningCommand;
  private url = '';

  constructor() {
    const options = ['--port', '0', '--pace', 'asked', '--window', '100000', '--past'];
    this.command = new RunningCommand(['simulate', '--serve', ...options, String(PAST_SLOTS)]);
  }

  async listening(): Promise<string> {
    const [, url] = await this.command.shows(/JSON-RPC +(http:\S+)/, 60_000);
    this.url = url ?? '';
    return this.url;
  }

  async advance(slots: number): Promise<void> {
    const body = JSON.stringify({ slots });
    const { ok, status } = await fetch(`${this.url}/advance`, { method: 'POST', body });
    if (!ok) throw new Error(`the node answered ${status}`);
  }
}

/** A service that follows the node. */
class FollowingService {
  readonly command: RunningCommand;
  private url = '';

  constructor(dataDir: string, rpcUrl: string) {
    const options = ['--data-dir', dataDir, '--rpc-url', rpcUrl, '--port', '0'];
    const rate = ['--rpc-requests-per-second', '1000', '--offchain', 'off'];
    const environment = { MINTSCOPE_BOOTSTRAP_KEY: KEY };
    this.command = new RunningCommand(['start', ...options, ...rate], environment);
  }

  async listening(): Promise<void> {
    const [, url] = await this.command.shows(/listens on (http:\S+?);/, 60_000);
    this.url = url ?? '';
  }

  /** Waits until the service has applied the slot. */
  async reaches(slot: number): Promise<void> {
    for (;;) {
      const at = Number((await this.coverage()).state?.slot ?? 0);
      if (at >= slot) return;
      if (this.command.process.exitCode !== null) throw new Error(this.command.output);
      await delay(100);
    }
  }

  async coverage(): Promise<{ readonly state: { readonly slot: number } | null }> {
    const headers = { 'x-api-key': KEY };
    return (await (await fetch(`${this.url}/v1/coverage`, { headers })).json()) as never;
  }

  /** Stops in order, which makes a checkpoint of the last final slot. */
  async stop(): Promise<void> {
    this.command.process.kill('SIGTERM');
    const { exitCode, stderr } = await this.command.finished;
    expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
  }

  async kill(): Promise<void> {
    this.command.process.kill('SIGKILL');
    await this.command.finished;
  }
}

interface Digest {
  readonly slot: number;
  readonly digest: string;
  readonly slots: readonly number[];
}

async function digestOf(dataDir: string, atSlot?: number): Promise<Digest> {
  const at = atSlot === undefined ? [] : ['--at-slot', String(atSlot)];
  const { stdout, stderr } = await runCommand(['digest', '--data-dir', dataDir, '--json', ...at]);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Digest;
}

/** Runs a command that must succeed, and returns its JSON line. */
async function succeeding(...args: string[]): Promise<Record<string, unknown>> {
  const { exitCode, stdout, stderr } = await runCommand([...args, '--json']);
  if (exitCode !== 0) throw new Error(`${args[0]} ended with ${exitCode}: ${stdout}${stderr}`);
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** Continues a data folder up to the end of the chain; returns the digest of that slot. */
async function caughtUp(dataDir: string, rpcUrl: string, slot: number): Promise<Digest> {
  const service = new FollowingService(dataDir, rpcUrl);
  await service.listening();
  await service.reaches(slot);
  await service.stop();
  return await digestOf(dataDir);
}

describe('a backup that is made while the chain is followed (H-11)', () => {
  test('is whole when restored, continues, and has the digests of the original', async () => {
    const [root, dataDir] = [temporaryFolder(), join(temporaryFolder(), 'data')];
    const node = new AskedNode();
    const rpcUrl = await node.listening();
    const service = new FollowingService(dataDir, rpcUrl);
    try {
      await service.listening();
      await service.reaches(1);
      // Slots as fast as the service takes them, and backups beside it.
      const isOver = new AbortController();
      const advancing = (async () => {
        for (let slots = 0; slots < SLOTS_MORE; slots += 4) {
          await node.advance(4);
          await delay(20);
        }
        isOver.abort();
      })();
      const backups: string[] = [];
      while (!isOver.signal.aborted || backups.length < 2) {
        const backup = join(root, `backup-${backups.length}`);
        const made = await succeeding('backup', backup, '--data-dir', dataDir);
        expect(made.is_linked).toBe(true);
        backups.push(backup);
      }
      await advancing;
      await service.kill();

      const end = (await caughtUp(dataDir, rpcUrl, await lastSlotOf(rpcUrl))) satisfies Digest;
      for (const [index, backup] of [backups[0] ?? '', backups.at(-1) ?? ''].entries()) {
        const restored = join(root, `restored-${index}`);
        await succeeding('restore', backup, '--data-dir', restored);
        const { is_whole, findings } = await succeeding('check', '--data-dir', restored);
        expect([is_whole, findings]).toEqual([true, []]);
        await compareCheckpoints(restored, dataDir);
        const again = await caughtUp(restored, rpcUrl, await lastSlotOf(rpcUrl));
        expect([again.slot, again.digest]).toEqual([end.slot, end.digest]);
      }
    } finally {
      for (const each of [service.command, node.command]) each.process.kill('SIGKILL');
      await Promise.all([service.command.finished, node.command.finished]);
    }
  }, 300_000);
});

/** The newest slot of the node. */
async function lastSlotOf(rpcUrl: string): Promise<number> {
  const request = { jsonrpc: '2.0', id: 1, method: 'getSlot', params: [{ commitment: 'confirmed' }] };
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(request) });
  return Number(((await answer.json()) as { readonly result: number }).result);
}

/** Checkpoints of one slot in both folders have the same digest. */
async function compareCheckpoints(restored: string, original: string): Promise<void> {
  if (!readdirSync(join(restored, 'state', 'fold-1')).some((name) => name.startsWith('checkpoint'))) {
    return;
  }
  const { slots } = await digestOf(restored);
  const common = slots.filter(async (slot) => (await digestOf(original)).slots.includes(slot));
  for (const slot of common) {
    expect((await digestOf(restored, slot)).digest).toBe((await digestOf(original, slot)).digest);
  }
}
