import { spawnSync } from 'node:child_process';

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end. */
export function runCommand(
  command: string,
  args: readonly string[],
  folder: string,
): CommandResult {
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1_048_576 } as const;
  const { status, stdout, stderr, error } = spawnSync(command, args, options);
  return { code: status, stdout: stdout ?? '', stderr: stderr || (error?.message ?? '') };
}

/** Runs a script of the clone with the runtime of this process. */
export function runScript(args: readonly string[], folder: string): CommandResult {
  return runCommand(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], folder);
}

/** The error that a failed command printed, or the last line of what it printed. */
export function reasonOf({ stdout, stderr }: CommandResult): string {
  const lines = (stderr.trim() || stdout.trim()).split('\n');
  const index = lines.findIndex((line) => /^(\w*Error|error|fatal): /.test(line));
  const error = lines[index] ?? lines.at(-1) ?? '';
  return error.endsWith(':') ? `${error} ${lines[index + 1] ?? ''}` : error;
}
