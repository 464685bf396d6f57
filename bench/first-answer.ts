import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackage } from '../tests/support/installed-package.ts';
import { startService } from './start-service.ts';
import { fixed, printTable } from './table.ts';

const ROUNDS = 5;

/**
 * From the start of the process on an empty folder to the first answer of a data endpoint; of the
 * clone, or of the package as an operator installs it.
 */
export async function benchFirstAnswer(isPackage: boolean): Promise<void> {
  const root = isPackage ? mkdtempSync(join(tmpdir(), 'mintscope-bench-package-')) : null;
  try {
    await measureStarts(root === null ? null : installPackage(root).command);
  } finally {
    if (root !== null) rmSync(root, { recursive: true, force: true });
  }
}

async function measureStarts(command: string | null): Promise<void> {
  // Modules are compiled once, and by every first start after an installation.
  const firstMs = await startOnce(20_000 + ROUNDS, command);
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round++)
    samples.push(await startOnce(20_000 + round, command));
  samples.sort((one, other) => one - other);
  const of = command === null ? 'the clone' : 'the installed package';
  printTable(`process start of ${of} → first answer, empty data folder`, [
    ['measure', 'ms'],
    ['median', fixed(samples[ROUNDS >> 1] ?? Number.NaN, 0)],
    ['worst', fixed(samples.at(-1) ?? Number.NaN, 0)],
    ['before these, with modules to compile', fixed(firstMs, 0)],
    ['load average', fixed(loadavg()[0] ?? Number.NaN, 1)],
  ]);
}

async function startOnce(port: number, command: string | null): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintscope-bench-'));
  const key = 'bench-key-0123456789';
  const start = performance.now();
  const server = startService({ port, dataDir, key, command });
  try {
    // Any answer of the route is sufficient: the pool is unknown in an empty folder.
    const url = `http://127.0.0.1:${port}/v1/indicators/current?pair_address=So11111111111111111111111111111111111111112`;
    await untilAnswered(url, key, start + 120_000);
    return performance.now() - start;
  } finally {
    server.kill('SIGKILL');
    await new Promise((resolve) => server.once('close', resolve));
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function untilAnswered(url: string, key: string, deadline: number): Promise<void> {
  for (;;) {
    const isAnswered = await fetch(url, { headers: { 'x-api-key': key } }).then(
      (answer) => answer.status === 404,
      () => false,
    );
    if (isAnswered) return;
    if (performance.now() > deadline) throw new Error('the server never answered');
    await new Promise((wake) => setTimeout(wake, 5));
  }
}
