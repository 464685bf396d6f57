import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startScript } from '../../bench/start-script.ts';
import { countProcess } from './running-processes.ts';

const MAIN = resolve('src/main.ts');
/** How the start script runs a command. */
const START_SCRIPT = startScript();

export interface Finished {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running command of the project's command line, with its output so far. */
export class RunningCommand {
  readonly process: ChildProcess;
  readonly finished: Promise<Finished>;
  private stdout = '';
  private stderr = '';

  /** `user`: ID of the user who runs it, which only root can choose. */
  constructor(
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    user: number | null = null,
  ) {
    this.process = spawn(process.execPath, [...START_SCRIPT.options, MAIN, ...args], {
      env: { ...cleanEnvironment(), ...START_SCRIPT.environment, ...environment },
      ...(user === null ? {} : { uid: user, gid: user }),
    });
    countProcess(this.process);
    this.process.stdout?.on('data', (chunk: Buffer) => {
      this.stdout += chunk.toString();
    });
    this.process.stderr?.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    this.finished = new Promise((resolve) => {
      this.process.on('close', (exitCode, signal) => {
        resolve({ exitCode, signal, stdout: this.stdout, stderr: this.stderr });
      });
    });
  }

  /** Its standard error so far. */
  get errorOutput(): string {
    return this.stderr;
  }

  /** Its standard output so far, followed by its standard error. */
  get output(): string {
    return `${this.stdout}${this.stderr}`;
  }

  /** Resolves with the match once standard output or error shows the pattern. */
  async shows(pattern: RegExp, timeoutMs = 150_000): Promise<RegExpExecArray> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const match = pattern.exec(this.stdout) ?? pattern.exec(this.stderr);
      if (match !== null) return match;
      const hasEnded = this.process.exitCode !== null || this.process.signalCode !== null;
      if (performance.now() > deadline || hasEnded) {
        throw new Error(`${pattern} was never shown:\n${this.stdout}\n${this.stderr}`);
      }
      await new Promise((wake) => setTimeout(wake, 20));
    }
  }
}

export async function runCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  return await new RunningCommand(args, environment).finished;
}

const folders: string[] = [];

/** A new folder that is removed when the test process ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mintscope-test-'));
  if (folders.length === 0) process.once('exit', removeFolders);
  folders.push(folder);
  return folder;
}

function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** Writes values as a `.jsonl` file, one per line, and returns its path. */
export function writeLines(folder: string, name: string, values: readonly unknown[]): string {
  const path = join(folder, name);
  writeFileSync(path, values.map((value) => JSON.stringify(value)).join('\n'));
  return path;
}

/** The environment without settings of the service, so that those of the machine have no effect. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const environment = { ...process.env };
  for (const name of Object.keys(environment)) {
    if (name.startsWith('MINTSCOPE_') || name === 'SOLANA_RPC_URL') delete environment[name];
  }
  return environment;
}
