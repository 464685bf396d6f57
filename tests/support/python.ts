import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOT = resolve('clients/python');

/** That of Debian, which the client is made for; another one where there is none. */
export const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';

/** Whether this machine has a Python that the client runs on. */
export const HAS_PYTHON =
  spawnSync(PYTHON, ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0;

const RUN_MS_MAX = 150_000;

type Settings = Readonly<Record<string, string>>;

/** Starts Python with the client as it is in the repository. With `input`, it can be written to. */
export function startPython(
  args: readonly string[],
  settings: Settings,
  { folder = ROOT, input = 'ignore' }: { folder?: string; input?: 'ignore' | 'pipe' } = {},
): ChildProcess {
  return spawn(PYTHON, ['-X', 'utf8', '-W', 'error::ResourceWarning', ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      PYTHONPATH: resolve(ROOT, 'src'),
      // Compiled modules would be written beside the sources.
      PYTHONDONTWRITEBYTECODE: '1',
      ...settings,
    },
    stdio: [input, 'pipe', 'pipe'],
    timeout: RUN_MS_MAX,
    killSignal: 'SIGKILL',
  });
}

export interface PythonOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs Python to its end. Throws what it wrote of an error. */
export async function runPython(
  args: readonly string[],
  settings: Settings = {},
  folder = ROOT,
): Promise<PythonOutput> {
  const child = startPython(args, settings, { folder });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
    });
  }
  const code = await new Promise((ended) => child.once('close', ended));
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${written.stderr}`);
  return written;
}
