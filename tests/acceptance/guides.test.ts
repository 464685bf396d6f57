import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type GuideBlock, guideBlocks } from '../../site/guide-blocks.ts';
import { temporaryFolder } from '../support/command-line.ts';

const GUIDES = globSync('docs/guides/*.md');
/** Ports as the guides write them. */
const PORTS = ['8080', '8899', '10000', '9000'];
const RUN_MS = 350_000;

const hasTools = ['bash', 'curl', 'jq'].every(
  (name) => spawnSync(name, ['--version']).status === 0,
);
if (!hasTools) process.stdout.write('SKIPPING the guides: bash, curl or jq is missing.\n');

const running: ChildProcess[] = [];

/** Ends each shell with all that it started. */
afterEach(() => {
  for (const { pid } of running.splice(0)) {
    try {
      process.kill(-(pid ?? 0), 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
});

describe.skipIf(!hasTools)('every command of a guide succeeds as it is written', () => {
  test.each(GUIDES)('%s', async (file) => {
    const ports = await freePorts();
    const folder = workFolder();
    const blocks = guideBlocks(readFileSync(file, 'utf8'));
    const script: string[] = ['set -euo pipefail'];
    for (const [index, block] of blocks.entries()) {
      if (block.kind === 'shown') continue;
      const text = withPorts(block.commands, ports);
      script.push(`echo '=== ${file}:${block.line}'`);
      script.push(block.kind === 'service' ? inBackground(text, index) : text);
    }
    expect(countOf(blocks, 'run')).toBeGreaterThan(2);
    expect(countOf(blocks, 'service')).toBeGreaterThan(0);
    const { code, output } = await runScript(script.join('\n'), folder, ports);
    expect(code, output).toBe(0);
  });
});

function countOf(blocks: readonly GuideBlock[], kind: GuideBlock['kind']): number {
  return blocks.filter((block) => block.kind === kind).length;
}

/** The commands of a service write into a file of their own. */
function inBackground(commands: string, index: number): string {
  return `(\n${commands}) > service-${index}.log 2>&1 &`;
}

type Ports = ReadonlyMap<string, string>;

function withPorts(commands: string, ports: Ports): string {
  return commands.replace(/\b\d{4,5}\b/g, (text) => ports.get(text) ?? text);
}

/** Free ports in place of those that the guides name. */
async function freePorts(): Promise<Ports> {
  const servers = PORTS.map(() => createServer().listen(0, '127.0.0.1'));
  const free = await Promise.all(
    servers.map(
      (server) =>
        new Promise<string>((done) => {
          server.once('listening', () => {
            const address = server.address();
            if (address === null || typeof address === 'string') throw new Error('no port');
            server.close(() => done(`${address.port}`));
          });
        }),
    ),
  );
  return new Map(PORTS.map((port, index) => [port, free[index] ?? port]));
}

/** An empty folder beside the installed command, which runs the sources. */
function workFolder(): string {
  const root = temporaryFolder();
  const command = join(root, 'mintscope');
  const main = [process.execPath, '--disable-warning=ExperimentalWarning', resolve('src/main.ts')];
  writeFileSync(command, `#!/bin/bash\nexec ${main.map((word) => `'${word}'`).join(' ')} "$@"\n`);
  chmodSync(command, 0o755);
  return root;
}

async function runScript(
  script: string,
  folder: string,
  ports: Ports,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const path = `${folder}:${resolve('node_modules/.bin')}:${process.env.PATH}`;
  const shell = spawn('bash', ['-c', script], {
    cwd: folder,
    detached: true,
    env: { PATH: path, HOME: folder, MINTSCOPE_PORT: ports.get('8080') },
  });
  running.push(shell);
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const code = await new Promise<number | null>((done) => {
    const timer = setTimeout(() => done(null), RUN_MS);
    shell.on('exit', (status) => {
      clearTimeout(timer);
      done(status);
    });
  });
  const logs = globSync('service-*.log', { cwd: folder }).map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  );
  return {
    code,
    output: [output, ...logs.map((log) => log.slice(-3_000))].join('\n--- service\n'),
  };
}
