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

/** The last line that a failed command printed. */
export function reasonOf({ stdout, stderr }: CommandResult): string {
  return (stderr.trim() || stdout.trim()).split('\n').at(-1) ?? '';
}
